import { readFileSync } from "node:fs";
import { DEFAULT_SYNONYMS, readSynonyms, SYNONYM_GROUPS, type Synonyms } from "@chest/core";
import { StartError } from "@chest/runtime";

const MAX_BYTES = 1024 * 1024;

/** The known synonyms, and those of a file: a line for each thing, its names joined by commas, `#` before a comment. */
export function synonymsOf(path: string | undefined): Synonyms {
  return path === undefined ? DEFAULT_SYNONYMS : readSynonyms([...SYNONYM_GROUPS, ...groupsOf(path)]);
}

function groupsOf(path: string): string[] {
  const text = read(path);
  if (Buffer.byteLength(text) > MAX_BYTES) throw new StartError(`CHEST_SYNONYMS_FILE: ${path} is larger than 1 MiB`);
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [at, line] of lines.entries()) {
    if (line === "" || line.startsWith("#") || line.split(",").filter((name) => name.trim() !== "").length > 1)
      continue;
    throw new StartError(`CHEST_SYNONYMS_FILE: line ${at + 1} of ${path} needs two names or more, joined by commas`);
  }
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new StartError(`CHEST_SYNONYMS_FILE: ${path} cannot be read (${reason})`);
  }
}

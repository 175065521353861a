import { readFileSync } from "node:fs";
import { DEFAULT_SYNONYMS, readSynonyms, SYNONYM_GROUPS, type Synonyms } from "@chest/core/text";

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a synonyms file and adds it to the built-in synonyms. Each line lists the names of one thing, separated by
 * commas; `#` begins a comment.
 * @returns a message that names the variable when the file has a fault.
 */
export function synonymsOf(path: string | undefined): Synonyms | string {
  if (path === undefined) return DEFAULT_SYNONYMS;
  const groups = groupsOf(path);
  return typeof groups === "string" ? groups : readSynonyms([...SYNONYM_GROUPS, ...groups]);
}

function groupsOf(path: string): string[] | string {
  const read = textOf(path);
  if (read.reason) return `CHEST_SYNONYMS_FILE: ${path} cannot be read (${read.reason})`;
  if (Buffer.byteLength(read.text) > MAX_BYTES) return `CHEST_SYNONYMS_FILE: ${path} is larger than 1 MiB`;
  const lines = read.text.split(/\r?\n/).map((line) => line.trim());
  const isSaying = (line: string) => line !== "" && !line.startsWith("#");
  const bad = lines.findIndex(
    (line) => isSaying(line) && line.split(",").filter((name) => name.trim() !== "").length < 2,
  );
  if (bad !== -1) return `CHEST_SYNONYMS_FILE: line ${bad + 1} of ${path} needs two names or more, joined by commas`;
  return lines.filter(isSaying);
}

function textOf(path: string): { readonly text: string; readonly reason?: string } {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    return { text: "", reason: error instanceof Error && "code" in error ? String(error.code) : String(error) };
  }
}

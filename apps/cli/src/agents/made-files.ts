import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Change, type Edit, editFile } from "./edit-file.ts";
import { saysNothing } from "./jsonc.ts";

export interface ConfigurationOptions {
  readonly isDry: boolean;
  /** Folder that records which of them were made for us. */
  readonly dataDir: string;
}

/** Note on an emptied configuration that existed before us, or whose origin is unknown. */
const EMPTIED = "nothing is left in it";
/** Note on a configuration that was made for us. */
const GONE = "the file as well, which was made for it";

/**
 * Changes an agent's configuration as `editFile` does. One that was not there before is written down, and goes when
 * nothing is left in it.
 */
export async function editConfiguration(
  path: string,
  edit: Edit,
  { isDry, dataDir }: ConfigurationOptions,
): Promise<Change> {
  const isMade = madeIn(dataDir).includes(resolve(path));
  const change = await editFile(
    path,
    (text) => {
      const after = edit(text);
      return isMade && saysNothing(after) ? undefined : after;
    },
    { isDry },
  );
  const isKnownAs = change === "added" || (isMade && change !== "removed" && change !== "absent");
  if (!isDry && isKnownAs !== isMade) await note(dataDir, resolve(path), isKnownAs);
  return change;
}

/** Note beside a step that removed something. */
export const noteOn = (change: Change, left: string | undefined): string | undefined =>
  change === "removed" ? GONE : saysNothing(left) ? EMPTIED : undefined;

const fileIn = (dataDir: string): string => join(dataDir, "made.json");

async function note(dataDir: string, path: string, isMade: boolean): Promise<void> {
  await editFile(
    fileIn(dataDir),
    (text) => {
      const paths = [...read(text).filter((each) => each !== path), ...(isMade ? [path] : [])];
      return paths.length === 0 ? undefined : `${JSON.stringify(paths, undefined, 2)}\n`;
    },
    { isDry: false },
  );
}

function madeIn(dataDir: string): readonly string[] {
  const file = fileIn(dataDir);
  return existsSync(file) ? read(readFileSync(file, "utf8")) : [];
}

function read(text: string | undefined): readonly string[] {
  try {
    const paths: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return []; // Nobody's words: then nothing is ours to take away.
  }
}

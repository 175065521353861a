import { randomBytes } from "node:crypto";
import { open, readFile, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StartError } from "@chest/runtime";
import { makeFolder } from "@chest/runtime/make-folder";
import { commandForms } from "@chest/runtime/shell-words";
import { renameOver } from "../../files/rename-over.ts";
import { linkTarget } from "../../files/resolve-link.ts";

/** Change to a file. */
export type Change = "added" | "updated" | "unchanged" | "removed" | "absent";

/** Turns a file's present text into the wanted one; undefined means no file. */
export type Edit = (text: string | undefined) => string | undefined;

export interface EditOptions {
  readonly isDry: boolean;
  /** Called with the folders that were made for the file, outermost first. */
  readonly onFolders?: (made: readonly string[]) => void;
}

const MAX_ROUNDS = 5;

/**
 * Changes a file of the user's in one step, for its owner only: readers find the old text or the new one. A link stays,
 * and its target is changed. A concurrent change is read first, and the edit is made on that.
 */
export async function editFile(path: string, edit: Edit, { isDry, onFolders }: EditOptions): Promise<Change> {
  const file = await linkTarget(path);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const before = await textOf(file);
    const after = edit(before);
    const change = changeOf(before, after);
    if (before === after) return change;
    await assertWritable(file);
    if (isDry) return change;
    const write = () => (after === undefined ? remove(file) : replace(file, before, after, onFolders));
    if (await writing(file, write)) return change;
  }
  throw new StartError(
    `\`${path}\` keeps being changed by another program`,
    "close the agent that has it open, then run this again",
  );
}

function changeOf(before: string | undefined, after: string | undefined): Change {
  if (before === after) return before === undefined ? "absent" : "unchanged";
  if (after === undefined) return "removed";
  return before === undefined ? "added" : "updated";
}

/** Refuses to replace a read-only file, even where the folder's rights would allow it. */
async function assertWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined); // Not there yet.
  if (!found || found.mode & 0o200) return;
  throw new StartError(
    `\`${file}\` is read-only and was not changed`,
    `\`${commandForms().makingWritable(file)}\`, then run this again`,
  );
}

async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!code || error instanceof StartError) throw error;
    throw new StartError(
      `\`${file}\` cannot be written (${code})`,
      "give this account the right to write it and its folder",
      error,
    );
  }
}

async function remove(file: string): Promise<true> {
  await unlink(file);
  return true;
}

/** Returns false if another process changed the file meanwhile; its content then stays. */
async function replace(
  file: string,
  before: string | undefined,
  after: string,
  onFolders: EditOptions["onFolders"],
): Promise<boolean> {
  const folder = dirname(file);
  const made = makeFolder(folder);
  if (made.length > 0) onFolders?.(made);
  const part = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(part, "wx", 0o600);
    try {
      await handle.writeFile(after);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await textOf(file)) !== before) return false;
    await renameOver(part, file);
    return true;
  } finally {
    await rm(part, { force: true });
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new StartError(
      `\`${file}\` cannot be read (${code})`,
      "give this account the right to read and write it",
      error,
    );
  }
}

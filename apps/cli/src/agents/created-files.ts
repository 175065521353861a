import { existsSync, readFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { makeFolder } from "@chest/runtime/make-folder";
import { type Change, type Edit, editFile } from "./settings-files/edit-file.ts";
import { saysNothing } from "./settings-files/jsonc.ts";

/**
 * Edits of a setup. They record the files and folders that did not exist before, so that removing the setup removes those as
 * well.
 */
export interface ConfigurationOptions {
  readonly isDry: boolean;
  /** The folder that holds that list. */
  readonly dataDir: string;
}

/** Note on an emptied configuration that existed before us, or whose origin is unknown. */
const EMPTIED = "nothing is left in it";
/** Note on a configuration that was made for us. */
const GONE = "the file too, which setup had made";

/** Changes a file as `editFile` does, and writes down the folders that were made for it. */
export async function editOwn(path: string, edit: Edit, { isDry, dataDir }: ConfigurationOptions): Promise<Change> {
  const folders: string[] = [];
  const change = await editFile(path, edit, { isDry, onFolders: (made) => folders.push(...made) });
  if (folders.length > 0) await note(dataDir, (known) => [...known, ...folders]);
  return change;
}

/** Makes a folder, and writes down those that were made for it. */
export async function makeOwnFolder(folder: string, dataDir: string): Promise<void> {
  const made = makeFolder(folder);
  if (made.length > 0) await note(dataDir, (known) => [...known, ...made]);
}

/**
 * Changes an agent's configuration as `editFile` does. A file that did not exist before is recorded, and is removed
 * when nothing is left in it.
 */
export async function editConfiguration(path: string, edit: Edit, options: ConfigurationOptions): Promise<Change> {
  const { isDry, dataDir } = options;
  const file = resolve(path);
  const isMade = madeIn(dataDir).includes(file);
  // Recorded before the edit, so that `--remove` knows the file even if the setup is interrupted.
  const isNew = !isDry && !isMade && !existsSync(file) && edit(undefined) !== undefined;
  const remember = () => note(dataDir, (known) => [...known, file]);
  const forget = () => note(dataDir, (known) => known.filter((each) => each !== file));
  if (isNew) await remember();
  let change: Change;
  try {
    change = await editOwn(
      path,
      (text) => {
        const after = edit(text);
        return isMade && saysNothing(after) ? undefined : after;
      },
      options,
    );
  } catch (error) {
    if (isNew) await forget();
    throw error;
  }
  const isKnownAs = change === "added" || (isMade && change !== "removed" && change !== "absent");
  if (!isDry && isKnownAs !== (isMade || isNew)) await (isKnownAs ? remember() : forget());
  return change;
}

/** Note beside a step that removed something. */
export const noteOn = (change: Change, left: string | undefined): string | undefined =>
  change === "removed" ? GONE : saysNothing(left) ? EMPTIED : undefined;

/**
 * Takes away the folders that were made for ours, where nothing is in them by now.
 * @param isLast nothing of ours is left with any agent: the list goes as well.
 * @returns those that went.
 */
export async function removeEmptyFolders(dataDir: string, { isLast }: { readonly isLast: boolean }): Promise<string[]> {
  const made = madeIn(dataDir);
  const holdsList = (place: string) => fileIn(dataDir).startsWith(place + sep);
  const gone = await removeEmpty(made.filter((place) => !holdsList(place)));
  if (gone.length > 0 || isLast) {
    await note(dataDir, (known) => (isLast ? [] : known.filter((place) => !gone.includes(place))));
  }
  return isLast ? [...gone, ...(await removeEmpty(made.filter(holdsList)))] : gone;
}

/** Removes folders, the innermost first; a folder that is not empty stays. */
async function removeEmpty(places: readonly string[]): Promise<string[]> {
  const gone: string[] = [];
  for (const place of [...places].sort((a, b) => b.length - a.length)) {
    try {
      await rmdir(place);
      gone.push(place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      // A folder that cannot be removed is empty and does no harm.
      if (code === "ENOENT") gone.push(place);
    }
  }
  return gone;
}

const fileIn = (dataDir: string): string => resolve(dataDir, "made.json");

async function note(dataDir: string, change: (paths: readonly string[]) => readonly string[]): Promise<void> {
  const folders: string[] = [];
  const write = (added: readonly string[]) =>
    editFile(
      fileIn(dataDir),
      (text) => {
        const paths = [...new Set([...change(read(text)), ...added])];
        return paths.length === 0 ? undefined : `${JSON.stringify(paths, undefined, 2)}\n`;
      },
      { isDry: false, onFolders: (made) => folders.push(...made) },
    );
  await write([]);
  if (folders.length > 0) await write(folders);
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
    return []; // Not written by Chest: there is nothing to remove.
  }
}

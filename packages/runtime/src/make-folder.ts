import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

// Imports nothing else: hooks start with it.

/**
 * Makes a folder that only its owner can open, parents included; one that is there stays as it is. Each is tried once:
 * Node's own way tries for ever where the system denies that a parent is there, as it does below /proc.
 * @returns those that it made, from the outermost.
 */
export function makeFolder(folder: string): string[] {
  const whole = resolve(folder);
  const made: string[] = [];
  if (isFolder(whole)) return made;
  for (const missing of missingOf(whole)) {
    try {
      mkdirSync(missing, { mode: 0o700 });
      made.push(missing);
    } catch (error) {
      // Another program was quicker.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(missing)) throw error;
    }
  }
  return made;
}

/** A folder and its parents, from the first one that does not exist. */
function missingOf(folder: string): string[] {
  const missing = [folder];
  for (let above = dirname(folder); !isThere(above) && above !== dirname(above); above = dirname(above)) {
    missing.unshift(above);
  }
  return missing;
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

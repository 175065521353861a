import { readdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes the files of a folder that were not written to for so many milliseconds. Those that cannot be removed stay.
 */
export function removeOlderThan(folder: string, ms: number): void {
  const before = Date.now() - ms;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    try {
      if (statSync(file).mtimeMs < before) unlinkSync(file);
    } catch {
      // Another program was quicker, or it is not ours to remove.
    }
  }
}

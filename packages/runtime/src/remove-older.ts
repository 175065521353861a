import { readdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Takes the files out of a folder that nobody has written to for so many milliseconds. What cannot be removed stays. */
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

import { rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const TRIES = 10;
const PAUSE_MS = 50;
// Windows does not replace a file that an editor, an agent or a scanner has open: for moments, as a rule.
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Gives a file the name of another one, which is gone with that; on Windows, as soon as nothing reads it. */
export async function renameOver(
  from: string,
  to: string,
  { platform = process.platform, move = rename }: { platform?: NodeJS.Platform; move?: typeof rename } = {},
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await move(from, to);
    } catch (error) {
      const isBusy = platform === "win32" && BUSY.has((error as NodeJS.ErrnoException).code ?? "");
      if (!isBusy || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

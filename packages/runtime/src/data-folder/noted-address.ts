import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileIn = (dataDir: string): string => join(dataDir, "address");

/** Notes where the backend of a data folder listens, so that programs of this machine find it on any port. */
export function noteAddress(dataDir: string, url: string): void {
  try {
    writeFileSync(fileIn(dataDir), `${url}\n`, { mode: 0o600 });
  } catch {
    // A folder that is absent or full, as beside a database: programs then try the usual port.
  }
}

/** Removes the note, unless another backend has written its own there since. */
export function forgetAddress(dataDir: string, url: string): void {
  if (notedAddress(dataDir) === url) rmSync(fileIn(dataDir), { force: true });
}

/** The noted address; undefined where none is. A backend that was killed leaves its note behind. */
export function notedAddress(dataDir: string): string | undefined {
  try {
    const url = readFileSync(fileIn(dataDir), "utf8").trim();
    return URL.canParse(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

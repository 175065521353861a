import { existsSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/**
 * Keeps what V8 compiled for the next start, in a folder of the data folder that only this user can write. Node 20 has no
 * such cache. Imports hardly anything, since it must come before what it speeds up.
 * @param dataDir undefined: the usual one.
 */
export function keepCompiled(dataDir: string | undefined, { onlyIfThere = false } = {}): void {
  if (module.getCompileCacheDir?.()) return; // The environment has chosen one.
  const home = dataDir || join(homedir(), ".chest-memory");
  if (onlyIfThere && !existsSync(home)) return;
  try {
    const folder = join(home, "compiled");
    makeFolder(folder);
    module.enableCompileCache?.(folder);
  } catch {
    // Without a folder to write in, each start compiles anew: slower, and nothing else.
  }
}

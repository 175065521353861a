import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasProgram } from "../requirements.ts";

/** Mounting needs root; a separate namespace keeps the mount from the rest of the machine. */
export const canMount = hasProgram("mount");

export interface Disk {
  readonly path: string;
  makeReadOnly(): void;
  /** Uses up every free byte. */
  fill(): void;
  /** Frees the space that `fill` used. */
  free(): void;
  unmount(): void;
}

/** Mounts a separate small disk. */
export function mountDisk(megabytes: number): Disk {
  const path = mkdtempSync(join(tmpdir(), "chest-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path]);
  const filler = join(path, "filler");
  return {
    path,
    makeReadOnly: () => execFileSync("mount", ["-o", "remount,ro", path]),
    fill: () => fillWith(filler),
    free: () => rmSync(filler),
    unmount() {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}

function fillWith(file: string): void {
  const page = Buffer.alloc(4096);
  const handle = openSync(file, "a");
  try {
    for (;;) writeSync(handle, page);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(handle);
  }
}

import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasProgram } from "../requirements.ts";

/** Mounting wants root; inside a namespace of its own it leaves nothing behind. */
export const canMount = hasProgram("mount");

export interface Disk {
  readonly path: string;
  makeReadOnly(): void;
  /** Takes every free byte. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
  unmount(): void;
}

/** A small disk of its own. */
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

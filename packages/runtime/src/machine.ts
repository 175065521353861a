import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** A random id of this machine, kept in the data folder. Undefined where that cannot be written: it is for the record only. */
export function readMachineId(dataDir: string): string | undefined {
  const file = join(dataDir, "machine-id");
  try {
    makeFolder(dataDir);
    writeFileSync(file, randomUUID(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return undefined;
  }
  const id = readFileSync(file, "utf8").trim();
  return /^[\w-]{8,64}$/.test(id) ? id : undefined;
}

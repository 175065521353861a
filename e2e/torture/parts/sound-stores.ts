import { statSync } from "node:fs";
import { join } from "node:path";
import { type Acknowledged, operate, storeAll } from "../common.ts";
import type { Rig } from "../part.ts";

export const SMALL = 150;
const TEXT = 2500;
const LONG_TEXT = 7000;

/** Store without a fault, and the memories in it. */
export interface IntactStore {
  readonly dir: string;
  readonly kept: Acknowledged;
}

/** Makes a cleanly closed store, and a backup of it. */
export async function makeStore(rig: Rig, bytes = 0): Promise<IntactStore> {
  const dir = rig.folder();
  const backend = await rig.start({ dataDir: dir, env: { CHEST_SQLITE_SYNCHRONOUS: "NORMAL" } });
  const kept: Acknowledged = new Map();
  const length = bytes === 0 ? TEXT : LONG_TEXT;
  do for (const [id, content] of await storeAll(backend, textsOf(SMALL, length), 32)) kept.set(id, content);
  while (sizeOf(dir) < bytes);
  await backend.stop();
  const { exitCode, stderr } = await operate(rig, dir, "backup");
  if (exitCode !== 0) throw new Error(`no backup could be made: ${stderr}`);
  return { dir, kept };
}

const sizeOf = (dir: string) => statSync(join(dir, "chest.db")).size;

/** Makes a store whose backend was killed, with the last writes in the log. */
export async function makeKilledStore(rig: Rig): Promise<IntactStore> {
  const { dir, kept } = await makeStore(rig);
  const backend = await rig.start({ dataDir: dir });
  for (const [id, content] of await storeAll(backend, textsOf(SMALL))) kept.set(id, content);
  await backend.kill9();
  if (statSync(join(dir, "chest.db-wal")).size === 0) throw new Error("a killed backend left no log");
  return { dir, kept };
}

let written = 0;
function textsOf(count: number, length = TEXT): string[] {
  return Array.from({ length: count }, () => `entry ${++written} of the log book ${"and so on, ".repeat(length / 11)}`);
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { Backend } from "../../support/backend.ts";
import { NODE_24, startProgram } from "../../support/process.ts";
import { findFaults, withStoreFile } from "../../support/store-file.ts";
import {
  type Acknowledged,
  aFact,
  countLost,
  digestOf,
  indexOf,
  operate,
  operatorOf,
  patientDoor,
  storeAll,
} from "../common.ts";
import type { Rig } from "../part.ts";

export const AFTER = 40;

export interface Drill {
  readonly rig: Rig;
  readonly dir: string;
  readonly faults: string[];
}

let written = 0;
export const textsOf = (count: number) =>
  Array.from({ length: count }, () => `drill ${++written} was held on a quiet day ${"with all hands, ".repeat(60)}`);

/** Requests a backup while eight clients write, and checks its content. */
export async function backUpUnderLoad({ rig, dir, faults }: Drill, backend: Backend): Promise<string> {
  const before = withStoreFile(join(dir, "chest.db"), countOf);
  let isMade = false;
  const meanwhile = (async () => {
    while (!isMade) await storeAll(backend, textsOf(16));
  })();
  const { exitCode, stdout, stderr } = await operate(rig, dir, "backup", "--json");
  isMade = true;
  await meanwhile;
  if (exitCode !== 0) throw new Error(`no backup under load: ${stderr}`);
  const { file } = JSON.parse(stdout) as { file: string };
  const inIt = withStoreFile(file, countOf);
  if (inIt < before)
    faults.push(`a backup has ${inIt} memories, and ${before} were acknowledged before it was asked for`);
  faults.push(...findFaults(file).map((fault) => `a backup made under load: ${fault}`));
  return file;
}

/** Counts without opening the store for writing, since closing it would merge the log into the file. */
function countIn(store: string): number {
  const db = new Database(store, { readonly: true });
  try {
    return countOf(db);
  } finally {
    db.close();
  }
}

const countOf = (db: Parameters<Parameters<typeof withStoreFile>[1]>[0]) =>
  Number(db.prepare("SELECT count(*) FROM memories").pluck().get());

/** @returns how many restores were refused. */
export async function overARunningBackend(
  { rig, dir, faults }: Drill,
  backend: Backend,
  file: string,
): Promise<number> {
  const before = await patientDoor(backend).call("chest_list_entities", {});
  const { exitCode } = await operate(rig, dir, "restore", file, "--yes");
  const after = await patientDoor(backend).call("chest_list_entities", {});
  const { error } = await patientDoor(backend).call("chest_remember", aFact("is this still taken"));
  if (exitCode !== 2) faults.push(`a restore over a running backend ends with ${exitCode}`);
  if (JSON.stringify(before.result) !== JSON.stringify(after.result))
    faults.push("a restore over a running backend changed it");
  if (error) faults.push(`after a restore over a running backend, it refuses a write: ${error.code}`);
  return 1;
}

/** @returns how many restores were refused. */
export async function fromASpoiltFile({ rig, dir, faults }: Drill, file: string): Promise<number> {
  const store = join(dir, "chest.db");
  const [spoilt, before] = [join(rig.folder(), "spoilt.db"), digestOf(store)];
  const bytes = readFileSync(file);
  // Overwrites a page in the middle, which contradicts Chest's checksum and SQLite's structure.
  bytes.fill(0x5a, 4096 * 8, 4096 * 9);
  writeFileSync(spoilt, bytes);
  const { exitCode } = await operate(rig, dir, "restore", spoilt, "--yes");
  if (exitCode !== 2) faults.push(`a restore from a spoilt file ends with ${exitCode}`);
  if (digestOf(store) !== before) faults.push("a restore from a spoilt file changed the store");
  return 1;
}

/** Measures a restore on this machine, and undoes it. */
export async function timed({ rig, dir }: Drill, file: string): Promise<number> {
  const startedAt = performance.now();
  const { stdout } = await operate(rig, dir, "restore", file, "--yes", "--json");
  const tookMs = performance.now() - startedAt;
  const { kept_old } = JSON.parse(stdout) as { kept_old: string };
  await operate(rig, dir, "restore", kept_old, "--yes");
  return tookMs;
}

interface RestoreSets {
  /** Memories in the backup and in the store. */
  readonly kept: Acknowledged;
  /** Memories in the store only. */
  readonly later: Acknowledged;
  readonly tookMs: number;
}

/** Kills a restore half-way, and checks which of the two stores is in place. */
export async function killedHalfWay({ rig, dir, faults }: Drill, file: string, { kept, later, tookMs }: RestoreSets) {
  const program = startProgram(NODE_24, [indexOf(rig), "restore", file, "--yes"], operatorOf(rig, dir));
  // The first half of the time is spent on loading the program.
  await sleep((0.5 + 0.5 * rig.random()) * tookMs);
  await program.end("SIGKILL");
  const store = join(dir, "chest.db");
  if (!existsSync(store)) return void faults.push("a restore killed half-way leaves no store");
  const backend = await rig.start({ dataDir: dir }).catch(() => undefined);
  if (!backend) return void faults.push("a restore killed half-way leaves a store that does not open");
  const [lostOld, lostNew] = [
    await countLost(patientDoor(backend), later),
    await countLost(patientDoor(backend), kept),
  ];
  await backend.stop();
  faults.push(...findFaults(store).map((fault) => `after a restore killed half-way: ${fault}`));
  if (lostNew > 0) faults.push(`a restore killed half-way leaves a store that lacks ${lostNew} memories of both`);
  if (lostOld > 0 && lostOld < later.size)
    faults.push("a restore killed half-way leaves neither store, but some of each");
  return lostOld === 0 ? ("old" as const) : ("new" as const);
}

/** Copies the store with its last writes still in the log. */
export async function leftByAPowerCut({ rig, dir }: Drill): Promise<void> {
  const backend = await rig.start({ dataDir: dir });
  await storeAll(backend, textsOf(AFTER));
  await backend.kill9();
}

/** Restores the backup, and checks that all its memories are there. */
export async function inOrder({ rig, dir, faults }: Drill, file: string, kept: Acknowledged): Promise<void> {
  const store = join(dir, "chest.db");
  const replacedBefore = replacedIn(dir).length;
  const rows = countIn(store);
  const { exitCode, stdout, stderr } = await operate(rig, dir, "restore", file, "--yes", "--json");
  if (exitCode !== 0) return void faults.push(`a restore fails: ${stderr}`);
  const { kept_old, rows_after } = JSON.parse(stdout) as { kept_old: string; rows_after: number };
  if (replacedIn(dir).length !== replacedBefore + 1) faults.push("a restore does not keep the file that it replaces");
  else if (withStoreFile(kept_old, countOf) !== rows)
    faults.push("the file that a restore keeps is not the one it replaced");
  if (withStoreFile(store, countOf) !== rows_after) faults.push("a restore miscounts");
  faults.push(...findFaults(store).map((fault) => `after a restore: ${fault}`));
  const backend = await rig.start({ dataDir: dir }).catch(() => undefined);
  if (!backend) return void faults.push("after a restore: the store does not open");
  const lost = await countLost(patientDoor(backend), kept);
  if (lost > 0) faults.push(`a restore lost ${lost} memories of the backup`);
  const [[id, content] = [0, ""]] = kept;
  const { result } = await patientDoor(backend).call("chest_recall", { query: content.slice(0, 20), limit: 50 });
  if (!((result?.memories ?? []) as { id: number }[]).some((found) => found.id === id))
    faults.push("after a restore, words find nothing");
  await backend.stop();
}

const replacedIn = (dir: string) => readdirSync(dir).filter((name) => /\.replaced-[^/]*Z$/.test(name));

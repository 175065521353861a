import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Backend } from "../support/backend.ts";
import { type Ended, runProgram } from "../support/clients/cli.ts";
import { type Address, type Door, restDoor, type Told } from "../support/clients/doors.ts";
import { inParallel } from "../support/in-parallel.ts";
import { CHEST_INDEX, cleanEnv, ROOT } from "../support/process.ts";
import type { Edit, Rig } from "./part.ts";

/** Acknowledged contents by id. */
export type Kept = Map<number, string>;

export const aFact = (content: string) => ({
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content,
  // Contents of one pattern are all but the same, and each is to be there.
  force: true,
});

const TRIES = 30;

/** Calls as a client that retries when it is told to; for parts that do not test being put off on a busy machine. */
export function patientDoor(address: Address, headers: Record<string, string> = {}): Door {
  const door = restDoor(address, headers);
  return {
    async call(tool, input) {
      for (let tries = 1; ; tries++) {
        const told = await door.call(tool, input);
        if (told.error?.code !== "UNAVAILABLE" || tries === TRIES) return told;
        await sleep(Number(told.error.details?.retry_after_ms ?? 1000));
      }
    },
  };
}

/** Stores them, several at a time, and gives what was acknowledged. Throws where that is nothing. */
export async function storeAll(backend: Backend, contents: readonly string[], width = 8): Promise<Kept> {
  const kept: Kept = new Map();
  const door = patientDoor(backend);
  await inParallel(contents, width, async (content) => {
    const { result } = await door.call("chest_remember", aFact(content));
    if (result) kept.set(result.memory_id as number, content);
  });
  if (kept.size === 0) throw new Error(`none of ${contents.length} memories was taken`);
  return kept;
}

/** How many acknowledged memories are not there, or not as they were sent. */
export async function countLost(door: Door, kept: Kept): Promise<number> {
  const ids = [...kept.keys()];
  const pages = Array.from({ length: Math.ceil(ids.length / 100) }, (_, page) =>
    ids.slice(page * 100, (page + 1) * 100),
  );
  const lost = await inParallel(pages, 4, async (page) => {
    const told = await door.call("chest_recall", { ids: page, mark_accessed: false });
    const found = contentsIn(told);
    return page.filter((id) => found.get(id) !== kept.get(id)).length;
  });
  return lost.reduce((sum, each) => sum + each, 0);
}

const contentsIn = ({ result }: Told): Kept =>
  new Map(((result?.memories ?? []) as { id: number; content: string }[]).map(({ id, content }) => [id, content]));

/** The files of a store, log included; absent ones are left out. */
export function copyStoreFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of ["chest.db", "chest.db-wal"])
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

/** An empty file counts as none: a reader of a store leaves an empty log beside it. */
export function digestOf(file: string): string {
  const bytes = existsSync(file) ? readFileSync(file) : "";
  return bytes.length === 0 ? "absent" : createHash("sha256").update(bytes).digest("hex");
}

/** Fault of lost memories; none for zero. */
export const lostIn = (count: number): string[] =>
  count === 0 ? [] : [`${count} acknowledged writes are not there, or not as they were sent`];

/** Source lines of a commit and of the answer before it: guards that remove the wait for it use them. */
export const COMMIT = {
  file: "packages/store-sqlite/src/database/write-queue.ts",
  find: `this.#connection.run("COMMIT");\n      this.commits`,
} as const;
/** Every statement a transaction of its own, and a pause in which a power cut tears what belongs together. */
const TEXTS = "for (const { deferred } of outcomes)";
export const ONE_TRANSACTION: readonly Edit[] = [
  { file: COMMIT.file, find: `this.#connection.run("BEGIN IMMEDIATE");`, put: "" },
  { file: COMMIT.file, find: TEXTS, put: `await new Promise((go) => setTimeout(go, 20));\n${TEXTS}` },
  { ...COMMIT, put: "this.commits" },
  { file: COMMIT.file, find: `if (db.inTransaction) this.#connection.run("ROLLBACK");`, put: "" },
];
export const ANSWER_EARLY = `for (const o of outcomes) if (!("error" in o)) o.job.resolve(o.value);`;

/** The program of `chest-index`: its sources where a guard is taken out of them. */
export const indexOf = ({ env }: Rig): string =>
  Object.keys(env).length === 0 ? CHEST_INDEX : join(ROOT, "apps/cli/src/main.ts");

/** Runs `chest-index` to its end on the store of this folder. */
export const operate = (rig: Rig, dataDir: string, ...words: readonly string[]): Promise<Ended> =>
  runProgram([indexOf(rig), ...words], operatorOf(rig, dataDir));

/** The environment of `chest-index` for a store of this folder. */
export const operatorOf = ({ env }: Rig, dataDir: string): NodeJS.ProcessEnv =>
  cleanEnv({ ...env, CHEST_DATA_DIR: dataDir, CHEST_MODE: "local" });

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Backend } from "../support/backend.ts";
import { type ProgramResult, runProgram } from "../support/clients/cli.ts";
import { type Address, type Door, restDoor, type ToolReply } from "../support/clients/doors.ts";
import { inParallel } from "../support/in-parallel.ts";
import { CHEST_INDEX, cleanEnv, ROOT } from "../support/process.ts";
import type { Edit, Rig } from "./part.ts";

/** Acknowledged contents by id. */
export type Acknowledged = Map<number, string>;

export const aFact = (content: string) => ({
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content,
  // Generated contents are nearly equal, and each must be stored.
  force: true,
});

const TRIES = 30;

/** Opens a client that retries when asked to, for parts that do not test refusals on a busy machine. */
export function patientDoor(address: Address, headers: Record<string, string> = {}): Door {
  const door = restDoor(address, headers);
  return {
    async call(tool, input) {
      for (let tries = 1; ; tries++) {
        const reply = await door.call(tool, input);
        if (reply.error?.code !== "UNAVAILABLE" || tries === TRIES) return reply;
        await sleep(Number(reply.error.details?.retry_after_ms ?? 1000));
      }
    },
  };
}

/** Stores contents, several at a time. @returns the acknowledged ones. @throws when none was acknowledged. */
export async function storeAll(backend: Backend, contents: readonly string[], width = 8): Promise<Acknowledged> {
  const kept: Acknowledged = new Map();
  const door = patientDoor(backend);
  await inParallel(contents, width, async (content) => {
    const { result } = await door.call("chest_remember", aFact(content));
    if (result) kept.set(result.memory_id as number, content);
  });
  if (kept.size === 0) throw new Error(`none of ${contents.length} memories was taken`);
  return kept;
}

/** Counts acknowledged memories that are missing or altered. */
export async function countLost(door: Door, kept: Acknowledged): Promise<number> {
  const ids = [...kept.keys()];
  const pages = Array.from({ length: Math.ceil(ids.length / 100) }, (_, page) =>
    ids.slice(page * 100, (page + 1) * 100),
  );
  const lost = await inParallel(pages, 4, async (page) => {
    const reply = await door.call("chest_recall", { ids: page, mark_accessed: false });
    const found = contentsIn(reply);
    return page.filter((id) => found.get(id) !== kept.get(id)).length;
  });
  return lost.reduce((sum, each) => sum + each, 0);
}

const contentsIn = ({ result }: ToolReply): Acknowledged =>
  new Map(((result?.memories ?? []) as { id: number; content: string }[]).map(({ id, content }) => [id, content]));

/** Copies the files of a store with its log; absent files are left out. */
export function copyStoreFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of ["chest.db", "chest.db-wal"])
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

/** Hashes a file. An empty file counts as absent, because a reader of a store leaves an empty log beside it. */
export function digestOf(file: string): string {
  const bytes = existsSync(file) ? readFileSync(file) : "";
  return bytes.length === 0 ? "absent" : createHash("sha256").update(bytes).digest("hex");
}

/** Describes lost memories as a fault; empty for zero. */
export const lostIn = (count: number): string[] =>
  count === 0 ? [] : [`${count} acknowledged writes are not there, or not as they were sent`];

/** Source text of a commit that comes before the answer; guards are removed by answering before it. */
export const COMMIT = {
  file: "packages/store-sqlite/src/database/write-queue.ts",
  find: `this.#connection.run("COMMIT");\n      this.commits`,
} as const;
/**
 * Edits that split one transaction into one per statement, with a pause in which a power cut separates related rows.
 */
const TEXTS = "for (const { deferred } of outcomes)";
export const ONE_TRANSACTION: readonly Edit[] = [
  { file: COMMIT.file, find: `this.#connection.run("BEGIN IMMEDIATE");`, put: "" },
  { file: COMMIT.file, find: TEXTS, put: `await new Promise((go) => setTimeout(go, 20));\n${TEXTS}` },
  { ...COMMIT, put: "this.commits" },
  { file: COMMIT.file, find: `if (db.inTransaction) this.#connection.run("ROLLBACK");`, put: "" },
];
export const ANSWER_EARLY = `for (const o of outcomes) if (!("error" in o)) o.job.resolve(o.value);`;

/** Program of `chest-index`; runs from its sources when a guard is removed from them. */
export const indexOf = ({ env }: Rig): string =>
  Object.keys(env).length === 0 ? CHEST_INDEX : join(ROOT, "apps/cli/src/main.ts");

/** Runs `chest-index` to its end on the store of this folder. */
export const operate = (rig: Rig, dataDir: string, ...words: readonly string[]): Promise<ProgramResult> =>
  runProgram([indexOf(rig), ...words], operatorOf(rig, dataDir));

/** Environment of `chest-index` for a store of this folder. */
export const operatorOf = ({ env }: Rig, dataDir: string): NodeJS.ProcessEnv =>
  cleanEnv({ ...env, CHEST_DATA_DIR: dataDir, CHEST_MODE: "local" });

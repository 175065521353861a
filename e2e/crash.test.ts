import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "./support/backend.ts";
import { ask, type Door, restDoor } from "./support/doors.ts";
import { inParallel } from "./support/in-parallel.ts";
import { seeded } from "./support/random.ts";
import { report } from "./support/report.ts";
import { findFaults, withStoreFile } from "./support/store-file.ts";

const ROUNDS = Number(process.env.CHEST_CRASH_ROUNDS ?? 20);
const WRITERS = 8;
const LIFE_MS = { least: 50, most: 500 };

interface Write {
  readonly key: string;
  readonly content: string;
  /** Undefined: the backend died before it said. */
  id?: number;
}

describe(`a backend killed ${ROUNDS} times under eight writers`, () => {
  let dir: string;
  let backend: Backend;
  const writes: Write[] = [];

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "chest-crash-"));
  });
  afterAll(async () => {
    await backend?.kill9();
    rmSync(dir, { recursive: true });
  });

  it("keeps every write that it acknowledged, and none by half", async () => {
    const random = seeded(Date.now());
    let torn = 0;
    for (let round = 0; round < ROUNDS; round++) {
      backend = await startBackend({ dataDir: dir, env: WITHOUT_LIMITS });
      const begun = writeUntilDeath(backend, round);
      await sleep(LIFE_MS.least + random() * (LIFE_MS.most - LIFE_MS.least));
      await backend.kill9();
      const written = await begun;
      writes.push(...written);
      torn += written.filter(({ id }) => id === undefined).length;
      expect(faultsOfCopy(dir), `after round ${round}`).toEqual([]);
    }
    report("killed with -9", { rounds: ROUNDS, acknowledged: writes.length - torn, unanswered: torn });
    expect(torn).toBeGreaterThan(ROUNDS);

    backend = await startBackend({ dataDir: dir, env: WITHOUT_LIMITS });
    expect(await notAsAcknowledged(restDoor(backend), writes)).toEqual([]);
  }, 600_000);

  it("stores a repeated write exactly once, whether it was answered or not", async () => {
    const answered = writes.filter(({ id }) => id !== undefined).slice(-200);
    const unanswered = writes.filter(({ id }) => id === undefined);
    let arrived = 0;
    for (const write of [...answered, ...unanswered, ...unanswered]) {
      const told = await remember(backend, write);
      const isReplay = told.headers?.get("idempotency-replayed") === "true";
      if (write.id === undefined && isReplay) arrived++;
      if (write.id !== undefined)
        expect({ id: told.result?.memory_id, isReplay }).toEqual({ id: write.id, isReplay: true });
      write.id = told.result?.memory_id as number;
    }
    report("unanswered writes", { repeated: unanswered.length, "were stored all the same": arrived });
    expect(await notAsAcknowledged(restDoor(backend), writes)).toEqual([]);
    const { entities } = await ask(restDoor(backend), "chest_list_entities", {});
    expect(entities).toMatchObject([{ memory_count: writes.length }]);

    await backend.stop();
    expect(findFaults(join(dir, "chest.db"))).toEqual([]);
    const kept = withStoreFile(join(dir, "chest.db"), (db) =>
      db.prepare("SELECT count(*) FROM idempotency").pluck().get(),
    );
    expect(kept).toBe(writes.length);
  }, 120_000);
});

const WITHOUT_LIMITS = { CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0", CHEST_LOG_LEVEL: "error" };

const remember = (address: Backend, { key, content }: Write) =>
  restDoor(address, { "idempotency-key": key }).call("chest_remember", {
    entity_name: "acme-api",
    entity_kind: "project",
    layer: "learning",
    content,
  });

/** Eight writers, each one write after another, until the connection breaks. */
async function writeUntilDeath(backend: Backend, round: number): Promise<Write[]> {
  const written: Write[] = [];
  const writer = async (name: number) => {
    for (let at = 0; ; at++) {
      const write: Write = { key: randomUUID(), content: `in round ${round} writer ${name} noted its number ${at}` };
      written.push(write);
      try {
        const { result } = await remember(backend, write);
        write.id = result?.memory_id as number;
      } catch {
        return; // Killed: whether this one is stored, nobody knows.
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)));
  return written;
}

/** What the store looks like to whoever opens it next; on a copy, so that the backend meets it as it was left. */
function faultsOfCopy(dir: string): string[] {
  const copy = mkdtempSync(join(tmpdir(), "chest-crash-copy-"));
  try {
    for (const name of ["chest.db", "chest.db-wal"]) {
      if (existsSync(join(dir, name))) copyFileSync(join(dir, name), join(copy, name));
    }
    return findFaults(join(copy, "chest.db"));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The acknowledged writes that are not there, or not with their content. */
async function notAsAcknowledged(door: Door, writes: readonly Write[]): Promise<Write[]> {
  const acknowledged = writes.filter(({ id }) => id !== undefined);
  const pages = Array.from({ length: Math.ceil(acknowledged.length / 200) }, (_, page) =>
    acknowledged.slice(page * 200, (page + 1) * 200),
  );
  const wrong = await inParallel(pages, 4, async (page) => {
    const { memories } = await ask(door, "chest_recall", { ids: page.map(({ id }) => id), mark_accessed: false });
    const contents = new Map((memories as { id: number; content: string }[]).map(({ id, content }) => [id, content]));
    return page.filter(({ id, content }) => contents.get(id ?? 0) !== content);
  });
  return wrong.flat();
}

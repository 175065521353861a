import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import type { Engine } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { TOOLS } from "@chest/core/tools";
import { hasPostgres, openFresh, startPostgres } from "@chest/store-postgres/testing";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, aCaller, TINY_IDENTITY, testPorts } from "@chest/testing";
import { afterAll, describe, expect, it } from "vitest";

/** Stores per run. For more, run `CHEST_PARITY_STORES=300 npm run e2e -- engines-parity`. */
const STORES = Number(process.env.CHEST_PARITY_STORES ?? 6);
const ROWS = 60;
const QUESTIONS = 20;
const WORDS =
  "otter quorum harbour replica ledger walrus tide beacon anchor copies compares guards merges forgets 東京 栗鼠 巣穴 error E1234 v2.1".split(
    " ",
  );

/** Seeded random numbers, so that a failure can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.skipIf(!hasPostgres())("the order of an answer", () => {
  const server = hasPostgres() ? startPostgres() : undefined;
  const folder = mkdtempSync(join(tmpdir(), "chest-parity-"));
  afterAll(async () => {
    await (await server)?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function answersOf(engine: Engine, ports: ReturnType<typeof testPorts>, seed: number) {
    const next = random(seed);
    const some = (from: readonly string[]) => from[Math.floor(next() * from.length)] as string;
    const text = (most: number) => Array.from({ length: 1 + Math.floor(next() * most) }, () => some(WORDS)).join(" ");
    const executor = localExecutor(TOOLS, engine, ports);
    const callers = ["s-1", "s-2"].map((session, nth): Caller => {
      const client = { name: "t", version: "1", session };
      return aCaller({ member: { id: 20 + nth, name: `member ${nth}` }, project: "host/org/apple", client });
    });
    for (let row = 0; row < ROWS; row++) {
      const caller = callers[Math.floor(next() * 2)] as Caller;
      const visibility = some(["private", "project", "team"]);
      const fact = {
        entity_name: some(["acme", "harbour", "ledger"]),
        entity_kind: "project",
        layer: "learning",
        visibility,
      };
      const { memory_id } = (await executor.execute(
        "chest_remember",
        { ...fact, content: `${text(25)} ${row}`, tags: next() < 0.3 ? ["tally"] : [] },
        aCall({ caller }),
      )) as { memory_id: number };
      if (next() < 0.1) await executor.execute("chest_forget", { memory_id }, aCall({ caller }));
      ports.clock.advance(60_000);
    }
    const answers: unknown[] = [];
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const where = { reach: "everywhere", withArchived: next() < 0.3, withSuperseded: false } as const;
      const store = engine.as(aCall({ caller: callers[asked % 2] as Caller }));
      const question = asked % 5 === 0 ? `${text(3)} qourum` : text(6);
      const hits = (await store.search.matchWords(readQuery(question), where, 50)) ?? [];
      answers.push([
        question,
        hits.map(({ id, score, coverage, lent, isWhole }) => [id, score, coverage, lent, isWhole]),
      ]);
    }
    return answers;
  }

  // Every second store ranks by the rarer words first, as large stores do.
  const stores = Array.from({ length: STORES }, (_, seed) => ({ seed, rankedRows: seed % 2 === 0 ? undefined : 30 }));
  it.each(stores)(
    "is the same as in SQLite, to the last digit of each score: store $seed",
    async ({ seed, rankedRows }) => {
      const over = async (open: (options: { clock: ReturnType<typeof testPorts>["clock"] }) => Promise<Engine>) => {
        const ports = testPorts();
        const engine = await open(ports);
        try {
          return await answersOf(engine, ports, seed);
        } finally {
          await engine.close();
        }
      };
      const path = join(folder, `${seed}.db`);
      const inFile = await over(({ clock }) =>
        openSqliteEngine({
          path,
          clock,
          active: TINY_IDENTITY,
          synchronous: "NORMAL",
          rankedRows,
          searchTimeoutMs: 60_000,
        }),
      );
      const started = await server;
      if (!started) throw new Error("there is no PostgreSQL here");
      expect(await over(({ clock }) => openFresh(started, { clock, active: TINY_IDENTITY, rankedRows }))).toEqual(
        inFile,
      );
    },
    120_000,
  );
});

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { SHARED, UNSTATED_CLIENT } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { DEFAULT_MAINTENANCE, runJournalled } from "@chest/core/lifecycle";
import { localExecutor } from "@chest/core/pipeline";
import { type Engine, noEmbedder, PASSES } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import Database from "better-sqlite3";
import { seeded } from "../support/random.ts";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atMost, type Figure } from "./figures.ts";
import { openSqliteEngine } from "./libraries.ts";
import { percentile } from "./rounds.ts";
import { endless, readSections } from "./texts.ts";

const VECTORS = 5000;
const DIMENSIONS = 1024;
const OPENED = 20_000;
const OPENINGS = 10;
const CPU_LIMIT_MS = 5000;
const LOOP_LIMIT_MS = 50;
const WRITERS = 4;
const ALONE_MS = 3000;
const SETTINGS = { ...DEFAULT_MAINTENANCE, consolidate: "all" } as const;

/** Measures maintenance, and its effect on concurrent requests. */
export const maintenance: Bench = async ({ rows, workDir }) => {
  const [first, second] = [join(workDir, "cost", "chest.db"), join(workDir, "beside", "chest.db")];
  for (const path of [first, second]) {
    await mkdir(join(path, ".."));
    await copyFile(await bigStore(rows), path);
    grow(path);
  }
  return [...(await costs(first, rows)), ...(await beside(second))];
};

/** Measures the processor time of each pass over all threads, in a first and a second run. */
async function costs(path: string, rows: number): Promise<Figure[]> {
  const engine = await openSqliteEngine({ path, writePatienceMs: Number.POSITIVE_INFINITY });
  try {
    const figures: Figure[] = [];
    for (const [when, limit] of [["the first time", CPU_LIMIT_MS] as const, ["and again", CPU_LIMIT_MS] as const]) {
      let total = 0;
      for (const pass of PASSES) {
        const { cpuMs, changed, scanned } = await cost(engine, pass);
        total += cpuMs;
        figures.push({ name: `  ${pass}: ${changed} of ${scanned}`, value: cpuMs, unit: "ms" });
      }
      const goal = atMost(limit, total, `${limit} ms CPU`);
      figures.splice(figures.length - PASSES.length, 0, {
        name: `maintenance of ${rows} memories, ${when}`,
        value: total,
        unit: "ms",
        goal,
      });
    }
    return figures;
  } finally {
    await engine.close();
  }
}

async function cost(engine: Engine, pass: (typeof PASSES)[number]) {
  const before = process.cpuUsage();
  const { signal } = new AbortController();
  const { reports } = await runJournalled(engine.lifecycle, [pass], SETTINGS, { trigger: "operator", signal });
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, changed: reports[0]?.changed ?? 0, scanned: reports[0]?.scanned ?? 0 };
}

/** Measures writers alone and beside a run of every pass, and the delays of the event loop. */
async function beside(path: string): Promise<Figure[]> {
  const engine = await openSqliteEngine({ path, writePatienceMs: Number.POSITIVE_INFINITY });
  const clock = { now: () => new Date() };
  const ports = { clock, embedders: () => noEmbedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  const executor = localExecutor(TOOLS, engine, ports);
  const section = endless(readSections());
  const remember = async () => {
    const { about, text } = section();
    const fact = { entity_name: about, entity_kind: "project", layer: "learning", content: text, force: true };
    await executor.execute("chest_remember", fact, CALL);
  };
  const writing = async (isOver: () => boolean) => {
    const tookMs: number[] = [];
    const write = async () => {
      while (!isOver()) {
        const startedAt = performance.now();
        await remember();
        tookMs.push(performance.now() - startedAt);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: WRITERS }, write));
    return { tookMs, perSecond: (1000 * tookMs.length) / (performance.now() - startedAt) };
  };
  try {
    // SQLite checks a file that another program wrote before it writes to it.
    await remember();
    const until = performance.now() + ALONE_MS;
    const alone = await writing(() => performance.now() > until);
    let isDone = false;
    const turns = watchTurns();
    const { signal } = new AbortController();
    const startedAt = performance.now();
    const running = runJournalled(engine.lifecycle, PASSES, SETTINGS, { trigger: "operator", signal }).finally(() => {
      isDone = true;
    });
    const meanwhile = await writing(() => isDone);
    await running;
    const { longestCpuMs, longestMs } = turns.stop();
    const rate = (name: string, { perSecond, tookMs }: typeof alone): Figure => ({
      name,
      value: perSecond,
      unit: "/s",
      p50Ms: percentile(tookMs, 50),
      p95Ms: percentile(tookMs, 95),
    });
    return [
      {
        name: "  longest turn of the event loop, its CPU",
        value: longestCpuMs,
        unit: "ms",
        goal: atMost(LOOP_LIMIT_MS, longestCpuMs, `${LOOP_LIMIT_MS} ms`),
      },
      { name: "  longest turn of the event loop, by the clock", value: longestMs, unit: "ms" },
      { name: "  a run beside writers takes", value: performance.now() - startedAt, unit: "ms" },
      {
        ...rate(`writes beside it, ${WRITERS} at once`, meanwhile),
        floor: alone.perSecond,
        ratio: meanwhile.perSecond / alone.perSecond,
      },
      rate("  floor: the same, alone", alone),
    ];
  } finally {
    await engine.close();
  }
}

/** Measures each turn of this thread's event loop, by the clock and in processor time. */
function watchTurns() {
  let [longestCpuMs, longestMs, isOver] = [0, 0, false];
  let [cpu, at] = [process.threadCpuUsage(), performance.now()];
  const turn = () => {
    const used = process.threadCpuUsage(cpu);
    longestCpuMs = Math.max(longestCpuMs, (used.user + used.system) / 1000);
    longestMs = Math.max(longestMs, performance.now() - at);
    [cpu, at] = [process.threadCpuUsage(), performance.now()];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    stop() {
      isOver = true;
      return { longestCpuMs, longestMs };
    },
  };
}

/** Adds the other data of a store of that age: accesses, vectors, and a few rows due for maintenance. */
function grow(path: string): void {
  const db = new Database(path);
  const random = seeded(3);
  const nowS = Math.floor(Date.now() / 1000);
  db.pragma("foreign_keys = ON");
  db.exec("BEGIN");
  // With maintenance every ten minutes, few memories expire at a time.
  db.prepare("UPDATE memories SET expires_at = ? WHERE expires_at IS NOT NULL AND id % 1000 <> 0").run(nowS + 9e6);
  const opened = db.prepare("INSERT INTO memory_access_log (memory_id, accessed_at) VALUES (?, ?)");
  const counted = db.prepare("UPDATE memories SET access_count = ?, last_accessed_at = ? WHERE id = ?");
  const ids = db.prepare("SELECT id FROM memories ORDER BY id").pluck().all() as number[];
  for (let i = 0; i < OPENED; i++) {
    const id = ids[Math.floor(random() * ids.length)];
    const at = Array.from({ length: OPENINGS }, () => nowS - Math.floor(random() * 80 * 86_400)).sort();
    for (const each of at) opened.run(id, each);
    counted.run(OPENINGS, at.at(-1), id);
  }
  const [model, revision, dimensions, pooling] = JSON.parse(
    String(db.prepare("SELECT value FROM meta WHERE key = 'active_identity'").pluck().get()),
  );
  const identity = db
    .prepare("INSERT INTO embedding_identities (model, revision, dimensions, pooling) VALUES (?, ?, ?, ?) RETURNING id")
    .pluck()
    .get(model, revision, dimensions, pooling);
  const vector = db.prepare(
    "INSERT INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at) SELECT id, ?, ?, content_hash, 'bench', 1, ? FROM memories WHERE id = ?",
  );
  for (const id of ids.slice(0, VECTORS)) {
    const values = Float32Array.from({ length: DIMENSIONS }, () => (random() - 0.5) / Math.sqrt(DIMENSIONS / 12));
    vector.run(identity, Buffer.from(values.buffer), nowS, id);
  }
  db.exec("COMMIT");
  db.close();
}

const CALL: Call = {
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project: "bench/project-1", client: UNSTATED_CLIENT },
  requestId: "bench",
  signal: new AbortController().signal,
};

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Backend } from "../../support/backend.ts";
import { connectHttpClient, mcpDoor, restDoor, type ToolReply } from "../../support/clients/doors.ts";
import { storeAll } from "../common.ts";
import type { Part } from "../part.ts";

const WORKERS = 4;
const MEMORIES = 200;
const SAMPLE_MS = 500;
/** Share of a run that counts as warm-up, while the program still loads and compiles. */
const WARM_UP_SHARE = 1 / 3;
const SHORT_MINUTES = 0.15;
const CALLER = "apps/server/src/plugins/caller.ts";
const CALL_OF = 'const { caller } = request;\n  if (!caller) throw new Error("an open route has no caller");';

/** SQLite merges a log above four megabytes into the database, but a reader may delay that. */
const LOG_LIMIT_MB = 16;
// In a run of a minute or two, a heap grows by uncollected garbage.
const GROWTH_LIMIT_MB = 64;
const GROWTH_LIMIT_SOON_MB = 256;
const SOON_MINUTES = 5;
const DESCRIPTOR_LIMIT = 10;

interface Sample {
  readonly atS: number;
  readonly residentMb: number;
  readonly descriptors: number;
  readonly logMb: number;
}

/** Part that runs ordinary work for a long time. */
export const soak: Part = {
  name: "soak",
  does: `${WORKERS} clients that change, recall and list without pause, over REST and MCP, on a store that does not grow`,
  holds: [
    {
      says: `after the first third, memory grows by less than ${GROWTH_LIMIT_MB} MB over the rest, or ${GROWTH_LIMIT_SOON_MB} MB in a run of less than ${SOON_MINUTES} minutes`,
      guards: [
        {
          name: "a finished call is released",
          edits: [
            {
              file: CALLER,
              find: CALL_OF,
              put: `${CALL_OF}\n  ((globalThis as { kept?: Buffer[] }).kept ??= []).push(Buffer.alloc(512 * 1024, 1));`,
            },
          ],
          shows: /memory grew/,
        },
      ],
    },
    {
      says: "no descriptor leaks",
      guards: [
        {
          name: "a file is closed",
          edits: [
            {
              file: CALLER,
              find: CALL_OF,
              put: `${CALL_OF}\n  process.getBuiltinModule("node:fs").openSync("/dev/null", "r");`,
            },
          ],
          shows: /descriptors/,
        },
      ],
    },
    {
      says: `the log stays below ${LOG_LIMIT_MB} MB`,
      guards: [
        {
          name: "the log is checkpointed into the database",
          edits: [
            {
              file: "packages/store-sqlite/src/database/connection.ts",
              find: 'this.db.pragma("temp_store = MEMORY");',
              put: 'this.db.pragma("wal_autocheckpoint = 0");',
            },
          ],
          shows: /the log/,
        },
      ],
    },
    {
      says: "no client is refused, except when told to retry later",
      guards: [
        {
          name: "a write waits for the one before it",
          edits: [
            {
              file: "packages/store-sqlite/src/database/write-queue.ts",
              find: 'lane.push({ work, queuedAt: Date.now(), resolve: resolve as Job["resolve"], reject });\n      this.#running ??= this.#drain();',
              put: 'lane.push({ work, queuedAt: Date.now(), resolve: resolve as Job["resolve"], reject });\n      void this.#drain();',
            },
            {
              file: "packages/store-sqlite/src/database/write-queue.ts",
              find: "await this.#begin();",
              put: "await this.#begin();\n      await new Promise((go) => setTimeout(go, 5));",
            },
          ],
          shows: /calls were refused/,
        },
      ],
    },
  ],
  rounds: { long: 15, short: 0, unguarded: 1 },
  counted: "minutes",

  async run(rig) {
    const dataDir = rig.folder();
    const backend = await rig.start({ dataDir });
    const kept = await storeAll(
      backend,
      Array.from({ length: MEMORIES }, (_, at) => `the well number ${at} is deep`),
    );
    const samples: Sample[] = [];
    const growthLimitMb = rig.rounds < SOON_MINUTES ? GROWTH_LIMIT_SOON_MB : GROWTH_LIMIT_MB;
    const work = { calls: 0, putOff: 0, refused: 0, isOver: false };
    const working = Array.from({ length: WORKERS }, (_, at) => toil(backend, [...kept.keys()], at, work));
    const lastsMs = (rig.rounds || SHORT_MINUTES) * 60_000;
    const startedAt = performance.now();
    let faults: string[] = [];
    for (let ms = 0; ms < lastsMs && !rig.isShown(faults); ms = performance.now() - startedAt) {
      samples.push(sampleOf(backend, dataDir, ms / 1000));
      faults = judge(samples, work.refused, growthLimitMb);
      await sleep(SAMPLE_MS);
    }
    work.isOver = true;
    await Promise.all(working);
    faults = judge(samples, work.refused, growthLimitMb);
    const steady = warm(samples);
    const last = steady.at(-1) as Sample;
    const figures = {
      calls: work.calls,
      "put off": work.putOff,
      refused: work.refused,
      "resident MB at the end": Math.round(last.residentMb),
      "MB an hour": Math.round(3600 * slope(steady, ({ residentMb }) => residentMb)),
      "descriptors at the end": last.descriptors,
      "descriptors an hour": Math.round(3600 * slope(steady, ({ descriptors }) => descriptors)),
      "largest log, MB": Math.max(...samples.map(({ logMb }) => logMb)).toFixed(1),
      "log, MB an hour": Math.round(3600 * slope(steady, ({ logMb }) => logMb)),
    };
    return { figures, faults };
  },
};

function judge(samples: readonly Sample[], refused: number, growthLimitMb: number): string[] {
  const steady = warm(samples);
  const [first, last] = [steady[0], steady.at(-1)];
  if (!first || !last || last.atS - first.atS < 4) return [];
  const seconds = last.atS - first.atS;
  const grown = slope(steady, ({ residentMb }) => residentMb) * seconds;
  const descriptors = slope(steady, (each) => each.descriptors) * seconds;
  const logMb = Math.max(...samples.map((each) => each.logMb));
  return [
    ...(grown > growthLimitMb ? [`memory grew by ${Math.round(grown)} MB in ${Math.round(seconds)} s`] : []),
    ...(descriptors > DESCRIPTOR_LIMIT ? [`${Math.round(descriptors)} descriptors were left behind`] : []),
    ...(logMb > LOG_LIMIT_MB ? [`the log grew to ${Math.round(logMb)} MB`] : []),
    ...(refused > 0 ? [`${refused} calls were refused`] : []),
  ];
}

const warm = (samples: readonly Sample[]) => samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));

/** Computes the growth per second by linear regression over all samples. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, is] = [mean(samples.map(({ atS }) => atS)), mean(samples.map(of))];
  const spread = samples.reduce((sum, { atS }) => sum + (atS - at) ** 2, 0);
  return samples.reduce((sum, sample) => sum + (sample.atS - at) * (of(sample) - is), 0) / (spread || 1);
}

function sampleOf({ process: { pid } }: Backend, dataDir: string, atS: number): Sample {
  const [, kb = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return {
    atS,
    residentMb: Number(kb) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    logMb: (statSync(join(dataDir, "chest.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / 1_048_576,
  };
}

/** Connects to a backend that may be overloaded shortly after its start. */
async function connected(backend: Backend): Promise<Client> {
  for (let tries = 0; ; tries++) {
    try {
      return await connectHttpClient(backend);
    } catch (error) {
      if (tries === 10) throw error;
      await sleep(2000);
    }
  }
}

/** Converts an HTTP refusal by `/mcp`, which is no tool's answer, into an error. */
const notAnswered = ({ code }: { code?: unknown }): Pick<ToolReply, "error"> => ({
  error: { code: code === 503 ? "UNAVAILABLE" : 0, message: "" },
});

/** Runs one client that makes every kind of call in turn, on existing memories, until time is up. */
async function toil(
  backend: Backend,
  ids: readonly number[],
  name: number,
  work: { calls: number; putOff: number; refused: number; isOver: boolean },
): Promise<void> {
  const client = name % 2 === 0 ? undefined : await connected(backend);
  const door = client ? mcpDoor(client) : restDoor(backend);
  for (let at = name; !work.isOver; at++) {
    const memory_id = ids[at % ids.length] as number;
    // The text has a typical length and new words each time.
    const content = `the well number ${memory_id} is ${at} hands deep, ${"and the water is clear, ".repeat(20)}`;
    const calls = [
      ["chest_update_memory", { memory_id, content }],
      ["chest_recall", { query: `how deep is the well ${at % 300}`, limit: 5 }],
      ["chest_recall", { ids: [memory_id] }],
      ["chest_list_entities", {}],
    ] as const;
    const [tool, input] = calls[at % calls.length] as (typeof calls)[number];
    const { error } = await door.call(tool, input).catch(notAnswered);
    work.calls++;
    if (error?.code === "UNAVAILABLE") work.putOff++;
    else if (error) work.refused++;
  }
  await client?.close();
}

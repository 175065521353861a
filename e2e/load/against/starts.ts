import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuMsOf, residentMbOf } from "../process-use.ts";
import { Load } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import { clientEnv, startClient } from "../start/client.ts";
import { startUntilRunning } from "../start/first.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { accepted, saves } from "./memories.ts";
import { type Comparison, ofMemory, ofPrograms, type Turns } from "./report.ts";
import { clientOf, type Side, startSide } from "./side.ts";

const A_TURN = 3;
const POLL_MS = 5;
const IDLE_MS = 5000;
const STORED = 300;
/** Few rounds suffice because memory varies little, and each round waits. */
const IDLE_ROUNDS = 3;

/** Measures a backend on an empty store, from the start of its process to its first answer. */
export const starts: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const prepare = (side: Side) => async () => {
    await startOnce(side, workDir); // This start compiles the code for the others.
    return { turn: () => repeated(() => startOnce(side, workDir)), end: async () => {} };
  };
  return ofPrograms("start of the backend", await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) }));
};

/** Measures `npm start` in a clone where nothing is, with an empty home, until the backend runs. It asks a registry. */
export const firstStarts: Measure = async ({ theirs, ours, rounds }) => {
  const prepare = (side: Side) => async () => ({
    turn: () =>
      repeated(async () => {
        const { ms, cpuMs } = await startUntilRunning(side.root);
        return { wallMs: ms, cpuMs };
      }, 1),
    end: async () => {},
  });
  return ofPrograms("first `npm start`", await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) }));
};

async function startOnce(side: Side, workDir: string): Promise<Took> {
  const startedAt = performance.now();
  const { pid, stop } = await startSide(side, workDir, { pollMs: POLL_MS, isDelivered: true });
  const took = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(pid) };
  await stop();
  return took;
}

/** Measures the memory of an idle backend, after its start and after some work. */
export const idle: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const prepare = (side: Side) => async (): Promise<Contestant<{ fresh: number; used: number }>> => ({
    turn: () => idleOnce(side, workDir),
    end: async () => {},
  });
  const { theirs: their, ours: our } = await contest(Math.min(rounds, IDLE_ROUNDS), {
    theirs: prepare(theirs),
    ours: prepare(ours),
  });
  const line = (name: string, which: "fresh" | "used") =>
    ofMemory(name, { theirs: their?.map((turn) => turn[which]), ours: our.map((turn) => turn[which]) });
  return [line("idle after its start", "fresh"), line(`idle after ${STORED} writes`, "used")];
};

async function idleOnce(side: Side, workDir: string): Promise<{ fresh: number; used: number }> {
  const server = await startSide(side, workDir, { isDelivered: true });
  const load = new Load(server, 1);
  try {
    await sleep(IDLE_MS);
    const fresh = residentMbOf(server.pid);
    await accepted(side, load, Array.from({ length: STORED }, saves()));
    await sleep(IDLE_MS);
    return { fresh, used: residentMbOf(server.pid) };
  } finally {
    await load.close();
    await server.stop();
  }
}

/** Measures the stdio client with a backend, from its start by a host to its answer to `initialize`. */
export const initialize: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const prepare = (side: Side) => () => answering(side, workDir);
  return ofClients(await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) }));
};

interface StartSample extends Sample {
  /** Memory after `tools/list`. */
  readonly listedMb: number;
}

export const ofClients = (turns: Turns<StartSample>): Comparison[] => [
  ...ofPrograms("stdio `initialize`", turns),
  ofMemory("its memory after `tools/list`", {
    theirs: turns.theirs?.map(({ listedMb }) => listedMb),
    ours: turns.ours.map(({ listedMb }) => listedMb),
  }),
];

export async function answering(side: Side, workDir: string): Promise<Contestant<StartSample>> {
  const program = clientOf(side);
  const server = await startSide(side, workDir);
  const env = clientEnv(server, join(workDir, side.name));
  await startClient(side.node, program, env); // This start compiles the code for the others.
  return { turn: () => clients(side.node, program, env), end: () => server.stop() };
}

/** Measures several starts of an MCP server on stdio. */
export async function clients(node: string, program: string, env: NodeJS.ProcessEnv): Promise<StartSample> {
  let listedMb = 0;
  const sample = await repeated(async () => {
    const start = await startClient(node, program, env);
    listedMb = start.listedMb;
    return { wallMs: start.answeredMs, cpuMs: start.cpuMs };
  });
  return { ...sample, listedMb };
}

interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Repeats a measurement, because the kernel counts processor time in hundredths of a second. */
export async function repeated(once: () => Promise<Took>, times = A_TURN): Promise<Sample> {
  const took: Took[] = [];
  for (let nth = 0; nth < times; nth++) took.push(await once());
  const sum = (of: (each: Took) => number) => took.reduce((total, each) => total + of(each), 0);
  const tookMs = took.map(({ wallMs }) => wallMs);
  return { requests: times, wallMs: sum(({ wallMs }) => wallMs), cpuMs: sum(({ cpuMs }) => cpuMs), tookMs };
}

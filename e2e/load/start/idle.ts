import { copyFile, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readQuery } from "@chest/core/recall";
import { startBackend } from "../../support/backend.ts";
import { seeded } from "../../support/random.ts";
import { askForOne } from "../ask-for-one.ts";
import type { Bench } from "../bench.ts";
import { bigStore } from "../big-store.ts";
import { atMost, type Figure } from "../figures.ts";
import { MatchFloor } from "../floors/match.ts";
import { recallEverywhereRequest, recallRequest, rememberRequest } from "../memory-requests.ts";
import { cpuMsOf, residentMbOf } from "../process-use.ts";
import { Load, type Request } from "../requests.ts";
import { median } from "../rounds.ts";
import { type BenchServer, COMPILED } from "../server.ts";
import { endless, readSections } from "../texts.ts";

const IDLE_MS = 10_000;
const CALLS = 100;
const MEMORIES = 10_000;
const PROJECTS = 20;
const RECALLS = 1000;

/** Uses the built-in table as shipped; other tests switch it off. */
const WITH_TABLE = { CHEST_EMBED_MODEL: undefined };

/** Measures the processor time of a start on an empty store, and the memory of an idle backend. */
export const idle: Bench = async ({ rounds, workDir, startServer }) => {
  const starts: number[] = [];
  await startOnEmpty(workDir); // This start compiles the code that later starts find.
  for (let round = 0; round < rounds; round++) starts.push(await startOnEmpty(workDir));
  return [
    {
      name: "backend on an empty store, CPU up to /healthz",
      value: median(starts),
      unit: "ms",
      goal: atMost(300, median(starts), "300 ms"),
    },
    ...(await onEmptyStore(await startServer(WITH_TABLE))),
    await onLargeStore(workDir, startServer),
  ];
};

/** Starts the backend with scheduled work, like a user. */
async function startOnEmpty(workDir: string): Promise<number> {
  const dataDir = await mkdtemp(join(workDir, "empty-"));
  const { process, stop } = await startBackend({ dataDir, env: { ...COMPILED, ...WITH_TABLE } });
  const cpuMs = cpuMsOf(process.pid ?? 0);
  await stop();
  return cpuMs;
}

async function onEmptyStore(server: BenchServer): Promise<Figure[]> {
  const load = new Load(server, 1);
  try {
    await sleep(IDLE_MS);
    const fresh = residentMbOf(server.pid);
    const sections = Array.from({ length: CALLS }, endless(readSections()));
    await load.run(sections.map(rememberRequest), { isPatient: true });
    const questions = sections.map(({ text }) => recallRequest(readQuery(text).words.slice(0, 5).join(" ")));
    await load.run(questions, { isPatient: true });
    await sleep(IDLE_MS);
    return [
      inMb("  idle after its start", fresh, 110),
      inMb(`  idle after ${CALLS} remembers and recalls`, residentMbOf(server.pid), 150),
    ];
  } finally {
    await load.close();
    await server.stop();
  }
}

async function onLargeStore(workDir: string, startServer: Parameters<Bench>[0]["startServer"]): Promise<Figure> {
  const CHEST_DB_PATH = join(workDir, "large", "chest.db");
  await mkdir(join(workDir, "large"));
  await copyFile(await bigStore(MEMORIES, PROJECTS), CHEST_DB_PATH);
  const questions = questionsOf(CHEST_DB_PATH);
  const server = await startServer({ CHEST_DB_PATH, ...WITH_TABLE });
  const load = new Load(server, 1);
  try {
    await load.run(questions, { isPatient: true });
    await sleep(IDLE_MS);
    return inMb(`  idle after ${RECALLS} recalls of ${MEMORIES} memories`, residentMbOf(server.pid), 200);
  } finally {
    await load.close();
    await server.stop();
  }
}

/** Recalls in a project and over everything in turns. */
function questionsOf(path: string): Request[] {
  const match = new MatchFloor(path);
  const random = seeded(2);
  const questions = Array.from({ length: RECALLS }, (_, at) => {
    const { query, project } = askForOne(MEMORIES, match, random);
    return at % 2 === 0 ? recallRequest(query, project) : recallEverywhereRequest(query);
  });
  match.close();
  return questions;
}

const inMb = (name: string, value: number, most: number): Figure => ({
  name,
  value,
  unit: "MB",
  goal: atMost(most, value, `${most} MB`),
});

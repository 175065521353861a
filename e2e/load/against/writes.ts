import { atRest, cpuMsOf } from "../process-use.ts";
import { Load, type Target } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { accepted, manyEntities, saves } from "./memories.ts";
import { type Comparison, ofRequests } from "./report.ts";
import { type Side, startSide } from "./side.ts";

const WARM_UP = 800;
export const ALONE: Cell = { connections: 1, requests: 400 };
export const TOGETHER: Cell = { connections: 32, requests: 1200 };
const CELLS: readonly Cell[] = [ALONE, TOGETHER, { ...ALONE, isWordsAlone: true }];
// A save without a subject is about its project.
export const SUBJECTS = { "600 entities": manyEntities, "one entity": () => "bench" };
const REST_STEP_MS = 200;

interface Cell {
  readonly connections: number;
  readonly requests: number;
  /** Without embedding, which would take most of the measured time. */
  readonly isWordsAlone?: boolean;
}

/** Measures storing prose over REST; each text is safe on the disk before its answer. */
export const writes: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const comparisons: Comparison[] = [];
  for (const [name, subjectOf] of Object.entries(SUBJECTS)) {
    for (const cell of CELLS) {
      const prepare = (side: Side) => () => storing(side, workDir, cell, subjectOf);
      const turns = await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) });
      const kind = cell.isWordsAlone ? "write, words alone" : "write";
      comparisons.push(...ofRequests(`${kind}, ${name}, connections: ${cell.connections}`, turns));
    }
  }
  return comparisons;
};

export async function storing(
  side: Side,
  workDir: string,
  { connections, requests, isWordsAlone = false }: Cell,
  subjectOf?: (nth: number) => string,
): Promise<Contestant<Sample>> {
  const server = await startSide(side, workDir, { isWordsAlone });
  const load = new Load(server, connections);
  const save = saves(subjectOf);
  await accepted(side, load, Array.from({ length: WARM_UP }, save));
  await atRest(server.pid, REST_STEP_MS);
  return {
    turn: () => worked(server, () => load.run(Array.from({ length: requests }, save))),
    async end() {
      await load.close();
      await server.stop();
    },
  };
}

/** Adds the processor time of work after the last answer, such as embedding. */
async function worked({ pid }: Target, work: () => Promise<Sample>): Promise<Sample> {
  const before = cpuMsOf(pid);
  const sample = await work();
  await atRest(pid, REST_STEP_MS);
  return { ...sample, cpuMs: cpuMsOf(pid) - before };
}

import { inSession, rememberRequest } from "../memory-requests.ts";
import { atRest, cpuMsOf } from "../process-use.ts";
import { Load, type Request, type Target } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import { Absent, type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { prose } from "./prose.ts";
import { type Comparison, ofRequests } from "./report.ts";
import { type Side, startSide } from "./side.ts";

const WARM_UP = 800;
const CELLS = [
  { connections: 1, requests: 400 },
  { connections: 32, requests: 1200 },
];
const SUBJECTS: Readonly<Record<string, (nth: number) => string>> = {
  "600 entities": (nth) => `entity ${(nth * 7919) % 600}`,
  // The subject of a save that names none: its project.
  "one entity": () => "bench",
};
const PER_SESSION = 10;
const REST_STEP_MS = 200;

/** Storing prose over REST, each text safe on the disk before its answer. */
export const writes: Measure = async ({ theirs, ours, rounds, workDir }) => {
  const comparisons: Comparison[] = [];
  for (const [name, subjectOf] of Object.entries(SUBJECTS)) {
    for (const { connections, requests } of CELLS) {
      const prepare = (side: Side) => () => storing(side, workDir, connections, requests, subjectOf);
      const turns = await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) });
      comparisons.push(...ofRequests(`write, ${name}, ${connections} connection${connections > 1 ? "s" : ""}`, turns));
    }
  }
  return comparisons;
};

async function storing(
  side: Side,
  workDir: string,
  connections: number,
  count: number,
  subjectOf: (nth: number) => string,
): Promise<Contestant<Sample>> {
  const server = await startSide(side, workDir);
  const load = new Load(server, connections);
  const request = requests(subjectOf);
  await warmed(side, load, Array.from({ length: WARM_UP }, request));
  await atRest(server.pid, REST_STEP_MS);
  return {
    turn: () => worked(server, () => load.run(Array.from({ length: count }, request))),
    async end() {
      await load.close();
      await server.stop();
    },
  };
}

/** The same texts for every side, in the same order. */
export function requests(subjectOf: (nth: number) => string, projectOf?: (nth: number) => string): () => Request {
  const text = prose();
  let stored = 0;
  return () => {
    stored += 1;
    const request = rememberRequest({ ...text(), about: subjectOf(stored) });
    return inSession(request, `session-${Math.floor(stored / PER_SESSION)}`, projectOf?.(stored));
  };
}

/** Sends the first requests: a commit that refuses them does not have the thing. */
export async function warmed(side: Side, load: Load, first: readonly Request[]): Promise<void> {
  try {
    await load.run(first);
  } catch (error) {
    throw new Absent(`${side.name} refuses it: ${error instanceof Error ? error.message.slice(0, 300) : error}`);
  }
}

/** Adds what the backend does about it after the last answer, such as embedding. */
async function worked({ pid }: Target, work: () => Promise<Sample>): Promise<Sample> {
  const before = cpuMsOf(pid);
  const sample = await work();
  await atRest(pid, REST_STEP_MS);
  return { ...sample, cpuMs: cpuMsOf(pid) - before };
}

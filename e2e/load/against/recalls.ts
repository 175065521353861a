import { seeded } from "../../support/random.ts";
import { inSession, recallEverywhereRequest, recallRequest } from "../memory-requests.ts";
import { Load, type Request } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { accepted, saves, someOf, startFilled } from "./memories.ts";
import { questionFor } from "./prose.ts";
import { type Comparison, ofRequests } from "./report.ts";
import type { Side } from "./side.ts";

const PROJECTS = 20;
export const [WARM_UP, A_TURN] = [300, 100];

type Scope = "in a project" | "everywhere";
const SCOPES: readonly Scope[] = ["in a project", "everywhere"];

/** Measures recall by words of a stored text, in one project of twenty and everywhere. */
export const recalls: Measure = async ({ theirs, ours, rounds, sizes, workDir }) => {
  const comparisons: Comparison[] = [];
  for (const size of sizes) {
    const saved = Array.from(
      { length: size },
      saves(undefined, (nth) => `bench/project-${nth % PROJECTS}`),
    );
    const random = seeded(5);
    const questions = someOf(saved, WARM_UP + rounds * A_TURN).map(({ text, project }) => {
      const query = questionFor(text, random);
      return { "in a project": recallRequest(query, project), everywhere: recallEverywhereRequest(query) };
    });
    const prepare = (side: Side) => () => asking(side, workDir, saved, SCOPES, questions);
    const turns = await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) });
    for (const scope of SCOPES) {
      const of = { theirs: turns.theirs?.map((turn) => turn[scope]), ours: turns.ours.map((turn) => turn[scope]) };
      comparisons.push(...ofRequests(`recall ${scope}, ${size.toLocaleString("en")} memories`, of));
    }
  }
  return comparisons;
};

/** Asks a filled store one question at a time, with the questions of each turn in both scopes. */
export async function asking<Name extends string>(
  side: Side,
  workDir: string,
  saved: readonly Request[],
  scopes: readonly Name[],
  questions: readonly Readonly<Record<Name, Request>>[],
): Promise<Contestant<Record<Name, Sample>>> {
  const server = await startFilled(side, workDir, saved);
  const load = new Load(server, 1);
  const some = (scope: Name, from: number, count: number) =>
    questions.slice(from, from + count).map((each) => inSession(each[scope], "asking"));
  for (const scope of scopes) await accepted(side, load, some(scope, 0, WARM_UP));
  return {
    async turn(round) {
      const samples: [Name, Sample][] = [];
      for (const scope of scopes) samples.push([scope, await load.run(some(scope, WARM_UP + round * A_TURN, A_TURN))]);
      return Object.fromEntries(samples) as Record<Name, Sample>;
    },
    async end() {
      await load.close();
      await server.stop();
    },
  };
}

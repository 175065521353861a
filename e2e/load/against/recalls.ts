import { seeded } from "../../support/random.ts";
import { inSession, recallEverywhereRequest, recallRequest } from "../memory-requests.ts";
import { atRest } from "../process-use.ts";
import { Load, type Request } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import { oneOf } from "../texts.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Measure } from "./measure.ts";
import { questionFor } from "./prose.ts";
import { type Comparison, ofRequests } from "./report.ts";
import { type Side, startSide } from "./side.ts";
import { requests, warmed } from "./writes.ts";

const PROJECTS = 20;
const ENTITIES = 600;
const QUESTIONS = 100;
const WARM_UP = 300;
const CONNECTIONS = 32;

/** Recall by words of a stored text: in one project of twenty, and everywhere. */
export const recalls: Measure = async ({ theirs, ours, rounds, sizes, workDir }) => {
  const comparisons: Comparison[] = [];
  for (const size of sizes) {
    const prepare = (side: Side) => () => asking(side, workDir, size, rounds);
    const { theirs: their, ours: our } = await contest(rounds, { theirs: prepare(theirs), ours: prepare(ours) });
    for (const scope of ["project", "everywhere"] as const) {
      const name = `recall ${scope === "project" ? "in a project" : "everywhere"}, ${size.toLocaleString("en")} memories`;
      const turns = { theirs: their?.map((turn) => turn[scope]), ours: our.map((turn) => turn[scope]) };
      comparisons.push(...ofRequests(name, turns));
    }
  }
  return comparisons;
};

type Scoped = Record<"project" | "everywhere", Sample>;

async function asking(side: Side, workDir: string, size: number, rounds: number): Promise<Contestant<Scoped>> {
  const server = await startSide(side, workDir);
  const [filling, load] = [new Load(server, CONNECTIONS), new Load(server, 1)];
  const stored = Array.from(
    { length: size },
    requests((nth) => `entity ${(nth * 7919) % ENTITIES}`, projectOf),
  );
  await warmed(side, filling, stored);
  await filling.close();
  await atRest(server.pid);
  const questions = questionsAbout(stored, WARM_UP + rounds * QUESTIONS);
  for (const scope of ["project", "everywhere"] as const) {
    await warmed(
      side,
      load,
      questions.slice(0, WARM_UP).map((each) => each[scope]),
    );
  }
  const run = (scope: keyof Scoped, round: number) => {
    const first = WARM_UP + round * QUESTIONS;
    return load.run(questions.slice(first, first + QUESTIONS).map((each) => each[scope]));
  };
  return {
    turn: async (round) => ({ project: await run("project", round), everywhere: await run("everywhere", round) }),
    async end() {
      await load.close();
      await server.stop();
    },
  };
}

const projectOf = (nth: number): string => `bench/project-${nth % PROJECTS}`;

/** The same questions for every side. */
function questionsAbout(stored: readonly Request[], count: number): Record<keyof Scoped, Request>[] {
  const random = seeded(4);
  return Array.from({ length: count }, () => {
    const { body, headers } = oneOf(stored, random);
    const query = questionFor((body as { content: string }).content, random);
    const project = decodeURIComponent(headers?.["x-chest-project"] ?? "");
    return {
      project: inSession(recallRequest(query, project), "asking"),
      everywhere: inSession(recallEverywhereRequest(query), "asking"),
    };
  });
}

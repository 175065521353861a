import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readQuery } from "@chest/core/recall";
import { seeded } from "../support/random.ts";
import { askForOne } from "./ask-for-one.ts";
import type { Bench } from "./bench.ts";
import { bigStore } from "./big-store.ts";
import { atMost, type Figure } from "./figures.ts";
import { MatchFloor } from "./floors/match.ts";
import { emptied, startPostFloor } from "./floors/post.ts";
import { recallEverywhereRequest, recallRequest } from "./memory-requests.ts";
import { Load, type Request } from "./requests.ts";
import { cpuEach, interleaved, median, medianRatio, type Sample, spread, wallEach } from "./rounds.ts";

const QUESTIONS = 200;
const WARM_UP = 1000;

/** Measures recall from a large store, in one project and over everything. */
export const recall: Bench = async ({ rounds, rows, workDir, startServer }) => {
  const path = join(workDir, "data", "chest.db");
  await mkdir(join(workDir, "data"));
  // Recalls are recorded in the store, so a copy keeps the original unchanged.
  await copyFile(await bigStore(rows), path);
  const match = new MatchFloor(path);
  const server = await startServer();
  const post = await startPostFloor();
  const [load, floor] = [new Load(server, 1), new Load(post, 1)];
  try {
    const all = questions(WARM_UP + QUESTIONS, rows, match);
    const warmUp = all.slice(0, WARM_UP);
    await load.run(warmUp.flatMap((each) => [each.scoped, each.everywhere]));
    await floor.run(warmUp.map(({ scoped }) => emptied(scoped)));
    const turn = (round: number) => all.filter((_, at) => at >= WARM_UP && at % rounds === round);
    const samples = await interleaved(rounds, {
      scoped: (round) => load.run(turn(round).map(({ scoped }) => scoped)),
      post: (round) => floor.run(turn(round).map(({ scoped }) => emptied(scoped))),
      matchScoped: async (round) => match.run(turn(round).map(({ matchScoped }) => matchScoped)),
      everywhere: (round) => load.run(turn(round).map(({ everywhere }) => everywhere)),
      match: async (round) => match.run(turn(round).map(({ match }) => match)),
    });
    return figuresOf(samples, rows);
  } finally {
    match.close();
    await Promise.all([load.close(), floor.close()]);
    await Promise.all([post.stop(), server.stop()]);
  }
};

type Samples = Record<"scoped" | "post" | "matchScoped" | "everywhere" | "match", Sample[]>;

function figuresOf({ scoped, post, matchScoped, everywhere, match }: Samples, rows: number): Figure[] {
  const against = (name: string, measured: Sample[], bare: Sample[], cpuLimit: number): Figure => {
    const least = (round: number) => wallEach(post[round] as Sample) + wallEach(bare[round] as Sample);
    const figure = inMs(`recall ${name}, ${rows} memories`, measured);
    return {
      ...figure,
      floor: median(measured.map((_, round) => least(round))),
      ratio: medianRatio(measured.length, (round) => wallEach(measured[round] as Sample), least),
      goal: atMost(cpuLimit, figure.cpuMs ?? 0, `${cpuLimit} ms CPU`),
    };
  };
  return [
    against("in a project", scoped, matchScoped, 6),
    inMs("  floor: bare MATCH, scoped", matchScoped),
    against("everywhere", everywhere, match, 25),
    inMs("  floor: bare MATCH", match),
    inMs("  floor: empty POST", post),
  ];
}

const inMs = (name: string, samples: Sample[]): Figure & { readonly unit: "ms" } => ({
  name,
  unit: "ms",
  value: median(samples.map(wallEach)),
  cpuMs: median(samples.map(cpuEach)),
  ...spread(samples),
});

interface Question {
  readonly scoped: Request;
  readonly everywhere: Request;
  readonly matchScoped: string;
  readonly match: string;
}

/** Builds queries for stored memories, as requests and as plain matches of the full-text index. */
export function questions(count: number, rows: number, store: MatchFloor): Question[] {
  const random = seeded(2);
  return Array.from({ length: count }, () => {
    const { query, space, project } = askForOne(rows, store, random);
    const anyTerm =
      readQuery(query)
        .words.map((term) => `"${term.replaceAll('"', '""')}"`)
        .join(" OR ") || '"nothing"';
    return {
      scoped: recallRequest(query, project),
      everywhere: recallEverywhereRequest(query),
      matchScoped: `scope : "${space}" AND {title tags words} : (${anyTerm})`,
      match: anyTerm,
    };
  });
}

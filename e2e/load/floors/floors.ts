import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../support/process.ts";
import { accepted, compileOnce, saves, startFilled } from "../against/memories.ts";
import { type Side, sideAt } from "../against/side.ts";
import { SUBJECTS, storing, TOGETHER } from "../against/writes.ts";
import type { Bench } from "../bench.ts";
import { type Figure, short } from "../figures.ts";
import { questions } from "../recall.ts";
import { Load } from "../requests.ts";
import { cpuEach, interleaved, median, type Sample } from "../rounds.ts";
import { MatchFloor } from "./match.ts";
import { TransactionFloor } from "./transaction.ts";

const FIGURES = fileURLToPath(new URL("./figures.json", import.meta.url));
const MEMORIES = 10_000;
const PROJECTS = 20;
const [WARM_UP, QUESTIONS] = [300, 100];
/**
 * Factor by which the ratio may differ on another machine, since plain SQLite is C and the code around it JavaScript.
 */
const OTHER_MACHINE = 1.25;

/** Processor time of the backend and of plain SQLite, turn by turn. */
interface Measurements {
  readonly ours: readonly Sample[];
  readonly floor: readonly Sample[];
}

/** Ratios over the turns of one run: the median and the highest. */
export interface Recorded {
  readonly ratio: number;
  readonly highest: number;
}

/**
 * Measures the processor time of a write and of a recall as a multiple of plain SQLite's in the same run, which
 * executes its statements for the same texts and questions with only the driver. The command fails when a multiple
 * exceeds the recorded one.
 */
export const floors: Bench = async ({ rounds, workDir, isWritten }) => {
  const side = await sideAt(ROOT, "this");
  await compileOnce(side, workDir);
  const measured = { ...(await writing(side, rounds, workDir)), ...(await recalling(side, rounds, workDir)) };
  if (isWritten) write(measured);
  const recorded: Record<string, Recorded> = JSON.parse(readFileSync(FIGURES, "utf8"));
  return Object.entries(measured).map(([name, beside]) => figureOf(name, beside, recorded[name]));
};

async function writing(side: Side, rounds: number, workDir: string): Promise<Record<string, Measurements>> {
  const measured: Record<string, Measurements> = {};
  for (const [name, subjectOf] of Object.entries(SUBJECTS)) {
    const { turn, end } = await storing(side, workDir, TOGETHER, subjectOf);
    const plain = await TransactionFloor.open(join(await mkdtemp(join(workDir, "plain-")), "plain.db"));
    const save = saves(subjectOf);
    const some = (count: number) =>
      Array.from({ length: count }, () => {
        const { entity_name: about, content: text } = save().body as { entity_name: string; content: string };
        return { about, text };
      });
    try {
      plain.run(some(WARM_UP));
      measured[`write, ${name}`] = await interleaved(rounds, {
        floor: async () => plain.run(some(TOGETHER.requests)),
        ours: turn,
      });
    } finally {
      plain.close();
      await end();
    }
  }
  return measured;
}

async function recalling(side: Side, rounds: number, workDir: string): Promise<Record<string, Measurements>> {
  const dataDir = await mkdtemp(join(workDir, "searched-"));
  const saved = Array.from(
    { length: MEMORIES },
    saves(undefined, (nth) => `bench/project-${nth % PROJECTS}`),
  );
  const server = await startFilled(side, workDir, saved, dataDir);
  const load = new Load(server, 1);
  const match = new MatchFloor(join(dataDir, "chest.db"));
  try {
    const all = questions(WARM_UP + rounds * QUESTIONS, MEMORIES, match);
    const questionsOfRound = (round: number) =>
      all.slice(WARM_UP + round * QUESTIONS, WARM_UP + (round + 1) * QUESTIONS);
    const warmUp = all.slice(0, WARM_UP);
    await accepted(
      side,
      load,
      warmUp.flatMap(({ scoped, everywhere }) => [scoped, everywhere]),
    );
    match.run(warmUp.map(({ match }) => match));
    const { scoped, matchScoped, everywhere, matched } = await interleaved(rounds, {
      matchScoped: async (round) => match.run(questionsOfRound(round).map(({ matchScoped }) => matchScoped)),
      scoped: (round) => load.run(questionsOfRound(round).map(({ scoped }) => scoped)),
      matched: async (round) => match.run(questionsOfRound(round).map(({ match }) => match)),
      everywhere: (round) => load.run(questionsOfRound(round).map(({ everywhere }) => everywhere)),
    });
    return {
      "recall in a project": { ours: scoped, floor: matchScoped },
      "recall everywhere": { ours: everywhere, floor: matched },
    };
  } finally {
    match.close();
    await load.close();
    await server.stop();
  }
}

const ratiosOf = ({ ours, floor }: Measurements): number[] =>
  ours.map((sample, turn) => cpuEach(sample) / cpuEach(floor[turn] as Sample));

function figureOf(name: string, beside: Measurements, recorded: Recorded | undefined): Figure {
  const ratios = ratiosOf(beside);
  const cpuMs = median(beside.ours.map(cpuEach));
  const figure: Figure = { name, value: cpuMs, unit: "ms", floor: median(beside.floor.map(cpuEach)) };
  return { ...figure, ratio: median(ratios), goal: limit(ratios, recorded) };
}

/** Fails when the median of a run exceeds the highest recorded ratio by more than the tolerance between machines. */
export function limit(ratios: readonly number[], recorded: Recorded | undefined): NonNullable<Figure["goal"]> {
  if (recorded === undefined) return { text: "not recorded", isMet: false, isBinding: true };
  const most = recorded.highest * OTHER_MACHINE;
  return { text: `≤ × ${short(most)}`, isMet: median(ratios) <= most, isBinding: true };
}

function write(measured: Readonly<Record<string, Measurements>>): void {
  const recorded = Object.entries(measured).map(([name, beside]): [string, Recorded] => {
    const ratios = ratiosOf(beside);
    return [name, { ratio: rounded(median(ratios)), highest: rounded(Math.max(...ratios)) }];
  });
  writeFileSync(FIGURES, `${JSON.stringify(Object.fromEntries(recorded), null, 2)}\n`);
}

const rounded = (ratio: number): number => Number(ratio.toFixed(2));

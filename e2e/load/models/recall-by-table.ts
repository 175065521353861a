import { constants } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { embedPending, pendingQueue, TABLE_IDENTITY } from "@chest/core/embedding";
import { openBuiltinEmbedder } from "@chest/models";
import { seeded } from "../../support/random.ts";
import { askForOne } from "../ask-for-one.ts";
import type { Bench } from "../bench.ts";
import { bigStore, EVERYWHERE, storeBeside } from "../big-store.ts";
import { atMost, type Figure } from "../figures.ts";
import { MatchFloor } from "../floors/match.ts";
import { recallEverywhereRequest, recallRequest } from "../memory-requests.ts";
import { Load, type Request } from "../requests.ts";
import { cpuEach, interleaved, median, medianRatio, type Sample, spread } from "../rounds.ts";
import { startBenchServer } from "../server.ts";

/** A project contains a twentieth of the store. */
const PROJECTS = 20;
const QUESTIONS = 200;
const WARM_UP = 400;
const MOST_TIMES_WORDS = 1.3;
const PATIENT = { isPatient: true };
/** Starts a backend without embedding, which recalls by words only. */
const WORDS_ALONE = { CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" };

/** Measures recall by words and the built-in table beside recall by words only, with the same queries. */
export const recallByTable: Bench = async ({ rounds, rows, workDir }) => {
  const plain = await bigStore(rows, PROJECTS);
  const folders = { words: join(workDir, "words"), table: join(workDir, "table") };
  for (const [folder, path] of [
    [folders.words, plain],
    [folders.table, await storeWithTable(plain)],
  ] as const) {
    await mkdir(join(folder, "data"), { recursive: true });
    await copyFile(path, join(folder, "data/chest.db"), constants.COPYFILE_FICLONE);
  }
  const store = new MatchFloor(plain);
  const random = seeded(3);
  const questions = Array.from({ length: WARM_UP + QUESTIONS }, () => askForOne(rows, store, random));
  store.close();
  const servers = {
    words: await startBenchServer(folders.words, WORDS_ALONE),
    table: await startBenchServer(folders.table),
  };
  const loads = { words: new Load(servers.words, 1), table: new Load(servers.table, 1) };
  try {
    const scoped = questions.map(({ query, project }) => recallRequest(query, project));
    const everywhere = questions.map(({ query }) => recallEverywhereRequest(query));
    for (const load of Object.values(loads))
      await load.run([...scoped.slice(0, WARM_UP), ...everywhere.slice(0, WARM_UP)], PATIENT);
    const turn = (all: readonly Request[], round: number) =>
      all.filter((_, at) => at >= WARM_UP && at % rounds === round);
    const samples = await interleaved(rounds, {
      wordsScoped: (round) => loads.words.run(turn(scoped, round), PATIENT),
      tableScoped: (round) => loads.table.run(turn(scoped, round), PATIENT),
      wordsEverywhere: (round) => loads.words.run(turn(everywhere, round), PATIENT),
      tableEverywhere: (round) => loads.table.run(turn(everywhere, round), PATIENT),
    });
    return [
      beside(`words and table in a project, ${rows} memories`, samples.tableScoped, samples.wordsScoped),
      beside(`words and table everywhere, ${rows} memories`, samples.tableEverywhere, samples.wordsEverywhere),
    ];
  } finally {
    for (const load of Object.values(loads)) await load.close();
    for (const server of Object.values(servers)) await server.stop();
  }
};

/** Compares the processor time of recall with that of words only. */
function beside(name: string, table: readonly Sample[], words: readonly Sample[]): Figure {
  const ratio = medianRatio(
    table.length,
    (round) => cpuEach(table[round] as Sample),
    (round) => cpuEach(words[round] as Sample),
  );
  return {
    name: `CPU of recall by ${name}`,
    unit: "ms",
    value: median(table.map(cpuEach)),
    floor: median(words.map(cpuEach)),
    ratio,
    goal: atMost(MOST_TIMES_WORDS, ratio, `${MOST_TIMES_WORDS} × words alone`),
    ...spread([...table]),
  };
}

/** Copies the store and adds the table's vector for each memory. */
const storeWithTable = (plain: string): Promise<string> =>
  storeBeside(plain, "table", TABLE_IDENTITY, async (engine) => {
    const queue = pendingQueue(engine.as(EVERYWHERE), { now: () => new Date(Date.now() + 60_000) });
    const { signal } = new AbortController();
    const ended = await embedPending(queue, openBuiltinEmbedder(), { claimant: "bench", signal });
    if (ended !== "done") throw new Error(`not every memory has a vector: ${ended}`);
  });

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CROSS, type EvalSet, partOf, type Question } from "../eval-set.ts";
import { DEPTH, measure } from "../measures.ts";
import { fetchBasicMemory } from "./basic-memory.ts";
import { fetchMemoryService } from "./memory-service.ts";
import { fetchReferenceServer } from "./reference-server.ts";
import type { FetchRival, RivalStore } from "./rival.ts";

export const RIVALS: Readonly<Record<string, FetchRival>> = {
  reference: fetchReferenceServer,
  doobidoo: fetchMemoryService,
  basic: fetchBasicMemory,
};

/**
 * Prints how other memory servers fare on sets, each set in a store of its own: the half that was never used for
 * tuning.
 */
export async function evaluateRivals(names: readonly string[], sets: readonly EvalSet[]): Promise<void> {
  for (const name of names) {
    const fetch = RIVALS[name];
    if (!fetch) throw new Error(`no rival is called ${name}; there are ${Object.keys(RIVALS).join(", ")}`);
    await evaluateRival(fetch, sets);
  }
}

async function evaluateRival(fetch: FetchRival, sets: readonly EvalSet[]): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), "chest-rival-"));
  try {
    const rival = await fetch(workDir);
    if (!rival) {
      process.exitCode = 1;
      return;
    }
    console.log(
      `\n${rival.name}\n\n| set | language | asked | questions | R@1 | R@10 | MRR |\n| --- | --- | --- | --- | --- | --- | --- |`,
    );
    for (const set of sets) {
      const store = await rival.open();
      try {
        await store.storeAll(set.documents);
        for (const way of Object.keys(store.ways)) await printRows(store, set, way);
      } finally {
        await store.close();
      }
    }
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function printRows({ ways }: RivalStore, { name, questions, isUntuned }: EvalSet, way: string): Promise<void> {
  const ask = ways[way];
  const counted = questions.filter(
    (question) => question.answers.length > 0 && (isUntuned || partOf(question) === "report"),
  );
  const asked = [];
  for (const question of counted)
    asked.push({ question, place: placeIn((await ask?.(question.text)) ?? [], question) });
  for (const isCross of [false, true]) {
    const own = asked.filter(({ question }) => (question.lang === CROSS) === isCross);
    const { recall1, recall10, mrr } = measure(own);
    const figures = [recall1, recall10, mrr].map((x) => x.toFixed(3));
    if (own.length > 0) console.log(`| ${[name, isCross ? CROSS : "all", way, own.length, ...figures].join(" | ")} |`);
  }
}

function placeIn(keys: readonly string[], { answers }: Question): number {
  const place = 1 + keys.findIndex((key) => answers.includes(key));
  return place > DEPTH ? 0 : place;
}

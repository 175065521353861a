import { createRequire } from "node:module";
import { join } from "node:path";
import type { Executor } from "@chest/core/executor";
import { STOP_WORDS } from "@chest/core/text";
import { ROOT } from "../support/process.ts";
import type { Document } from "./eval-set.ts";
import { DEPTH } from "./measures.ts";
import type { EvalStore } from "./store.ts";

/**
 * Plain SQLite full-text search in its usual setup: stemming, no stop words, any word of the question. `near` adds a
 * share of the scores of the two rows before and the row after in the same session. It is the floor for every figure.
 */
export const PLAIN_LEGS = ["fts5", "fts5 near"] as const;
export type PlainLeg = (typeof PLAIN_LEGS)[number];

const NEAR = [-2, -1, 1] as const;
const SHARE = 0.3;

interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): void; all(...values: unknown[]): unknown[] };
  transaction(run: () => void): () => void;
}
const ofStore = createRequire(join(ROOT, "packages/store-sqlite/package.json"));
const Sqlite = ofStore("better-sqlite3") as new (path: string) => Database;

/** Answers `chest_recall` from a separate table over the same documents. */
export function plainExecutor({ documents }: Pick<EvalStore, "documents">, leg: PlainLeg): Executor {
  const tabled = tables.get(documents) ?? tableOf(documents);
  tables.set(documents, tabled);
  return {
    async execute(_, input) {
      const scores = scoresOf(tabled, (input as { readonly query: string }).query);
      const ranked = [...(leg === "fts5" ? scores : withNeighbours(scores, tabled.rows))].sort(([, a], [, b]) => b - a);
      const memories = ranked.slice(0, DEPTH).map(([at, score]) => ({
        id: tabled.rows[at]?.id,
        composite: score,
        score_breakdown: { relevance: score },
      }));
      return { memories };
    },
  };
}

interface Row {
  readonly id: number;
  readonly session: string | undefined;
}
interface Tabled {
  readonly match: { all(...values: unknown[]): unknown[] };
  readonly rows: readonly Row[];
}
const tables = new WeakMap<ReadonlyMap<number, Document>, Tabled>();

function tableOf(documents: ReadonlyMap<number, Document>): Tabled {
  const database = new Sqlite(":memory:");
  database.exec("CREATE VIRTUAL TABLE said USING fts5(words, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO said (rowid, words) VALUES (?, ?)");
  const rows = [...documents].map(([id, { session }]) => ({ id, session }));
  database.transaction(() => {
    for (const [at, { about, content }] of [...documents.values()].entries())
      insert.run(at, wordsOf(`${about} ${content}`).join(" "));
  })();
  const match = database.prepare("SELECT rowid AS at, -bm25(said) AS score FROM said WHERE said MATCH ?");
  return { match, rows };
}

function scoresOf({ match }: Tabled, query: string): Map<number, number> {
  const any = tellingWordsOf(query)
    .map((word) => `"${word}"`)
    .join(" OR ");
  const found = (any === "" ? [] : match.all(any)) as { readonly at: number; readonly score: number }[];
  return new Map(found.map(({ at, score }) => [at, score]));
}

function withNeighbours(scores: ReadonlyMap<number, number>, rows: readonly Row[]): Map<number, number> {
  const shared = new Map(scores);
  for (const [at, score] of scores)
    for (const step of NEAR) {
      const session = rows[at - step]?.session;
      if (session === undefined || session !== rows[at]?.session) continue;
      shared.set(at - step, (shared.get(at - step) ?? 0) + SHARE * score);
    }
  return shared;
}

/** Words of a question without stop words; of one that has no others, all. */
export function tellingWordsOf(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]+/gu;

/** Splits a text into words, and into pairs of letters for scripts without blanks. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(CJK, (run) => ` ${pairsOf(run)} `)
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const pairsOf = (run: string): string =>
  run.length < 2 ? run : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)).join(" ");

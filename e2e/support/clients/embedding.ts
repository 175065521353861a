import { once } from "node:events";
import { join } from "node:path";
import { CONCEPTS } from "@chest/models/testing";
import { CHEST_INDEX, cleanEnv, NODE_24, type RunningProgram, startProgram } from "../process.ts";
import { withStoreFile } from "../store-file.ts";

/** Makes a memory about a new entity, so that none supersedes another. */
export const aMemory = (content: string, at: number) => ({
  entity_name: `subject ${at}`,
  entity_kind: "concept",
  layer: "learning",
  visibility: "team",
  content,
});

const SENTENCES: readonly ((word: string, at: number) => string)[] = [
  (word, at) => `note ${at}: what we settled about the ${word} stays as it is`,
  (word, at) => `第${at}回の覚え書き、${word}について決めたこと`,
  (word, at) => `第${at}条记录，关于${word}的决定`,
  (word, at) => `${at}번 메모, ${word}에 대해 정한 것`,
];

/** Facts on one subject, named in each language; none is about bread. */
export function inFourLanguages(count: number) {
  const concepts = Object.entries(CONCEPTS).filter(([concept]) => concept !== "bread");
  return Array.from({ length: count }, (_, at) => {
    const [, words] = concepts[at % concepts.length] ?? concepts[0] ?? ["", [""]];
    const language = at % SENTENCES.length;
    const word = words.find((each) => LANGUAGES[language]?.test(each)) ?? words[0] ?? "";
    return aMemory(SENTENCES[language]?.(word, at + 1) ?? word, at + 1);
  });
}

const LANGUAGES = [/^[a-z]+$/, /[\p{Script=Hiragana}\p{Script=Katakana}]/u, /^\p{Script=Han}+$/u, /\p{Script=Hangul}/u];

/**
 * Counts memories with stored vectors, and lists those that were embedded more than once. Writes by tools have other
 * operation names in the audit log.
 */
export async function embeddedOnce(dataDir: string): Promise<{ embedded: number; twice: number[] }> {
  const rows = withStoreFile(join(dataDir, "chest.db"), (db) =>
    db
      .prepare<[], { id: number; times: number }>(
        `SELECT each.value AS id, count(*) AS times FROM audit_log, json_each(memory_ids) AS each
         WHERE op = 'write' GROUP BY each.value`,
      )
      .all(),
  );
  return { embedded: rows.length, twice: rows.filter(({ times }) => times > 1).map(({ id }) => id) };
}

/** Starts the built `chest-index` program. */
export const startChestIndex = (words: string, env: NodeJS.ProcessEnv): RunningProgram =>
  startProgram(NODE_24, [CHEST_INDEX, ...words.split(" ")], cleanEnv(env));

/** Runs the built `chest-index` program to its end. */
export async function chestIndex(words: string, env: NodeJS.ProcessEnv) {
  const program = startChestIndex(words, env);
  const printed = { stdout: "", stderr: "" };
  program.process.stdout?.on("data", (text) => (printed.stdout += text));
  program.process.stderr?.on("data", (text) => (printed.stderr += text));
  const [code] = (await once(program.process, "close")) as [number | null];
  return { code, ...printed };
}

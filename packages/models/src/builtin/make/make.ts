import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { TABLE_IDENTITY } from "@chest/core/embedding";
import { foldHan, runsOf, segment, wordsOfSpaced } from "@chest/core/text";
import { bytesOfTable, tableOf } from "../table.ts";
import { MAX_TERM } from "../term-index.ts";
import { rowsOf } from "../terms.ts";
import { fetchSource, SOURCES } from "./sources.ts";

const HERE = import.meta.dirname;
const TABLE = join(HERE, "../terms.table");
const REQUIREMENTS = ["numpy==2.4.6", "scipy==1.17.1"];
const LANGUAGES = ["en", "ja", "zh", "ko"] as const;
const { dimensions } = TABLE_IDENTITY;

/** Least number of texts that contain a term: a plain word, an identifier with joints or digits, a word of CJK. */
const LEAST_TEXTS = { word: 3, identifier: 6, cjk: 2 };
const LONGEST_WORD = 40;
/** Most terms of the table; with more it would exceed 12 MB. */
const MOST_TERMS = 57_000;
const IS_PLAIN = /^[a-z]+$/;
const IS_CODE = /^\d{3,}$|[0-9a-f]{12}/;

type Messages = Partial<Record<(typeof LANGUAGES)[number], string>>;

const [work] = process.argv.slice(2);
if (work === undefined) {
  process.stderr.write("usage: node packages/models/src/builtin/make/make.ts FOLDER\n\nFOLDER keeps what is fetched\n");
  process.exitCode = 2;
} else {
  make(resolve(work));
}

function make(folder: string): void {
  mkdirSync(join(folder, "sources"), { recursive: true });
  const run = pythonIn(folder);
  for (const source of SOURCES) fetchSource(join(folder, "sources"), source, join(folder, "venv/bin/python"));
  run("corpus.py");
  run("teacher.py", "pieces");
  const texts = readFileSync(join(folder, "texts.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line): Messages => JSON.parse(line));
  const terms = vocabularyOf(texts, JSON.parse(readFileSync(join(folder, "pieces.json"), "utf8")));
  say(`${terms.length} terms`);
  writeSaid(folder, texts, terms);
  writeSaidAlike(folder, terms);
  run("teacher.py", "terms");
  run("teacher.py", "texts");
  run("learn.py", String(dimensions));
  run("contrast.py", String(dimensions));
  const learned = readFileSync(join(folder, "vectors.f32"));
  const vectors = new Float32Array(learned.buffer, learned.byteOffset, learned.length / 4);
  const table = bytesOfTable(terms, vectors, dimensions);
  writeFileSync(TABLE, table);
  say(`${table.length} bytes, sha256 ${createHash("sha256").update(table).digest("hex")}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function pythonIn(folder: string): (script: string, ...more: string[]) => void {
  const python = join(folder, "venv/bin/python");
  if (!existsSync(python)) {
    execFileSync("python3", ["-m", "venv", join(folder, "venv")]);
    execFileSync(python, ["-m", "pip", "install", "--quiet", ...REQUIREMENTS], { stdio: "inherit" });
  }
  return (script, ...more) => {
    say([script, ...more].join(" "));
    execFileSync(python, [join(HERE, script), folder, ...more], { stdio: "inherit" });
  };
}

/** Words of the texts that are frequent enough, then what the teacher reads by: the rarest are the last. */
function vocabularyOf(texts: readonly Messages[], pieces: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const lang of LANGUAGES)
      for (const word of new Set(wordsIn(text[lang] ?? ""))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const terms = [...counts]
    .filter(([word, count]) => count >= leastTextsOf(word))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word]) => word);
  const others = pieces.flatMap((piece) =>
    IS_PLAIN.test(piece) ? wordsOfSpaced(piece) : foldHan(piece.normalize("NFKC")),
  );
  const all = new Set([...terms, ...others.filter((piece) => leastTextsOf(piece) < Number.POSITIVE_INFINITY)]);
  return [...all].slice(0, MOST_TERMS);
}

function wordsIn(text: string): string[] {
  return runsOf(text).flatMap(({ text: run, locale }) =>
    locale === undefined
      ? wordsOfSpaced(run)
      : segment(run)
          .words.split(" ")
          .filter((word) => word !== ""),
  );
}

function leastTextsOf(word: string): number {
  if (IS_PLAIN.test(word)) return word.length <= LONGEST_WORD ? LEAST_TEXTS.word : Number.POSITIVE_INFINITY;
  if (runsOf(word).some(({ locale }) => locale !== undefined))
    return word.length <= MAX_TERM ? LEAST_TEXTS.cjk : Number.POSITIVE_INFINITY;
  return word.length > LONGEST_WORD || IS_CODE.test(word) ? Number.POSITIVE_INFINITY : LEAST_TEXTS.identifier;
}

/** Rows of the table for each text, cut as at run time. */
function writeSaid(folder: string, texts: readonly Messages[], terms: readonly string[]): void {
  const origins: (readonly [message: number, lang: string])[] = [];
  const all: string[] = [];
  for (const [message, text] of texts.entries())
    for (const lang of LANGUAGES) {
      const own = text[lang];
      if (own === undefined) continue;
      origins.push([message, lang]);
      all.push(own);
    }
  for (const [name, value] of Object.entries({ terms, texts: all, origins }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  writeRows(folder, "", all, terms);
}

function writeSaidAlike(folder: string, terms: readonly string[]): void {
  writeRows(folder, "alike.", JSON.parse(readFileSync(join(folder, "alike.json"), "utf8")), terms);
}

function writeRows(folder: string, prefix: string, texts: readonly string[], terms: readonly string[]): void {
  const { index } = tableOf(bytesOfTable(terms, new Float32Array(terms.length), 1));
  const said: number[] = [];
  const ends = [0];
  for (const text of texts) {
    rowsOf(text, index, said);
    ends.push(said.length);
  }
  for (const [name, values] of Object.entries({ said, ends }))
    writeFileSync(join(folder, `${prefix}${name}.i32`), new Uint8Array(Int32Array.from(values).buffer));
}

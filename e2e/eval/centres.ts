import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CENTRED_LANGUAGES, languageOf, TEXT_KINDS, writeCentres } from "@chest/models";
import { ROOT } from "../support/process.ts";
import { partOf } from "./eval-set.ts";
import { agentsSet, blindSet, farmsSet, meaningSet, trainsSet } from "./sets/agents.ts";
import { vectorsOfServer } from "./vectors.ts";

/**
 * Share of the distance between a language's mean and the mean of all that is taken away; the mean of all is taken away as a
 * whole. With all of the distance, questions find more in other languages, and paraphrases of one language less.
 */
const SHARE = 0.6;

const FILE = join(ROOT, "packages/models/src/centring/e5-small.ts");

/**
 * Learns what to take from the vectors of multilingual-e5-small: the mean of each language's stored texts, and of its
 * questions in the tuned part of five sets. Writes the file that `readCentring` reads.
 */
export async function learnCentres(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { served: { type: "string" }, share: { type: "string" } } });
  if (!values.served) throw new Error("--served names the server of multilingual-e5-small");
  const share = Number(values.share ?? SHARE);
  const { served: embedder } = await vectorsOfServer(values.served, "Xenova/multilingual-e5-small");
  const sets = [agentsSet(), blindSet(), meaningSet(), trainsSet(), farmsSet()];
  const asked = sets.flatMap(({ questions }) => questions).filter((question) => partOf(question) === "tune");
  const texts = {
    query: asked.map(({ text }) => text),
    passage: sets.flatMap(({ documents }) => documents.map(({ content }) => content)),
  };
  const signal = new AbortController().signal;
  const means = new Map<string, Float32Array>();
  for (const kind of TEXT_KINDS) {
    const vectors: (Float32Array | undefined)[] = [];
    if (kind === "query") for (const text of texts.query) vectors.push(await embedder.embedQuery(text, signal));
    else vectors.push(...((await embedder.embedPassages(texts.passage, signal)) ?? []).map(({ vector }) => vector));
    const known = texts[kind].map((text, at) => ({ language: languageOf(text), vector: vectors[at] }));
    for (const language of CENTRED_LANGUAGES)
      means.set(`${kind} ${language}`, meanOf(known.flatMap((row) => (row.language === language && row.vector) || [])));
  }
  const written = writeCentres((kind, language) => {
    const own = means.get(`${kind} ${language}`) as Float32Array;
    const all = meanOf(CENTRED_LANGUAGES.map((each) => means.get(`${kind} ${each}`) as Float32Array));
    return own.map((x, at) => share * x + (1 - share) * (all[at] as number));
  });
  writeFileSync(FILE, contentOf(written));
  console.log(`chest: wrote ${FILE}`);
}

const contentOf = (written: string) => `/**
 * Offsets of multilingual-e5-small by kind and language, in the form of \`writeCentres\`. Made by
 * \`npm run eval -- centres\` from the evaluation's own texts.
 */
export const E5_SMALL =
  "${written}";
`;

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new Error("a language has no text to learn from");
  return first.map((_, at) => vectors.reduce((sum, vector) => sum + (vector[at] as number), 0) / vectors.length);
}

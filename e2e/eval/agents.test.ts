import { redact } from "@chest/core/redaction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CROSS, partOf } from "./eval-set.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import floor from "./floor.json" with { type: "json" };
import { HASHED } from "./hashed-vectors.ts";
import { measure } from "./measures.ts";
import { agentsSet, blindSet, passagesSet, updatesSet } from "./sets/agents.ts";
import { type EvalStore, openStore } from "./store.ts";

const set = agentsSet();
const blind = blindSet();
const updates = updatesSet();
const languages = ["en", "ja", "zh", "ko"];
/** Reads the language out of `en/slug` or `blind/en/slug`. */
const languageOf = (key: string) => key.split("/").at(-2);

it.each([set, blind])("asks at least 100 questions with an answer and 20 without: $name", ({ questions }) => {
  const answerable = questions.filter(({ answers }) => answers.length > 0);
  expect(answerable.length).toBeGreaterThanOrEqual(100);
  expect(questions.length - answerable.length).toBeGreaterThanOrEqual(20);
});

describe.each([set, blind, updates])("what agents remember and ask, written by hand: $name", (set) => {
  const keys = new Set(set.documents.map(({ key }) => key));
  const answerable = set.questions.filter(({ answers }) => answers.length > 0);

  it("has at least 150 memories, in four languages", () => {
    expect(keys.size).toBe(set.documents.length);
    expect(new Set(set.questions.map(({ key }) => key)).size).toBe(set.questions.length);
    expect(set.documents.length).toBeGreaterThanOrEqual(150);
    for (const lang of languages) {
      expect(answerable.filter((question) => question.lang === lang).length).toBeGreaterThanOrEqual(16);
      expect(set.documents.filter(({ key }) => languageOf(key) === lang).length).toBeGreaterThanOrEqual(35);
    }
  });

  it("names existing memories, and none as answer and trap at once", () => {
    for (const { answers, traps = [] } of set.questions) {
      expect([...answers, ...traps].filter((key) => !keys.has(key))).toEqual([]);
      expect(traps.filter((key) => answers.includes(key))).toEqual([]);
    }
  });

  it("asks across languages only where it says so", () => {
    for (const { key, lang, answers } of answerable) {
      const asked = languageOf(key);
      expect([key, answers.every((answer) => languageOf(answer) === asked)]).toEqual([key, lang !== CROSS]);
    }
  });

  it("contains nothing that looks like a secret, so that texts are stored unchanged", () => {
    for (const { content } of set.documents) expect(redact(content)).toBe(content);
  });

  it("has a good third of every language in each part", () => {
    for (const lang of languages) {
      const own = answerable.filter((question) => question.lang === lang);
      const tuned = own.filter((question) => partOf(question) === "tune").length;
      expect([lang, Math.min(tuned, own.length - tuned) >= own.length / 3]).toEqual([lang, true]);
    }
  });
});

describe("recall by words alone", () => {
  let store: EvalStore;
  let found: Evaluation;

  beforeAll(async () => {
    store = await openStore("agents", set.documents, HASHED);
    found = await evaluate(set, "private", store, "words", undefined);
  });
  afterAll(() => store?.close());

  it.each(Object.entries(floor.languages))("does not fall below the floor: %s", (lang, least) => {
    const own = found.asked.filter(({ question }) =>
      lang === "all" ? question.lang !== CROSS : question.lang === lang,
    );
    const { recall10, mrr } = measure(own);
    expect(recall10).toBeGreaterThanOrEqual(least.recall10);
    expect(mrr).toBeGreaterThanOrEqual(least.mrr);
  });

  it("finds 90 % among the first ten and has an MRR of .80 on the part without tuning", () => {
    const row = found.rows.find(({ lang, part }) => lang === "all" && part === "report");
    expect(row?.measures.recall10).toBeGreaterThanOrEqual(0.9);
    expect(row?.measures.mrr).toBeGreaterThanOrEqual(0.8);
  });

  it("hardly loses by ranking rows with the rarest words only, as in a large store", async () => {
    const frugal = await evaluate(set, "private", store, "rarest", undefined);
    const answersTo = ({ asked }: Evaluation) => asked.map(({ shown }) => shown);
    expect(answersTo(frugal)).not.toEqual(answersTo(found));
    const [now, before] = [measure(frugal.asked), measure(found.asked)];
    expect(now.mrr).toBeGreaterThanOrEqual(before.mrr - floor.rarestCosts);
    expect(now.recall10).toBeGreaterThanOrEqual(before.recall10 - floor.rarestCosts);
  });

  it("is not better with one leg than with both, beyond two or three questions", async () => {
    const hybrid = measure((await evaluate(set, "private", store, "hybrid", undefined)).asked);
    const vectors = measure((await evaluate(set, "private", store, "vectors", undefined)).asked);
    expect(hybrid.mrr).toBeGreaterThanOrEqual(Math.max(measure(found.asked).mrr, vectors.mrr) - floor.hybridCosts);
  });

  it("leaves questions without an answer unanswered as often as before, and others hardly ever", () => {
    expect(found.abstention?.nothing).toBeGreaterThanOrEqual(floor.nothing);
    expect(found.abstention?.wronglyNothing).toBeLessThanOrEqual(floor.wronglyNothing);
  });

  it("has more confidence in questions with an answer than in those without", () => {
    expect(found.abstention?.separation).toBeGreaterThanOrEqual(floor.separation);
  });
});

describe("recall by words alone of facts that changed", () => {
  it("does not fall below the floor", async () => {
    const store = await openStore(updates.name, updates.documents, HASHED);
    try {
      const { recall10, mrr } = measure((await evaluate(updates, "private", store, "words", undefined)).asked);
      expect(recall10).toBeGreaterThanOrEqual(floor.updates.recall10);
      expect(mrr).toBeGreaterThanOrEqual(floor.updates.mrr);
    } finally {
      await store.close();
    }
  });
});

describe("recall by words alone of passages about one subject, in Japanese and Chinese", () => {
  it("does not prefer a passage for being newer", async () => {
    const passages = passagesSet();
    const store = await openStore(passages.name, passages.documents, HASHED);
    try {
      const { asked } = await evaluate(passages, "private", store, "words", undefined);
      for (const lang of ["ja", "zh"]) {
        const { recall1 } = measure(asked.filter(({ question }) => question.lang === lang));
        expect([lang, recall1 >= floor.passages.recall1]).toEqual([lang, true]);
      }
    } finally {
      await store.close();
    }
  });
});

describe("recall by words alone, of texts by authors who did not know the search", () => {
  let store: EvalStore;
  let found: Evaluation;

  beforeAll(async () => {
    store = await openStore(blind.name, blind.documents, HASHED);
    found = await evaluate(blind, "private", store, "words", undefined);
  });
  afterAll(() => store?.close());

  it.each(Object.entries(floor.blind))("does not fall below the floor: %s", (kinds, least) => {
    const isParaphrase = ({ question: { kind } }: Evaluation["asked"][number]) => kind === "paraphrase";
    const { recall10, mrr } = measure(found.asked.filter((asked) => isParaphrase(asked) === (kinds === "paraphrases")));
    expect(recall10).toBeGreaterThanOrEqual(least.recall10);
    expect(mrr).toBeGreaterThanOrEqual(least.mrr);
  });

  it("is not better with one leg than with both, beyond two or three questions", async () => {
    const hybrid = measure((await evaluate(blind, "private", store, "hybrid", undefined)).asked);
    const vectors = measure((await evaluate(blind, "private", store, "vectors", undefined)).asked);
    expect(hybrid.mrr).toBeGreaterThanOrEqual(Math.max(measure(found.asked).mrr, vectors.mrr) - floor.hybridCosts);
  });

  it("has more confidence in questions with an answer than in those without", () => {
    expect(found.abstention?.separation).toBeGreaterThanOrEqual(floor.blindSeparation);
  });
});

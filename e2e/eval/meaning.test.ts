import { redact, STOP_WORDS, termsOf } from "@chest/core";
import { describe, expect, it } from "vitest";
import { CROSS, partOf } from "./eval-set.ts";
import { changesSet, meaningSet, twinsSet } from "./sets/agents.ts";

const meaning = meaningSet();
const languages = ["en", "ja", "zh", "ko"];

describe.each([meaning, changesSet(), twinsSet()])("what was written for one question each: $name", (set) => {
  const keys = new Set(set.documents.map(({ key }) => key));
  const answerable = set.questions.filter(({ answers }) => answers.length > 0);

  it("names memories that there are, each key once", () => {
    expect(keys.size).toBe(set.documents.length);
    expect(new Set(set.questions.map(({ key }) => key)).size).toBe(set.questions.length);
    expect(
      set.questions.flatMap(({ answers, traps = [] }) => [...answers, ...traps]).filter((key) => !keys.has(key)),
    ).toEqual([]);
  });

  it("holds nothing that is taken for a secret, so what is stored is what was written", () => {
    for (const { content } of set.documents) expect(redact(content)).toBe(content);
  });

  it("has a third of what is asked in one language, and in another, in each part", () => {
    for (const own of [
      answerable.filter(({ lang }) => lang === CROSS),
      answerable.filter(({ lang }) => lang !== CROSS),
    ]) {
      const tuned = own.filter((question) => partOf(question) === "tune").length;
      expect(Math.min(tuned, own.length - tuned)).toBeGreaterThanOrEqual(own.length / 3);
    }
  });
});

describe("questions that share no word with their answer", () => {
  const contents = new Map(meaning.documents.map(({ key, about, content }) => [key, `${about} ${content}`]));

  it("are 60 and more in another language than the answer, and 60 and more paraphrases", () => {
    expect(meaning.questions.filter(({ lang }) => lang === CROSS).length).toBeGreaterThanOrEqual(60);
    expect(meaning.questions.filter(({ kind }) => kind === "paraphrase").length).toBeGreaterThanOrEqual(60);
    expect(new Set(meaning.questions.map(({ lang }) => lang))).toEqual(new Set([...languages, CROSS]));
  });

  it("are paraphrases whose every shared word is a stop word", () => {
    for (const { key, text, answers } of meaning.questions.filter(({ kind }) => kind === "paraphrase")) {
      const said = new Set(answers.flatMap((answer) => termsOf(contents.get(answer) ?? "").words));
      const shared = termsOf(text).words.filter((word) => said.has(word) && !STOP_WORDS.has(word));
      expect([key, shared]).toEqual([key, []]);
    }
  });
});

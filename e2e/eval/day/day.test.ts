import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inParallel } from "../../support/in-parallel.ts";
import { OWN_CORPUS, partsOf, readCorpus } from "./corpus.ts";
import { type Figures, figuresOf, type Share, shareOf } from "./figures.ts";
import floors from "./floors.json" with { type: "json" };
import { playRepository } from "./play.ts";

const corpus = readCorpus(OWN_CORPUS);
const sessions = corpus.flatMap((repository) => repository.sessions);
const labels = sessions.flatMap((session) => session.labels ?? []);

describe("the sessions in the repository's own words", () => {
  it("are of five repositories, in four languages, each labelled", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(5);
    expect(labels).toHaveLength(sessions.length);
    expect(new Set(labels.flatMap((each) => each.lessons.map(({ language }) => language)))).toEqual(
      new Set(["en", "ja", "zh", "ko"]),
    );
    expect(labels.flatMap((each) => each.lessons).length).toBeGreaterThanOrEqual(40);
    expect(labels.flatMap((each) => each.not).length).toBeGreaterThanOrEqual(80);
    expect(labels.flatMap((each) => each.next_steps).length).toBeGreaterThanOrEqual(15);
    expect(labels.flatMap((each) => each.failures).length).toBeGreaterThanOrEqual(20);
  });

  it("contain, in the labelled line, every sentence that a label names", () => {
    for (const { name, lines, labels: of } of sessions) {
      const said = (line: number) => {
        const at = lines[line - 1];
        const content = at?.message?.content;
        return typeof content === "string"
          ? content
          : at &&
              partsOf(at)
                .map(({ text }) => text)
                .join("\n");
      };
      for (const { sentence, line } of [...(of?.lessons ?? []), ...(of?.not ?? [])])
        expect(said(line), `${name}:${line}`).toContain(sentence);
      for (const { cut_line: cut } of of?.next_steps ?? []) expect(lines[cut - 1]?.type, name).toBe("assistant");
    }
  });
});

describe("a folder that is no corpus", () => {
  const folder = mkdtempSync(join(tmpdir(), "chest-day-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is refused with the name of the file and its fault", () => {
    expect(() => readCorpus(folder)).toThrow("sources.json is missing");
    writeFileSync(join(folder, "sources.json"), JSON.stringify([{ slug: "shop", sessions: [{ n: "one" }] }]));
    expect(() => readCorpus(folder)).toThrow(/sources\.json: .*expected number[\s\S]*\[0\]\.sessions\[0\]\.n/);
    expect(() => readCorpus(OWN_CORPUS, ["shop"])).toThrow("no repository is called shop; ");
  });
});

describe("a week of these sessions", () => {
  let figures: Figures;
  beforeAll(async () => {
    figures = figuresOf(await inParallel(corpus, 2, playRepository));
  }, 1_200_000);

  it("makes no memory of a text that was pasted, or meant for once", () => {
    expect(figures.wrongRules).toEqual([]);
  });

  it.each([
    ["of the memories that came about by themselves, worth keeping", ({ worth }: Figures) => worth, floors.worth],
    ["of the lessons, kept", ({ lessonsKept }: Figures) => lessonsKept, floors.lessonsKept],
    ["of the lessons, kept or saved when asked", (of: Figures) => of.lessonsWithAsked, floors.lessonsWithAsked],
    ["of the lessons, found in three by a paraphrase", (of: Figures) => of.lessonsInThree, floors.lessonsInThree],
    ["of the next steps, handed on", ({ steps }: Figures) => steps, floors.steps],
    ["of the failures, helped", ({ failuresAgain }: Figures) => failuresAgain, floors.failuresAgain],
    ["of varied later failures, helped", ({ failuresLater }: Figures) => failuresLater, floors.failuresLater],
    ["of the listed lines at a start, of use", ({ start }: Figures) => start.lines, floors.startLines],
    ["of the listed lines at a prompt, of use", ({ prompt }: Figures) => prompt.lines, floors.promptLines],
    ["of answered questions, the answer first", ({ recall }: Figures) => recall.first, floors.recallFirst],
  ] as const)("share %s", (_, of: (figures: Figures) => Share, least) => {
    expect(shareOf(of(figures)), JSON.stringify(of(figures))).toBeGreaterThanOrEqual(least);
  });

  it("gets short answers, with text of which at least half is right", () => {
    expect(figures.recall.right).toBeGreaterThanOrEqual(floors.recallRight);
    expect(figures.recall.medianTokens).toBeLessThanOrEqual(floors.most.recallTokens);
    expect(figures.recall.medianRows).toBeLessThanOrEqual(floors.most.recallRows);
    expect(figures.start.medianTokens).toBeLessThanOrEqual(floors.most.startTokens);
    expect(figures.prompt.medianTokens).toBeLessThanOrEqual(floors.most.promptTokens);
  });

  it("ends every hook in silence, with exit code 0", () => {
    expect(figures.odd).toBe(0);
  });
});

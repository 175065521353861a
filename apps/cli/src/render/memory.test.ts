import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { openOutput } from "../terminal/output.ts";
import { memoryLines, showMemory, wrapped } from "./memory.ts";

describe("a memory on a terminal", () => {
  it.each([
    ["Japanese", "青いクラスタへのデプロイは秋の障害以来ずっと手動で行われている。".repeat(5)],
    ["Chinese", "自秋季故障以来，所有部署都通过蓝色集群进行。".repeat(5)],
    ["Korean", "가을 장애 이후로 모든 배포는 파란 클러스터를 거친다. ".repeat(5)],
    ["mixed with words", "deploys は blue cluster を通る, always since 2025; ".repeat(8)],
    ["a word that is too long", "x".repeat(300)],
  ])("is never wider than it: %s", (_, text) => {
    const lines = wrapped(text, 60);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(60);
    // Also checks that lines are filled: counting characters instead of columns would leave half of each line empty, or
    // exceed it.
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeGreaterThan(50);
    expect(lines.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
  });

  it("cannot do anything to the terminal", () => {
    const text = "a\u001b[2Jb\u001b]0;title\u0007c\rd\u202ee\u200bf";
    const shown = memoryLines({ id: 1, layer: "learning", entity: "x\u001b[31m\ny", content: text }, 80).join("");
    expect(shown).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  it("shows objections to it before its text", () => {
    const memory = { id: 7, layer: "learning", category: "decision", created_at: 1_700_000_000, content: "green" };
    const replaced = {
      ...memory,
      match_reasons: ["bm25", "superseded_explicit"],
      contradicted_by: [8, 9],
      stale: ["src/a.ts", "b\n.md"],
    };
    expect(memoryLines(replaced, 80)).toEqual([
      "#7  learning  decision  2023-11-14  superseded",
      "    contradicted by #8, #9: read both before use",
      "    changed since: src/a.ts, b .md",
      "    green",
    ]);
    expect(memoryLines({ ...memory, category: "learning" }, 80)[0]).toBe("#7  learning  2023-11-14");
    expect(memoryLines({ ...memory, title: "Colour" }, 80)[0]).toBe("#7  Colour  learning  decision  2023-11-14");
    const archived = { ...memory, match_reasons: ["archive_explicit"] };
    expect(memoryLines(archived, 80)[0]).toBe("#7  learning  decision  2023-11-14  archived");
  });

  it("shows its origin in one line, and where the rest is", () => {
    const memory = {
      id: 7,
      layer: "realize",
      entity: { name: "acme" },
      created_at: 1_700_000_000,
      match: "fair",
      content: "one\ntwo",
      content_truncated: true,
      tags: ["db"],
    };
    expect(memoryLines(memory, 80)).toEqual(["#7  realize  acme  2023-11-14  fair match  #db", "    one", "    two"]);
    let told = "";
    const stdout = {
      write(text: string) {
        told += text;
      },
    };
    showMemory(
      openOutput({ isJson: false, isQuiet: false, isVerbose: false, name: { program: "here" }, stdout }),
      memory,
    );
    expect(told).toBe(
      "#7  realize  acme  2023-11-14  fair match  #db\n    one\n    two\n    … `here show 7` has the rest\n\n",
    );
  });

  it("keeps commands in the text, and its own indentation", () => {
    const content = "run `chest-index status` on the machine that has the store\n  - then look at it";
    expect(wrapped(content, 30)).toEqual([
      "    run `chest-index status`",
      "    on the machine that has",
      "    the store",
      "      - then look at it",
    ]);
  });
});

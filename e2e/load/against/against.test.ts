import { describe, expect, it } from "vitest";
import { runProgram } from "../../support/clients/cli.ts";
import { cleanEnv } from "../../support/process.ts";
import { seeded } from "../../support/random.ts";
import { Absent, contest } from "./contest.ts";
import { saves } from "./memories.ts";
import { phraseOf, prose, questionFor } from "./prose.ts";
import { type Comparison, comparisonTable, ofPrograms, ofRequests, ratioOf } from "./report.ts";
import { readAgainst, UsageError } from "./settings.ts";

const NAMES = ["write", "recall", "hook"];

describe("the arguments", () => {
  it("are a commit, and by default every measure of stores of 1,000 and 10,000", () => {
    expect(readAgainst(["v1.2.3"], {}, NAMES)).toEqual({
      ref: "v1.2.3",
      measures: NAMES,
      sizes: [1000, 10_000],
      rounds: 7,
      hasRival: false,
    });
  });

  it("select measures, which run in a fixed order", () => {
    expect(readAgainst(["HEAD"], { only: "hook, write" }, NAMES).measures).toEqual(["write", "hook"]);
  });

  it("choose the sizes, the turns and a rival", () => {
    const given = { size: "100000,500", rounds: "3", rival: true };
    expect(readAgainst(["HEAD"], given, NAMES)).toMatchObject({ sizes: [100_000, 500], rounds: 3, hasRival: true });
  });

  it.each([
    [[], {}, "which commit?"],
    [["a", "b"], {}, "unexpected argument `b`"],
    [["a"], { only: "write,reads" }, "no measure is named `reads`: there are write, recall, hook"],
    [["a"], { size: "1000,many" }, "`--size` takes whole numbers, not `many`"],
    [["a"], { size: "0" }, "`--size`"],
    [["a"], { rounds: "-1" }, "`--rounds`"],
  ])("are refused in one line: %j %j", (positionals, given, message) => {
    const read = () => readAgainst(positionals, given, NAMES);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  });

  it.each([
    [[], "which commit?"],
    [["no-such-commit"], "no commit is named `no-such-commit` here"],
    [["--upload-pack=x^{/y}"], "no commit"],
    [["HEAD", "--only", "reads"], "no measure is named `reads`"],
  ])("end the command with code 2 and one line where they are wrong: %j", async (words, message) => {
    const [ref = "", ...options] = words;
    const args = ref === "" ? [] : [...options, "--", ref];
    const ended = await runProgram(["e2e/load/main.ts", "against", ...args], cleanEnv({}));
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

const compared = (quantity: Comparison["quantity"], theirs: number[] | undefined, ours: number[]): Comparison => ({
  name: "a thing",
  quantity,
  unit: "ms",
  theirs,
  ours,
});

describe("the ratio", () => {
  it("is the median over consecutive turns, whatever the machine did between them", () => {
    expect(ratioOf(compared("CPU", [1, 10, 100], [2, 20, 300]))).toMatchObject({ median: 2, lowest: 2, highest: 3 });
  });

  it.each([
    ["CPU", [2, 2, 2], "worse"],
    ["CPU", [0.5, 0.6, 0.5], "better"],
    ["memory", [2, 2, 2], "worse"],
    ["wall", [2, 2, 2], "worse"],
    ["rate", [2, 2, 2], "better"],
    ["rate", [0.5, 0.6, 0.5], "worse"],
    ["CPU", [2, 2, 0.9], undefined],
    ["rate", [1.01, 1.02, 1.1], undefined],
  ] as const)("of %s at %j is reported as %s", (quantity, ours, verdict) => {
    expect(ratioOf(compared(quantity, [1, 1, 1], [...ours]))?.verdict).toBe(verdict);
  });

  it("is missing for a turn without measurable time, and for a feature that the commit lacks", () => {
    expect(ratioOf(compared("CPU", [0, 1], [1, 2]))).toMatchObject({ lowest: 2, highest: 2 });
    expect(ratioOf(compared("CPU", [0], [1]))).toBeUndefined();
    expect(ratioOf(compared("CPU", undefined, [1]))).toBeUndefined();
  });
});

const sample = (wallMs: number, cpuMs: number) => ({ requests: 10, wallMs, cpuMs, tookMs: [] });

it("prints medians, their ratio and the range over turns, or that the commit lacks the feature", () => {
  const lines = [
    ...ofRequests("write", { theirs: [sample(10, 5), sample(20, 6)], ours: [sample(20, 10), sample(40, 15)] }),
    ...ofPrograms("hook", { theirs: undefined, ours: [sample(1200, 700)] }),
  ];
  expect(comparisonTable(lines, "70c2bef3", "ccc1e07b+")).toMatchInlineSnapshot(`
    "             70c2bef3  ccc1e07b+   ratio  of two turns
    write  CPU    0.55 ms    1.25 ms  × 2.25     2 to 2.50  worse
           rate    750 /s     375 /s  × 0.50  0.50 to 0.50  worse
    hook   CPU     absent      70 ms
           wall    absent     120 ms"
  `);
});

describe("two sides in turns", () => {
  const told: string[] = [];
  const one = (name: string) => async () => {
    told.push(`${name} is ready`);
    return {
      turn: async (round: number) => `${name} ${told.push(`${name} ${round}`)}`,
      end: async () => void told.push(`${name} ends`),
    };
  };

  it("run one after the other, theirs first", async () => {
    told.length = 0;
    const { theirs, ours } = await contest(2, { theirs: one("A"), ours: one("B") });
    expect(told).toEqual(["A is ready", "B is ready", "A 0", "B 0", "A 1", "B 1", "A ends", "B ends"]);
    expect([theirs, ours]).toEqual([
      ["A 3", "A 5"],
      ["B 4", "B 6"],
    ]);
  });

  it("are only ours where the commit lacks the feature", async () => {
    told.length = 0;
    const { theirs, ours } = await contest(1, {
      theirs: () => Promise.reject(new Absent("there is no hook")),
      ours: one("B"),
    });
    expect([theirs, ours?.length, told]).toEqual([undefined, 1, ["B is ready", "B 0", "B ends"]]);
  });

  it("end when one of them fails", async () => {
    told.length = 0;
    const fails = () => Promise.reject(new Error("broken"));
    await expect(contest(1, { theirs: one("A"), ours: fails })).rejects.toThrow("broken");
    expect(told).toEqual(["A is ready", "A ends"]);
  });
});

describe("the texts", () => {
  it("are the same for each side, and no two are alike until each was used once", () => {
    const [one, other] = [prose(), prose()];
    const texts = Array.from({ length: 1000 }, () => one().text);
    expect(texts).toEqual(Array.from({ length: 1000 }, () => other().text));
    expect(new Set(texts).size).toBe(1000);
    for (const text of texts) {
      const { length } = text.split(/\s+/);
      expect(length >= 40 && length <= 120, `${length} words`).toBe(true);
    }
  });

  it("are saved in sessions of ten, in the named project", () => {
    const save = saves(
      () => "gateway",
      (nth) => `acme/${nth % 2}`,
    );
    const requests = Array.from({ length: 20 }, save);
    expect(new Set(requests.map(({ headers }) => headers?.["x-chest-session"])).size).toBe(3);
    expect(requests[0]).toMatchObject({
      headers: { "x-chest-project": "acme%2F1" },
      body: { entity_name: "gateway" },
    });
  });

  it("are queried by two to eight of their words", () => {
    const random = seeded(1);
    const text = "one two three four five six seven eight nine ten";
    for (let nth = 0; nth < 50; nth++) {
      expect(questionFor(text, random).split(" ").length).toSatisfy((count: number) => count >= 2 && count <= 8);
      expect(text).toContain(phraseOf(text, random));
    }
    expect(phraseOf("alone", random)).toBe("alone");
  });
});

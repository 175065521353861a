import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigError, type Env, readEnv } from "./env.ts";
import { flag, intInRange, listOf, numberInRange, oneOf, path, port, secret, text, words } from "./variables.ts";

const VARIABLES = {
  CHEST_PORT: port().default(8765),
  CHEST_DOCS: flag().default(true),
  CHEST_API_TOKEN: secret(32),
  CHEST_SEARCH_THREADS: intInRange(1, 64).default(1),
  CHEST_FUSION: oneOf(["convex", "rrf"]).default("convex"),
};
const TOKEN = "t".repeat(32);

const read = (env: Env) => readEnv(VARIABLES, { CHEST_API_TOKEN: TOKEN, ...env });
const problemsOf = (env: Env): readonly string[] => {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe("readEnv", () => {
  it("gives the defaults when nothing is set, and counts an empty variable as unset", () => {
    const { values, warnings } = read({ CHEST_PORT: "", CHEST_DOCS: "" });

    expect(values).toEqual({
      CHEST_PORT: 8765,
      CHEST_DOCS: true,
      CHEST_API_TOKEN: TOKEN,
      CHEST_SEARCH_THREADS: 1,
      CHEST_FUSION: "convex",
    });
    expect(warnings).toEqual([]);
  });

  it("names every problem at once, by variable, and never shows a secret", () => {
    const problems = problemsOf({
      CHEST_PORT: "http",
      CHEST_DOCS: "perhaps",
      CHEST_API_TOKEN: "hunter2",
      CHEST_SEARCH_THREADS: "many",
      CHEST_FUSION: "magic",
    });

    expect(problems).toEqual([
      "CHEST_PORT: `http` is not a port from 1 to 65535",
      "CHEST_DOCS: `perhaps` is neither 1, true, on nor 0, false, off",
      "CHEST_API_TOKEN: has fewer than 32 characters",
      "CHEST_SEARCH_THREADS: `many` is not a whole number",
      "CHEST_FUSION: `magic` is not one of convex, rrf",
    ]);
  });

  it.each(["0", "65536", "-1", "80.5", "1e3", " 80"])("refuses the port `%s`", (input) => {
    expect(problemsOf({ CHEST_PORT: input })).toHaveLength(1);
  });

  it.each([
    ["65", 64],
    ["64", 64],
  ])("clamps %s threads to %i", (input, expected) => {
    expect(read({ CHEST_SEARCH_THREADS: input }).values.CHEST_SEARCH_THREADS).toBe(expected);
  });

  it.each(["0", "-3"])("goes by the default where there is to be none: %s threads", (input) => {
    const { values, warnings } = read({ CHEST_SEARCH_THREADS: input });
    expect(values).toEqual(read({}).values);
    expect(warnings).toEqual([`CHEST_SEARCH_THREADS: ${input} is outside 1–64, so it is ignored`]);
  });

  it("warns of what it clamped", () => {
    expect(read({ CHEST_SEARCH_THREADS: "99" }).warnings).toEqual([
      "CHEST_SEARCH_THREADS: 99 is outside 1–64, so 64 is used",
    ]);
  });

  it.each([
    ["1", true],
    ["TRUE", true],
    ["On", true],
    ["0", false],
    ["False", false],
    ["OFF", false],
  ])("reads the flag `%s`", (input, expected) => {
    expect(read({ CHEST_DOCS: input }).values.CHEST_DOCS).toBe(expected);
  });

  it("refuses a secret that no header can carry", () => {
    expect(problemsOf({ CHEST_API_TOKEN: `${TOKEN} ключ` })).toEqual([
      "CHEST_API_TOKEN: contains characters that a header cannot carry",
    ]);
  });

  it("says that a required variable is not set", () => {
    expect(problemsOf({ CHEST_API_TOKEN: "" })).toEqual(["CHEST_API_TOKEN: is not set"]);
  });

  it("has one warning for all it does not know, and one for what has no effect yet", () => {
    const { warnings } = readEnv(
      VARIABLES,
      {
        CHEST_API_TOKEN: TOKEN,
        CHEST_PROT: "1",
        CHEST_X: "2",
        CHEST_MODE: "local",
        CHEST_STORE_PROMPTS: "1",
        PATH: "/",
      },
      { elsewhere: ["CHEST_MODE"], withoutEffect: ["CHEST_STORE_PROMPTS"] },
    );

    expect(warnings).toEqual(["without effect yet: CHEST_STORE_PROMPTS", "unknown, so ignored: CHEST_PROT, CHEST_X"]);
  });
});

describe("a secret from a file", () => {
  const fromFile = (env: Env, readFile: (path: string) => string) => readEnv(VARIABLES, env, { readFile });

  it("is read without the line break at its end", () => {
    const { values } = fromFile({ CHEST_API_TOKEN_FILE: "/run/token" }, () => `${TOKEN}\n`);

    expect(values.CHEST_API_TOKEN).toBe(TOKEN);
  });

  it("yields to the variable itself, with a warning", () => {
    const { values, warnings } = fromFile(
      { CHEST_API_TOKEN: TOKEN, CHEST_API_TOKEN_FILE: "/run/token" },
      () => "other",
    );

    expect(values.CHEST_API_TOKEN).toBe(TOKEN);
    expect(warnings).toEqual(["CHEST_API_TOKEN is set, so the file of CHEST_API_TOKEN_FILE is not read"]);
  });

  it("is a problem of its own when the file cannot be read", () => {
    expect(() => readEnv(VARIABLES, { CHEST_API_TOKEN_FILE: "/nowhere/token" })).toThrow(
      "CHEST_API_TOKEN_FILE: `/nowhere/token` cannot be read (ENOENT)",
    );
  });

  it("is as good as not set when the file is empty", () => {
    expect(() => fromFile({ CHEST_API_TOKEN_FILE: "/run/token" }, () => "\n")).toThrow("CHEST_API_TOKEN: is not set");
  });
});

describe("the kinds of variables", () => {
  it("reads numbers, lists, paths and text", () => {
    const { values } = readEnv(
      {
        A: numberInRange(0, 1),
        B: listOf(["read", "write"]),
        C: words(),
        D: path(),
        E: text().optional(),
        F: numberInRange(-1, 1),
      },
      { A: ".25", B: "read, write", C: "https://a.example , ", D: "/x/../y", F: "-0.5" },
    );

    expect(values).toEqual({ A: 0.25, B: ["read", "write"], C: ["https://a.example"], D: "/y", E: undefined, F: -0.5 });
  });

  it("refuses a word that a list does not know, and an empty list", () => {
    expect(() => readEnv({ B: listOf(["read", "write"]) }, { B: "read,root" })).toThrow("B: `read,root` is not one of");
    expect(() => readEnv({ B: listOf(["read", "write"]) }, { B: "," })).toThrow("B: `,` is an empty list");
  });

  it("expands the home folder", () => {
    expect(readEnv({ D: path() }, { D: "~/chest" }).values.D).toMatch(/^\/.+\/chest$/);
    expect(readEnv({ D: path() }, { D: "~other/chest" }).values.D).toMatch(/~other\/chest$/);
  });

  it("takes any schema", () => {
    expect(readEnv({ A: z.literal("x") }, { A: "x" }).values.A).toBe("x");
  });
});

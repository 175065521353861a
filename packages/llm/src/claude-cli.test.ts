import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fixedClock } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLlm } from "./open-llm.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-claude-"));
  mkdirSync(join(dir, "bin"));
  vi.stubEnv("PATH", [join(dir, "bin"), process.env.PATH].join(delimiter));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

/** Puts a program called `claude` on the path that notes how it was run. */
function aProgram(body: string): void {
  const file = join(dir, "bin", "claude");
  const note = `require("node:fs").writeFileSync(${JSON.stringify(join(dir, "run.json"))}, JSON.stringify({
    args: process.argv.slice(2), hooks: process.env.CHEST_HOOKS, key: process.env.CHEST_TOKEN, cwd: process.cwd(),
    here: require("node:fs").readdirSync("."), stdin: require("node:fs").readFileSync(0, "utf8") }))`;
  writeFileSync(file, `#!${process.execPath}\n${note};\n${body}\n`);
  chmodSync(file, 0o755);
}

const run = () => JSON.parse(readFileSync(join(dir, "run.json"), "utf8"));

function open(deadlineMs = 20_000) {
  const log = { warn: vi.fn() };
  const spec = { provider: "claude-cli", model: "haiku", url: undefined, apiKey: undefined } as const;
  const llm = openLlm(spec, { dailyTokens: 100_000, clock: fixedClock(), log, deadlineMs });
  const request = { system: "Answer in one word.", prompt: "a private question", maxTokens: 50 };
  return { llm, log, write: () => llm.write(request, new AbortController().signal) };
}

describe("a language model by Claude Code's own program", () => {
  it("gives the text and counts its tokens, without tools, servers, hooks and a session", async () => {
    aProgram(
      `console.log(JSON.stringify({ is_error: false, result: " written ", usage: { input_tokens: 10, output_tokens: 5, speed: "standard" } }))`,
    );
    vi.stubEnv("CHEST_TOKEN", "a secret of the backend");
    const { write, llm } = open();
    expect(await write()).toEqual({ text: "written" });
    expect(llm.state().used).toBe(15);
    const { args, hooks, here, stdin, cwd, key } = run();
    expect(args).toEqual(
      expect.arrayContaining([
        "--print",
        "--model=haiku",
        "--tools=",
        "--strict-mcp-config",
        "--no-session-persistence",
      ]),
    );
    expect(JSON.parse(args.find((each: string) => each.startsWith("--settings="))?.slice(11))).toEqual({
      disableAllHooks: true,
    });
    expect({ hooks, here, stdin }).toEqual({ hooks: "none", here: [], stdin: "a private question" });
    expect(key).toBeUndefined();
    expect(args.join(" ")).not.toContain("private");
    expect(existsSync(cwd)).toBe(false);
  });

  it.each([
    ["is not signed in", `process.exit(1)`, "EXIT_1"],
    [
      "says that it failed",
      `console.log(JSON.stringify({ is_error: true, result: "Credit balance is too low" }))`,
      "NO_RESULT",
    ],
    ["prints something else", `console.log("Welcome! a private question")`, "NO_RESULT"],
  ])("that %s gives a code, and nothing that it printed", async (_, body, cause) => {
    aProgram(body);
    const { write, log } = open();
    expect(await write()).toEqual({ failure: "failed", cause });
    expect(JSON.stringify(log.warn.mock.calls)).not.toMatch(/private|balance/);
  });

  it("that is not there says so", async () => {
    vi.stubEnv("PATH", join(dir, "bin"));
    expect(await open().write()).toEqual({ failure: "failed", cause: "ENOENT" });
  });

  it("that hangs is ended at the deadline", async () => {
    aProgram(`setInterval(() => {}, 1000)`);
    expect(await open(1500).write()).toEqual({ failure: "timeout" });
  });
});

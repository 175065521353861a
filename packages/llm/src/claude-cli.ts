import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import type { LlmRequest } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import { isObject } from "@chest/core/tool";
import type { Ask, Completion } from "./provider.ts";

const PROGRAM = "claude";
/** Longest output that is read, in UTF-16 units. */
const MOST_OUTPUT = 1_000_000;

/**
 * Asks a model by Claude Code's own program (`claude -p`), with the account that its user signed in with. It starts in an
 * empty folder, without tools, MCP servers and hooks, and keeps no session. `CHEST_HOOKS=none` tells Chest's own hooks to
 * do nothing in it, should they be run all the same.
 */
export const askClaude =
  (model: string): Ask =>
  async (request, signal) => {
    const folder = await mkdtemp(join(tmpdir(), "chest-llm-"));
    try {
      return read(await printed(request, { model, folder, signal }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

interface Run {
  readonly model: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Runs the program. Stored text goes in by a pipe, since every user of the machine sees arguments. */
function printed({ system, prompt }: LlmRequest, { model, folder, signal }: Run): Promise<string> {
  const child = spawn(PROGRAM, argumentsFor(model, system), {
    cwd: folder,
    env: { ...withoutOurs(), CHEST_HOOKS: "none" },
    stdio: ["pipe", "pipe", "ignore"],
    signal,
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.on("error", reject);
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      if (output.length > MOST_OUTPUT) child.kill();
    });
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(failed(`EXIT_${code ?? "KILLED"}`))));
    child.stdin.on("error", () => undefined); // It ended before it had read all: its exit code says why.
    child.stdin.end(prompt);
  });
}

/** The environment without Chest's settings, some of which are secrets. */
const withoutOurs = () => Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("CHEST_")));

const argumentsFor = (model: string, system: string): string[] => [
  "--print",
  `--system-prompt=${system}`,
  "--output-format=json",
  `--model=${model}`,
  "--tools=",
  "--strict-mcp-config",
  '--settings={"disableAllHooks":true}',
  "--no-session-persistence",
  "--disable-slash-commands",
];

/** Reads the one JSON document that the program prints: the text, and all tokens that it counts. */
function read(output: string): Completion {
  const printed = parsedJson(output);
  if (!isObject(printed) || printed.is_error === true || typeof printed.result !== "string") throw failed("NO_RESULT");
  const counts = isObject(printed.usage) ? Object.entries(printed.usage) : [];
  const tokens = counts.flatMap(([name, count]) => (name.endsWith("_tokens") ? [Number(count)] : []));
  return {
    text: printed.result,
    tokens: tokens.length > 0 ? tokens.reduce((sum, count) => sum + count, 0) : undefined,
  };
}

/** An error whose code alone is told: what the program printed may hold what was sent. */
const failed = (code: string) => Object.assign(new Error("claude gave no result"), { code });

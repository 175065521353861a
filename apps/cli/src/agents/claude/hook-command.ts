import { basename } from "node:path";
import { agentWord } from "@chest/runtime/shell-words";

export const HOOK_FILE = "chest-hook.mjs";

/** Command that the agent's shell runs at an event. */
export const hookCommand = (node: string, hookFile: string, ...args: readonly string[]): string =>
  [node, hookFile, ...args].map((word) => agentWord(word)).join(" ");

const OLD_PROGRAMS = new Set([
  "chest-memory-sync",
  "chest-memory-precompact",
  "chest-memory-session-start",
  "chest-memory-user-prompt-submit",
]);
const RUNNERS = new Set(["npx", "bunx", "pnpm", "npm", "yarn", "bun"]);

/** Whether a command runs our hook program or one of 1.5; a command that only mentions them does not count. */
export function isOurs(command: string): boolean {
  const words = wordsOf(withoutTail(command));
  if (!words) return false;
  const at = words.findIndex((word) => !/^\w+=/.test(word) && word !== "exec" && word !== "env");
  const [program = "", ...rest] = words.slice(Math.max(at, 0));
  const name = nameOf(program);
  if (name === "node" || name === "chest-node") return isOurScript(rest.find((word) => !word.startsWith("-")) ?? "");
  if (RUNNERS.has(name)) return rest.some((word) => OLD_PROGRAMS.has(nameOf(word)));
  return OLD_PROGRAMS.has(name) || isOurScript(program);
}

const isOurScript = (path: string): boolean => nameOf(path) === nameOf(HOOK_FILE) || OLD_PROGRAMS.has(nameOf(path));

/** A program's name, wherever it lies, without its ending or a version. */
const nameOf = (word: string): string =>
  basename(word.replaceAll("\\", "/"))
    .replace(/(?<=.)@[\w.^~-]+$/, "")
    .replace(/\.(exe|cmd|m?js)$/i, "");

/** Redirections at the end and `|| true` say nothing about what is run. */
const withoutTail = (command: string): string =>
  command.replace(/((?<!\s)\s+(\d?>>?\s*\S+|\d>&\d|<\s*\S+|\|\|\s*(true|:|exit 0)|&))+\s*$/, "");

/** Splits a simple command into words; undefined if a shell would do more than run it. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\;&|<>()`$])+)/gy;
  let end = 0;
  for (let match = pattern.exec(command); match; match = pattern.exec(command)) {
    words.push(unquoted(match[1] ?? ""));
    end = pattern.lastIndex;
  }
  return command.slice(end).trim() === "" ? words : undefined;
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single?: string, double?: string, escaped?: string) =>
    double === undefined ? (single ?? escaped ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
  );

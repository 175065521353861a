import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { dataDirOf } from "./client-profile.ts";
import type { Env } from "./env.ts";
import { findProgram, isRunnersCopy, keptProgram, lastingPath, thisNode } from "./programs.ts";
import { asWord, commandForms, withShellSettings } from "./shell-words.ts";
import { RELEASE } from "./version.ts";

export const NAME = "chest-index";

/** The way in which the command line is called here. */
export interface OwnName {
  /** Stands for `chest-index`. */
  readonly program: string;
  /** Stands for it as soon as it is there: setup may make it as it runs. */
  kept?(): string | undefined;
  /** The words that were typed after it: `chest-index …` in a hint stands for the same command again. */
  readonly words?: readonly string[];
  /** A script of its own for one command: `npm run setup --` for `setup`. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** Flags that a command keeps, in the order in which they were given: `["--remote-url", "http://…"]` and so on. */
  keeps?(command: readonly string[]): readonly (readonly [flag: string, value: string])[];
}

/** Command that starts this program in a person's shell: as it was typed, by its name, or as it was started. */
export function ownName(env: Env, script: string, node: string = thisNode(), cwd: string = process.cwd()): OwnName {
  const typed = scriptName(env, cwd);
  if (typed) return typed;
  const PATH = lastingPath(env);
  if (isRunnersCopy(script))
    return { program: `npx --yes --package chest-memory@${RELEASE} ${NAME}`, kept: () => keptName(env, node) };
  if (findProgram(NAME, { PATH })) return { program: NAME };
  // An alias's file lies beside the one that takes every command.
  if (!/^chest-[\w-]+\.js$/.test(basename(script))) return { program: NAME };
  return { program: startedBy(node, join(dirname(script), `${NAME}.js`), PATH) };
}

/** A file of ours, and the Node that runs it: by its name where the path leads to it. */
function startedBy(node: string, file: string, PATH: string): string {
  const known = findProgram("node", { PATH });
  const program = known && realpathSync(known) === realpathSync(node) ? "node" : node;
  return `${commandForms().program(program)} ${asWord(file)}`;
}

/** The command that setup has put on the path, or into the data folder; on Windows the program that it keeps there. */
function keptName(env: Env, node: string): string | undefined {
  const [dataDir, PATH] = [dataDirOf(env), lastingPath(env)];
  const script = join(dataDir, "bin", NAME);
  if (existsSync(script)) return findProgram(NAME, { PATH }) ? NAME : commandForms().program(script);
  const file = keptProgram(dataDir, `${NAME}.js`);
  return existsSync(file) ? startedBy(node, file, PATH) : undefined;
}

/** Reads which script of a clone runs: npm passes its name and the manifest in variables. */
function scriptName(env: Env, cwd: string): OwnName | undefined {
  const { npm_lifecycle_event: script, npm_package_name: name, npm_package_json: manifest } = env;
  if (name !== "chest" || !manifest || (script !== NAME && script !== "setup")) return undefined;
  const npm = npmIn(dirname(manifest), cwd);
  return {
    program: `${npm} run -s ${NAME} --`,
    ...(script === "setup" ? { scripts: { setup: `${npm} run setup --` } } : {}),
  };
}

/** `npm`, as it reaches the scripts of a clone from a folder. */
function npmIn(clone: string, cwd: string): string {
  const isInside = !relative(clone, resolve(cwd)).startsWith("..");
  return isInside ? "npm" : `npm --prefix ${asWord(clone)}`;
}

/** Command that starts a backend in the clone that a program lies in; undefined where it lies in none. */
export function startInClone(script: string, cwd: string = process.cwd()): string | undefined {
  const clone = cloneOf(script);
  return clone && `${npmIn(clone, cwd)} start`;
}

/** Command that updates the clone that a program lies in, and what the agents of this machine have of it. */
export function updateInClone(script: string, cwd: string = process.cwd()): string | undefined {
  const clone = cloneOf(script);
  return clone && commandForms().andThen(`git -C ${asWord(clone)} pull`, `${npmIn(clone, cwd)} run setup -- --yes`);
}

function cloneOf(script: string): string | undefined {
  const clone = resolve(dirname(script), "../../..");
  try {
    const { name, scripts } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
    return name === "chest" && scripts?.start ? clone : undefined;
  } catch {
    return undefined; // No manifest there, or none of ours.
  }
}

const WORD = String.raw`(?:'[^']*'|"[^"]*"|[^\s\`;&|'"<>{}])+`;
const COMMAND = new RegExp(String.raw`(?<![\w/.-])chest-index((?: ${WORD})+)`, "g");

/**
 * Rewrites the commands in a text so that they can be typed here, each with its flags. A command for a container keeps
 * the container's name for it.
 */
export function typedHere(
  text: string,
  { program, kept, words = [], scripts = {}, keeps = () => [] }: OwnName,
): string {
  const again = words.filter((word) => !isSecret(word)).map(asWord);
  const hint = text.replaceAll(COMMAND, (whole, rest: string, at: number) => {
    const typed = rest
      .trim()
      .split(" ")
      .flatMap((word) => (word === "…" ? again : word));
    const [command = ""] = typed;
    if (!/^(?:[a-z]|--[a-z])/.test(command)) return whole;
    if (/\bdocker\b[^`;&|\n]*$/.test(text.slice(0, at))) return [NAME, ...typed].join(" ");
    const flags = keeps(typed).filter(([flag]) => !typed.some((word) => word === flag || word.startsWith(`${flag}=`)));
    const script = Object.hasOwn(scripts, command) ? scripts[command] : undefined;
    const begin = [script ?? kept?.() ?? program];
    return [
      ...begin,
      ...(script === undefined ? typed : typed.slice(1)),
      ...flags.flatMap(([flag, value]) => [flag, asWord(value)]),
    ].join(" ");
  });
  return withShellSettings(hint);
}

/** Whether a word may be a token, which is not repeated where others may read. */
export const isSecret = (word: string): boolean => /^(?!--)[\w-]{32,}$/.test(word);

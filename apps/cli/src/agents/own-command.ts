import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { type Env, StartError } from "@chest/runtime";
import { findProgram, lastingPath } from "@chest/runtime/programs";
import { lastingProgram } from "./client-programs.ts";
import { type ConfigurationOptions, editOwn } from "./created-files.ts";
import { LEAST_NODE, launcherText } from "./launcher.ts";
import { fittingNode } from "./programs.ts";
import type { Step } from "./step.ts";

const NAME = "chest-index";

interface CommandOptions extends ConfigurationOptions {
  readonly env: Env;
}

const scriptIn = (dataDir: string): string => join(dataDir, "bin", NAME);
const binFolder = (): string => join(homedir(), ".local", "bin");

/**
 * Puts `chest-index` where a shell finds it, if the shell finds none: a script in the data folder, and a link to it in
 * `~/.local/bin` if that is on the path. Windows has no such folder.
 */
export async function installCommand({ env, dataDir, isDry }: CommandOptions): Promise<Step[]> {
  if (process.platform === "win32") return [];
  const script = scriptIn(dataDir);
  const link = join(binFolder(), NAME);
  const PATH = lastingPath(env);
  const found = findProgram(NAME, { PATH });
  if (found !== undefined && !isLinkTo(link, script)) return [];
  const { path: node } = await fittingNode(env, LEAST_NODE.local);
  const program = lastingProgram(`${NAME}.js`, dataDir);
  const text = launcherText({ node, least: LEAST_NODE.local, path: script, program });
  const outcome = await editOwn(script, () => text, { isDry, dataDir });
  if (!isDry) chmodSync(script, 0o700);
  const made: Step = { step: "command", outcome, path: script };
  if (isLinkTo(link, script)) return [made];
  if (isThere(link)) return [made, { step: "link", outcome: "left", path: link, note: "another file is there" }];
  if (!PATH.split(delimiter).some((place) => resolve(place) === binFolder())) {
    const note = `\`${binFolder()}\` is not on the PATH: type the path of the command, or add the folder and run this again`;
    return [made, { step: "link", outcome: "skipped", path: link, note }];
  }
  if (!isDry) linkTo(link, script);
  return [made, { step: "link", outcome: "added", path: link, note: `\`${NAME}\` is a command from now on` }];
}

/** Takes the command away, and its link. */
export async function removeCommand({ dataDir, isDry }: ConfigurationOptions): Promise<Step[]> {
  const script = scriptIn(dataDir);
  const link = join(binFolder(), NAME);
  const steps: Step[] = [];
  if (isLinkTo(link, script)) {
    if (!isDry) rmSync(link);
    steps.push({ step: "link", outcome: "removed", path: link });
  }
  if (existsSync(script)) {
    steps.push({ step: "command", outcome: await editOwn(script, () => undefined, { isDry, dataDir }), path: script });
    if (!isDry) rmSync(`${script}.found`, { force: true });
  }
  return steps;
}

function linkTo(link: string, script: string): void {
  try {
    mkdirSync(binFolder(), { recursive: true });
    symlinkSync(script, link);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`\`${link}\` cannot be made (${code})`, `type \`${script}\` instead`, error);
  }
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const isLinkTo = (link: string, script: string): boolean =>
  lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === script;

import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@chest/runtime";
import type { ClientProfile } from "@chest/runtime/profile";
import { shWord } from "@chest/runtime/shell-words";
import { readShippedLauncher } from "./claude/shipped.ts";
import { type ConfigurationOptions, editOwn } from "./created-files.ts";
import { fittingNode } from "./programs.ts";
import type { Step } from "./step.ts";

/** Our programs start with `process.getBuiltinModule`, which came with 20.16; the HTTP client needs 20.18.1. */
export const LEAST_NODE: Readonly<Record<ClientProfile["mode"], string>> = { local: "24.0", remote: "20.19" };

export interface LauncherOptions extends ConfigurationOptions {
  readonly env: Env;
  readonly mode: ClientProfile["mode"];
}

/** The script beside the hook program that finds a Node wherever an agent runs. Windows has no shell for it. */
const launcherIn = (dataDir: string): string => join(dataDir, "bin", "chest-node");

const hasLauncher = process.platform !== "win32";

/** Absolute path of the program that agents start ours with: the launcher, or Node itself on Windows. */
export async function programFor({ env, mode, dataDir }: Omit<LauncherOptions, "isDry">): Promise<string> {
  return hasLauncher ? launcherIn(dataDir) : (await fittingNode(env, LEAST_NODE[mode])).path;
}

/** Writes the launcher with the Node of this moment in it; nothing on Windows. */
export async function installLauncher(options: LauncherOptions): Promise<Step[]> {
  if (!hasLauncher) return [];
  const path = launcherIn(options.dataDir);
  const least = LEAST_NODE[options.mode];
  const { path: node } = await fittingNode(options.env, least);
  const text = launcherText({ node, least, path });
  const outcome = await editOwn(path, () => text, options);
  if (!options.isDry) chmodSync(path, 0o700);
  return [{ step: "launcher", outcome, path }];
}

/** Removes the launcher, and the place that it has noted beside itself. */
export async function removeLauncher(options: ConfigurationOptions): Promise<Step[]> {
  const path = launcherIn(options.dataDir);
  if (!existsSync(path)) return [];
  const outcome = await editOwn(path, () => undefined, options);
  if (!options.isDry) rmSync(`${path}.found`, { force: true });
  return [{ step: "launcher", outcome, path }];
}

/** Settings of a launcher. */
export interface Launcher {
  readonly node: string;
  /** Major and minor version. */
  readonly least: string;
  /** Path of the launcher itself, which stores what it finds in a file beside it. */
  readonly path: string;
  /** The program that it starts; without one, what it is given. */
  readonly program?: string;
}

/** Text of a launcher: the shipped script with its settings. */
export const launcherText = ({ node, least, path, program = "" }: Launcher): string =>
  readShippedLauncher()
    .replace(/^least=.*$/m, () => `least=${least}`)
    .replace(/^node=.*$/m, () => `node=${shWord(node)}`)
    .replace(/^versions=.*$/m, () => `versions=${shWord(neighboursOf(node))}`)
    .replace(/^program=.*$/m, () => `program=${shWord(program)}`)
    .replace(/^found_file=.*$/m, () => `found_file=${shWord(`${path}.found`)}`);

/** Pattern of the same program in the other versions of a Node manager's folder; empty for a path without a version. */
function neighboursOf(node: string): string {
  const parts = node.split("/");
  const at = parts.findLastIndex((part) => /^v?\d+\.\d+\.\d+/.test(part));
  return at < 0 ? "" : parts.with(at, "*").join("/");
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CaptureSettings, reachOf, upwardsFrom } from "@chest/files/capture-reach";
import type { ProjectKeys } from "@chest/files/project";
import type { Env } from "@chest/runtime";
import { settingsFile } from "../agents/claude/folder.ts";

/** Files of a project with settings that Claude Code passes to its hooks, and a terminal does not see. */
const OF_PROJECT = [".claude/settings.json", ".claude/settings.local.json"];

/** Whether Chest notes nothing in a folder: as this command is told, or as the agent's settings tell its hooks. */
export function isKeptOut(folder: string, keys: ProjectKeys | undefined, env: Env): boolean {
  const own = [...upwardsFrom(folder)].flatMap((at) => OF_PROJECT.map((file) => join(at, file)));
  const settings = [env, ...[settingsFile(env), ...own].map(captureSettingsIn)];
  return settings.some((each) => reachOf(folder, keys, each) !== "all");
}

function captureSettingsIn(file: string): CaptureSettings {
  try {
    const env = JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")).env ?? {};
    return { CHEST_CAPTURE: textOf(env.CHEST_CAPTURE), CHEST_EXCLUDE: textOf(env.CHEST_EXCLUDE) };
  } catch {
    return {}; // Not there, or not for this program to judge: then it says nothing of Chest.
  }
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Env } from "@chest/runtime";

/** Claude Code's folder of the user. */
export const claudeFolder = ({ CLAUDE_CONFIG_DIR: given }: Env): string =>
  given ? resolve(given) : join(homedir(), ".claude");

/** The file in which it keeps the servers of the user. */
export const claudeUserFile = ({ CLAUDE_CONFIG_DIR: given }: Env): string =>
  given ? join(resolve(given), ".claude.json") : join(homedir(), ".claude.json");

/** Settings file of Claude Code, with its hooks. */
export const settingsFile = (env: Env): string => join(claudeFolder(env), "settings.json");

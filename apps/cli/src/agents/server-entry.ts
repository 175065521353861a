import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Env } from "@chest/runtime";
import { type ClientProfile, dataDirOf } from "@chest/runtime/profile";
import { lastingProgram } from "./client-programs.ts";
import { programFor } from "./launcher.ts";
import { isRecord } from "./settings-files/jsonc.ts";

/** The name under which an agent knows our server. */
export const SERVER = "chest-memory";

/** Program and environment that an agent is told to start. */
export interface Registration {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How an agent starts our client for a profile. The token stays in its file. */
export async function registrationFor(profile: ClientProfile, dataDir: string, env: Env): Promise<Registration> {
  const { mode, url, token_file, ca_file, db_path } = profile;
  const settings = {
    CHEST_MODE: mode,
    CHEST_REMOTE_URL: mode === "remote" ? url : undefined,
    CHEST_API_TOKEN_FILE: mode === "remote" ? token_file : undefined,
    CHEST_CA_FILE: mode === "remote" ? ca_file : undefined,
    CHEST_DATA_DIR: dataDir === dataDirOf({}) ? undefined : dataDir,
    CHEST_DB_PATH: mode === "local" ? db_path : undefined,
  };
  const given = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    command: await programFor({ env, mode, dataDir }),
    args: [lastingProgram(`${SERVER}.js`, dataDir)],
    env: Object.fromEntries(given),
  };
}

/** The servers among these that are ours: the stdio client by its program, or a backend's own `/mcp`. */
export const ourServers = (servers: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(servers).filter((name) => isOurServer(name, servers[name]));

function isOurServer(name: string, entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { command, args, url } = entry;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  if (words.some((word) => PROGRAM.test(basename(word.replaceAll("\\", "/"))))) return true;
  return /chest/i.test(name) && typeof url === "string" && url.replace(/\/$/, "").endsWith("/mcp");
}

const PROGRAM = /^(mcp-)?chest-memory(@[\w.^~-]+)?(\.(c?m?js|cmd|exe))?$/;

/** Variables in an entry's environment that name the backend. */
export const SETTINGS = ["MODE", "REMOTE_URL", "API_TOKEN", "API_TOKEN_FILE", "CA_FILE", "DB_PATH"].map(
  (name) => `CHEST_${name}`,
);
const OURS = new Set([...SETTINGS, "CHEST_DATA_DIR"]);

/** Whether an entry has this command and these settings. Variables that the user added do not count. */
export function matchesRegistration(entry: unknown, { command, args, env }: Registration): boolean {
  if (!isRecord(entry) || entry.url !== undefined) return false;
  const stated = Object.entries(envOf(entry)).filter(([name]) => OURS.has(name));
  return (
    entry.command === command &&
    isDeepStrictEqual(entry.args ?? [], [...args]) &&
    isDeepStrictEqual(Object.fromEntries(stated), { ...env })
  );
}

/** The variables that the user added to an entry. */
export const addedTo = (entry: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(envOf(entry)).filter(
      (pair): pair is [string, string] => !OURS.has(pair[0]) && typeof pair[1] === "string",
    ),
  );

/** Keys of an entry that setup does not write, such as the agent's start timeout. */
export function keysBeside(entry: unknown): Readonly<Record<string, unknown>> {
  const { type, url, headers, command, args, env, ...others } = isRecord(entry) ? entry : {};
  return type === "stdio" ? { type, ...others } : others;
}

const envOf = (entry: unknown): Readonly<Record<string, unknown>> =>
  isRecord(entry) && isRecord(entry.env) ? entry.env : {};

import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { type ProxySettings, readProxy } from "@chest/client/proxy";
import { projectKeyOf } from "@chest/core/access";
import { isOff } from "@chest/files/capture-reach";
import type { Env } from "@chest/runtime";
import { absolutePath } from "@chest/runtime/absolute-path";
import { storeFileOf } from "@chest/runtime/database-url";
import { withClientProfile } from "@chest/runtime/profile";

export interface RemoteSettings {
  readonly mode: "remote";
  readonly url: string;
  readonly token: string;
  readonly ca: string | undefined;
  readonly proxy: ProxySettings;
}

export interface LocalSettings {
  readonly mode: "local";
  readonly dbPath: string;
  /** File of the term table; undefined: search by words only. */
  readonly table: string | undefined;
}

export interface Settings {
  readonly place: RemoteSettings | LocalSettings;
  /** Whether undeliverable events are queued. */
  readonly hasOutbox: boolean;
  /** Key of the project; undefined: read from the folder. */
  readonly project: string | undefined;
  /** Root folder of Claude Code's transcripts. */
  readonly transcripts: string;
  /** Environment, from which other agents' folders are read. */
  readonly env: Env;
}

/** Reason why hooks cannot run, for the log. */
export class Unusable extends Error {}

/** Reads the hooks' settings: the environment, completed by the profile that `setup` wrote. */
export function readSettings(input: Env, dataDir: string): Settings {
  const env = withClientProfile({ ...input, CHEST_DATA_DIR: dataDir });
  return {
    place: env.CHEST_MODE === "remote" ? readRemote(env) : readLocal(env, dataDir),
    hasOutbox: !isOff(env.CHEST_OUTBOX),
    project: projectKeyOf(env.CHEST_PROJECT ?? "") || undefined,
    transcripts: join(env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "projects"),
    env: input,
  };
}

function readLocal(env: Env, dataDir: string): LocalSettings {
  const table = join(dirname(argv[1] ?? ""), "terms.table");
  const isWanted = env.CHEST_EMBED_MODEL?.trim() !== "none" && existsSync(table);
  return { mode: "local", dbPath: dbPathOf(env, dataDir), table: isWanted ? table : undefined };
}

function readRemote(env: Env): RemoteSettings {
  const { CHEST_REMOTE_URL: url = "" } = env;
  if (!URL.canParse(url)) throw new Unusable("no_url");
  const token = env.CHEST_API_TOKEN || (env.CHEST_API_TOKEN_FILE ? read(env.CHEST_API_TOKEN_FILE, "token_file") : "");
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Unusable("no_token");
  return {
    mode: "remote",
    url,
    token,
    ca: env.CHEST_CA_FILE ? read(env.CHEST_CA_FILE, "ca_file") : undefined,
    proxy: readProxy(env),
  };
}

function read(path: string, what: string): string {
  try {
    return readFileSync(absolutePath(path), "utf8").trim();
  } catch {
    throw new Unusable(`unreadable_${what}`);
  }
}

function dbPathOf({ CHEST_DB_PATH: path, DATABASE_URL: url }: Env, dataDir: string): string {
  const named = url ? storeFileOf(url) : undefined;
  return named ?? (path ? absolutePath(path) : join(dataDir, "chest.db"));
}

/** Whether an event is enabled: `CHEST_HOOKS` names those that are, `all` or `none`. */
export function isWanted(event: string, { CHEST_HOOKS: wanted = "all" }: Env): boolean {
  const names = wanted
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (names.length === 0 || names.includes("all")) return true;
  return !isOff(names[0]) && names.includes(event);
}

/**
 * Whether a session with this start is shown anything: `CHEST_SESSION_START` lists the sources, or is `all` or `none`.
 */
export function isShownAt(source: string, { CHEST_SESSION_START: wanted }: Env): boolean {
  return isWanted(source, { CHEST_HOOKS: wanted });
}

const BUDGET_MS = { default: 2000, least: 200, most: 5000 };

/** Time budget in milliseconds; an invalid value is ignored. */
export function budgetOf({ CHEST_HOOK_BUDGET_MS: given }: Env): number {
  const ms = given ? Number(given) : Number.NaN;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, BUDGET_MS.least), BUDGET_MS.most) : BUDGET_MS.default;
}

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { absolutePath } from "./absolute-path.ts";
import type { Env } from "./env.ts";
import { commandForms } from "./shell-words.ts";
import { StartError } from "./start-error.ts";

/** Facts that `chest-index setup` noted about this machine, for the client, the command line and the hooks. */
export interface ClientProfile {
  readonly mode: "local" | "remote";
  /** The backend, in remote mode. */
  readonly url?: string;
  /** The file that holds the token and nothing else. */
  readonly token_file?: string;
  /** A certificate authority to trust beside the usual ones. */
  readonly ca_file?: string;
  /** The store of local mode, where it is not in the data folder. */
  readonly db_path?: string;
  /** Language model of a store beside the agent; `off`: the user does not want one. Undefined: the user has not chosen. */
  readonly llm?: "claude-cli" | "off";
}

export const profileFile = (dataDir: string): string => join(dataDir, "client.json");

/** The data folder that an environment names. Imports no schema library: hooks start with it. */
export function dataDirOf({ CHEST_DATA_DIR: given }: Env): string {
  return given ? absolutePath(given) : join(homedir(), ".chest-memory");
}

/** The profile of a data folder; undefined where `setup` never ran. Throws `StartError` for a damaged one. */
export function readClientProfile(dataDir: string): ClientProfile | undefined {
  const file = profileFile(dataDir);
  const text = textOf(file);
  if (text === undefined) return undefined;
  try {
    const profile: unknown = JSON.parse(text);
    if (isProfile(profile)) return profile;
  } catch {
    // Reported below, in the same words as any other damage.
  }
  const { andThen, removing } = commandForms();
  throw new StartError(
    `\`${file}\` is not a client profile`,
    `\`${andThen(removing(file), "chest-index setup")}\` writes a new one`,
  );
}

/** The environment, with what it leaves open taken from the profile of its data folder. */
export function withClientProfile(env: Env): Env {
  const profile = readClientProfile(dataDirOf(env));
  return profile ? { ...env, ...settingsOf(profile, env) } : env;
}

function settingsOf({ mode, url, token_file, ca_file, db_path, llm }: ClientProfile, env: Env): Env {
  const address = env.CHEST_REMOTE_URL || url;
  // A token is for the backend it was given for, and must never reach another one.
  const isItsBackend = url !== undefined && address?.replace(/(?<!\/)\/+$/, "") === url.replace(/(?<!\/)\/+$/, "");
  const hasToken = Boolean(env.CHEST_API_TOKEN || env.CHEST_API_TOKEN_FILE);
  const usedMode = env.CHEST_MODE || (env.CHEST_REMOTE_URL ? undefined : mode);
  return {
    CHEST_MODE: usedMode,
    CHEST_REMOTE_URL: address,
    ...(isItsBackend && !hasToken && token_file ? { CHEST_API_TOKEN_FILE: token_file } : {}),
    CHEST_CA_FILE: env.CHEST_CA_FILE || ca_file,
    CHEST_DB_PATH: env.CHEST_DB_PATH || db_path,
    // A backend has a model of its own, or none.
    ...(llm === "claude-cli" && usedMode === "local" && !env.CHEST_LLM_PROVIDER ? { CHEST_LLM_PROVIDER: llm } : {}),
  };
}

function isProfile(input: unknown): input is ClientProfile {
  if (typeof input !== "object" || input === null) return false;
  const { mode, url, token_file, ca_file, db_path, llm } = input as Record<string, unknown>;
  if (![undefined, "claude-cli", "off"].includes(llm as string | undefined)) return false;
  const areTexts = [url, token_file, ca_file, db_path].every((value) => value === undefined || isText(value));
  return areTexts && (mode === "local" || (mode === "remote" && isText(url) && URL.canParse(url)));
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new StartError(`\`${file}\` cannot be read (${code})`, "give this account the right to read it", error);
  }
}

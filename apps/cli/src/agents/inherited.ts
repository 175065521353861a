import type { Env } from "@chest/runtime";
import { readClientProfile } from "@chest/runtime/profile";
import type { AgentClient } from "./clients.ts";
import { entryOf } from "./register.ts";
import { SETTINGS } from "./server-entry.ts";
import { isRecord } from "./settings-files/jsonc.ts";

/**
 * The environment, with what it leaves open taken from what an agent has registered of ours: by hand, or by 1.5. A
 * profile says it better, and a token is for the backend it was registered with.
 */
export function withRegistered(
  env: Env,
  dataDir: string,
  clients: readonly AgentClient[],
  askedUrl: string | undefined,
): Env {
  if (readClientProfile(dataDir) || env.CHEST_MODE || env.CHEST_REMOTE_URL) return env;
  const [found] = clients
    .map((client) => settingsIn(entryOf(client, env)))
    .filter((settings) => settings !== undefined);
  if (!found || (askedUrl && bare(askedUrl) !== bare(found.CHEST_REMOTE_URL ?? ""))) return env;
  const hasToken = Boolean(env.CHEST_API_TOKEN || env.CHEST_API_TOKEN_FILE);
  const given = Object.entries(found).filter(
    ([name]) => !env[name] && !(hasToken && name.startsWith("CHEST_API_TOKEN")),
  );
  return { ...env, ...Object.fromEntries(given) };
}

/** Settings as environment variables, for either transport; undefined where the entry says nothing about it. */
function settingsIn(entry: unknown): Env | undefined {
  if (!isRecord(entry)) return undefined;
  if (typeof entry.url === "string") {
    const { Authorization: token } = isRecord(entry.headers) ? entry.headers : {};
    return {
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: entry.url.replace(/\/mcp\/?$/, ""),
      ...(typeof token === "string" && !isFilledIn(token) ? { CHEST_API_TOKEN: token.replace(/^Bearer\s+/i, "") } : {}),
    };
  }
  const env = isRecord(entry.env) ? entry.env : {};
  const stated = SETTINGS.flatMap((name) => {
    const value = env[name];
    return typeof value === "string" && value !== "" && !isFilledIn(value) ? [[name, value] as const] : [];
  });
  return stated.length > 0 ? Object.fromEntries(stated) : undefined;
}

/** Whether the value is a placeholder that the agent fills in. */
const isFilledIn = (value: string): boolean => value.includes("${");

const bare = (url: string): string => url.trim().replace(/(?<!\/)\/+$/, "");

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readBaseUrl } from "@chest/client";
import type { ClientProfile } from "@chest/runtime/profile";
import { z } from "zod";
import { ourServers, SERVER } from "../../agents/server-entry.ts";
import type { InspectedClient } from "./target.ts";

const entry = z.looseObject({
  command: z.string().optional(),
  url: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const settings = z.looseObject({ mcpServers: z.record(z.string(), entry).optional() });

type Read =
  | "absent"
  | "broken"
  | { readonly name: string | undefined; readonly ours: z.infer<typeof entry> | undefined };

export const projectFile = ({ cwd }: InspectedClient): string => join(cwd, ".mcp.json");
export const userFile = ({ claudeFile }: InspectedClient): string => claudeFile;

/** Reads Chest's entries in a settings file: the stdio client is recognised by its program, a backend by its `/mcp`. */
export function readRegistered(file: string): Read {
  const text = textOf(file);
  if (text === undefined) return "absent";
  try {
    const { mcpServers = {} } = settings.parse(JSON.parse(text));
    const [name] = ourServers(mcpServers);
    return { name, ours: name === undefined ? undefined : mcpServers[name] };
  } catch {
    return "broken";
  }
}

/** Backend address from one of several configurations. */
export interface ConfiguredBackend {
  readonly by: string;
  /** Name of the server in this configuration. */
  readonly server: string;
  /** Address of the backend; undefined for a store on this machine. */
  readonly url: string | undefined;
  readonly tokenFile?: string | undefined;
}

/** Reads Chest's entry in a file, completed by the profile as the client itself would. */
export function configuredBackendIn(file: string, kept: ClientProfile | undefined): ConfiguredBackend | undefined {
  const read = readRegistered(file);
  if (typeof read === "string" || !read.ours) return undefined;
  const { url, env = {} } = read.ours;
  const origin = { by: file, server: read.name ?? SERVER };
  if (url !== undefined) return { ...origin, url: plain(url.replace(/\/mcp\/?$/, "")) };
  const { CHEST_REMOTE_URL: named, CHEST_API_TOKEN_FILE: tokenFile } = env;
  const mode = env.CHEST_MODE || (named ? "local" : kept?.mode);
  return {
    ...origin,
    url: mode === "remote" ? plain(named || kept?.url) : undefined,
    tokenFile: tokenFile || undefined,
  };
}

/** Normalises an address like the client, so that two spellings of it are equal. */
export const plain = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? readBaseUrl(url) : url;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Most users have only one of the two files.
  }
}

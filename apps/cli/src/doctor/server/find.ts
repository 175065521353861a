import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopback } from "@chest/client";
import type { Env } from "@chest/runtime";
import { dataDirOf, readClientProfile } from "@chest/runtime/profile";
import { type Flags, readConfig } from "../../connect/config.ts";
import { openDocker } from "../../connect/docker.ts";
import type { ServerTarget } from "./open.ts";

const DEFAULT_PORT = "8765";

/** Finds the server by the flag, the variable, the container's published port, or this machine's default port. */
export async function findServer(env: Env, flags: Flags, container: ServerTarget["container"]): Promise<ServerTarget> {
  const named = flags["remote-url"] ?? (env.CHEST_REMOTE_URL || undefined);
  const profile = named === undefined && env.CHEST_MODE !== "local" ? readClientProfile(dataDirOf(env)) : undefined;
  const configured = named ?? (profile?.mode === "remote" ? profile.url : undefined);
  const beside = { ...env, CHEST_MODE: "local", DATABASE_URL: configured === undefined ? env.DATABASE_URL : undefined };
  const here = readConfig(beside, { "token-file": flags["token-file"] });
  const docker = named === undefined ? await openDocker() : undefined;
  const published = (await docker?.inspect(container.name))?.url;
  const own = env.CHEST_PORT ? undefined : here.runningUrl;
  const url = configured ?? published ?? own ?? `http://127.0.0.1:${env.CHEST_PORT || DEFAULT_PORT}`;
  const tokenFile = flags["token-file"] ?? (profile?.token_file ? undefined : ownTokenFile(env, here.dataDir));
  const config = readConfig(env, { ...flags, "remote-url": url, ...(tokenFile ? { "token-file": tokenFile } : {}) });
  if (!config.remote) throw new Error("a backend's address was given and is not there");
  return {
    config: here,
    reach: config.remote,
    foundBy: flags["remote-url"]
      ? "--remote-url"
      : named
        ? "CHEST_REMOTE_URL"
        : configured
          ? "the profile that `setup` wrote"
          : published
            ? `container ${container.name}`
            : own
              ? "the backend that runs on this data folder"
              : "CHEST_PORT",
    container,
    // When the server is remote, files on this machine belong to another store.
    isHere:
      (configured === undefined || (named === undefined && isLoopback(new URL(configured).hostname))) &&
      published === undefined,
  };
}

/** Reads the token that `npm start` made, when no other is named; a user who can read that file may use it. */
function ownTokenFile(env: Env, dataDir: string): string | undefined {
  if (env.CHEST_API_TOKEN || env.CHEST_API_TOKEN_FILE) return undefined;
  const file = join(dataDir, "token");
  return existsSync(file) && readFileSync(file, "utf8").trim() !== "" ? file : undefined;
}

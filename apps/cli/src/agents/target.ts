import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopback, readBaseUrl } from "@chest/client";
import { assertSpoken, endpoints } from "@chest/contracts";
import { absolutePath, assertOpensStores, type Env, httpUrl, StartError } from "@chest/runtime";
import { type ClientProfile, withClientProfile } from "@chest/runtime/profile";
import { readRunning } from "@chest/runtime/running-backend";
import { withBackend } from "../connect/backend.ts";
import { type Config, pemFile, readConfig } from "../connect/config.ts";
import { UsageError } from "../terminal/usage.ts";
import { LEAST_NODE } from "./launcher.ts";
import { fittingNode } from "./programs.ts";

/** Backend or store that this machine is to use. */
export interface Target {
  readonly profile: ClientProfile;
  /** Token of the backend; kept in a file of its own. */
  readonly token: string | undefined;
  /** Its origin, in words. */
  readonly tokenFrom?: string | undefined;
  /** Improvements to suggest to the person who set it up. */
  readonly warnings: readonly string[];
}

export interface TargetFlags {
  /** The backend's address, as `--docker` or `--nginx` gave it. */
  readonly url: string | undefined;
  /** From the command line itself. */
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  /** A certificate authority to trust beside the usual ones. */
  readonly caFile: string | undefined;
  readonly isLocal: boolean;
  readonly dataDir: string;
  /** Asks the person in front of the terminal; undefined where there is none. */
  readonly askToken: (() => Promise<string | undefined>) | undefined;
}

export const tokenFileIn = (dataDir: string): string => join(dataDir, "client-token");

/** Reads the target: as asked, else as the environment or the last setup has it. Writes nothing. */
export async function readTarget(env: Env, request: TargetFlags): Promise<Target> {
  const { CHEST_MODE: mode, CHEST_REMOTE_URL: known, ...settled } = withClientProfile(env);
  const isRemote = request.url !== undefined || (!request.isLocal && mode === "remote");
  // An agent starts our client in a folder of its own, so relative paths are made absolute.
  const db = settled.CHEST_DB_PATH ? { db_path: absolutePath(settled.CHEST_DB_PATH) } : {};
  if (!isRemote && request.caFile !== undefined)
    throw new UsageError("`--ca-file` is for a backend, and none is named", "add `--docker URL`");
  if (!isRemote) return { profile: { mode: "local", ...db }, token: undefined, warnings: [] };
  const given = request.url ?? known;
  if (given === undefined) throw new UsageError("CHEST_MODE is remote, and no backend is named", "add `--docker URL`");
  const url = addressIn(given);
  const caFile = request.caFile ?? settled.CHEST_CA_FILE;
  if (request.caFile !== undefined) assertAuthority(request.caFile);
  const { token, from } = await tokenFor(url, env, request);
  return {
    profile: {
      mode: "remote",
      url,
      token_file: tokenFileIn(request.dataDir),
      ...(caFile ? { ca_file: absolutePath(caFile) } : {}),
      ...db,
    },
    token,
    tokenFrom: from,
    warnings: [
      ...(request.token ? ["the token was in the command line, where `ps` and the shell's history show it"] : []),
      ...(isOpen(url) ? ["plain http to another machine: anyone on the network in between can read the token"] : []),
    ],
  };
}

/** Whether the target can be used, before anything is written. Throws what is wrong with it. */
export async function assertUsable(
  { profile, token, tokenFrom }: Target,
  env: Env,
  timeoutMs: number,
): Promise<string> {
  if (profile.mode === "local") {
    assertOpensStores((await fittingNode(env, LEAST_NODE.local)).version);
    return "a store on this machine";
  }
  const { remote } = configOf({ profile, token }, env);
  if (!remote) throw new StartError("no backend is named");
  const answer = await withBackend({ ...remote, tokenFrom, timeoutMs }, (backend) =>
    backend.call(endpoints.capabilities, { tries: 1, signal: AbortSignal.timeout(timeoutMs) }),
  );
  assertSpoken(answer);
  return `${profile.url} answers, release ${answer.server_version}`;
}

/** Settings by which this machine reaches a target, before or after they are written. */
export const configOf = ({ profile, token }: Pick<Target, "profile" | "token">, env: Env): Config =>
  readConfig({
    ...env,
    CHEST_MODE: profile.mode,
    ...(profile.db_path && { CHEST_DB_PATH: profile.db_path }),
    ...(profile.mode === "remote" && {
      CHEST_REMOTE_URL: profile.url,
      CHEST_CA_FILE: profile.ca_file,
      CHEST_API_TOKEN: token,
      CHEST_API_TOKEN_FILE: undefined,
    }),
  });

function addressIn(input: string): string {
  const read = httpUrl().safeParse(input);
  if (!read.success)
    throw new UsageError(
      `\`${input.slice(0, 80)}\` is not an http or https URL`,
      "give one like http://127.0.0.1:8765",
    );
  return readBaseUrl(input);
}

/** A token of this run, else the one of the last setup, for the same backend only; else the user is asked. */
async function tokenFor(url: string, env: Env, { token, tokenFile, askToken }: TargetFlags) {
  const { CHEST_API_TOKEN, CHEST_API_TOKEN_FILE } = withClientProfile({ ...env, CHEST_REMOTE_URL: url });
  const file = tokenFile ?? (CHEST_API_TOKEN ? undefined : CHEST_API_TOKEN_FILE);
  const kept = token ? undefined : file ? tokenIn(file) : CHEST_API_TOKEN;
  const found = token ?? kept ?? (await askToken?.());
  const from = token ? "the command line" : file ? `\`${file}\`` : kept ? "CHEST_API_TOKEN" : "the terminal";
  if (found && /^[\x21-\x7e]+$/.test(found)) return { token: found, from };
  throw new UsageError(
    found ? "the token contains characters that are not allowed in one" : `there is no token for ${url}`,
    "add `--token-file FILE`, or set CHEST_API_TOKEN or CHEST_API_TOKEN_FILE",
  );
}

function assertAuthority(file: string): void {
  const { error } = pemFile().safeParse(file);
  if (error) throw new UsageError(`\`--ca-file ${file}\` ${error.issues[0]?.message}`, "name the authority's PEM file");
}

function tokenIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new StartError(
      `\`${file}\` cannot be read (${code})`,
      "name the file that holds the token with `--token-file`",
      error,
    );
  }
}

function isOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isLoopback(hostname);
}

const PATIENCE_MS = 2_000;

/**
 * Finds the backend that `npm start` runs over the data folder, by the address that it noted or the usual one. Undefined where the
 * environment or the last setup names a backend, and where none answers to the token of that folder.
 */
export async function backendHere(env: Env, flags: TargetFlags): Promise<Target | undefined> {
  const { dataDir } = flags;
  const tokenFile = flags.tokenFile ?? join(dataDir, "token");
  const isTold = flags.url !== undefined || flags.isLocal || Boolean(env.CHEST_MODE || env.CHEST_REMOTE_URL);
  if (isTold || flags.token || !existsSync(tokenFile) || withClientProfile(env).CHEST_MODE === "remote")
    return undefined;
  const url = readRunning(dataDir)?.url ?? `http://127.0.0.1:${env.CHEST_PORT || 8765}`;
  try {
    const target = await readTarget(env, { ...flags, url, tokenFile });
    await assertUsable(target, env, PATIENCE_MS);
    return target;
  } catch {
    return undefined; // It has ended, or is not ours: memory is a store on this machine.
  }
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProxySettings, readProxy } from "@chest/client";
import { withoutPassword } from "@chest/core/redaction";
import { DEFAULT_LIMITS, type Limits } from "@chest/core/tool";
import {
  databaseUrl,
  defaultDataDir,
  type Env,
  httpUrl,
  type KeepRule,
  keepRule,
  oneOf,
  path,
  readEnv,
  StartError,
  secret,
  storeUrl,
  text,
} from "@chest/runtime";
import { withClientProfile } from "@chest/runtime/profile";
import { readRunning } from "@chest/runtime/running-backend";
import { z } from "zod";
import { LIMIT_VARIABLES } from "./limits.ts";

/** Address, token and other settings for reaching a backend. */
export interface Reach {
  readonly url: string;
  readonly token: string | undefined;
  /** File that the token was read from; undefined when it came from a variable. */
  readonly tokenFile: string | undefined;
  /** Other source of the token, described in words. */
  readonly tokenFrom?: string | undefined;
  readonly ca: string | undefined;
  readonly proxy: ProxySettings;
  readonly timeoutMs: number;
}

/** Database that serves as the store. */
export interface Database {
  readonly url: string;
  readonly password: string | undefined;
  readonly caFile: string | undefined;
  /** Address of the database without its password. */
  readonly shown: string;
}

export interface Config {
  readonly dataDir: string;
  readonly dbPath: string;
  readonly backupDir: string;
  readonly backupKeep: KeepRule;
  /** False where CHEST_EMBED_MODEL is `none`: then the models that come with Chest do not embed. */
  readonly embedsItself: boolean;
  /** Limits of tools, where a command opens the store itself. */
  readonly limits: Limits;
  /** Undefined when the store is a file on this machine, or a database that this program opens itself. */
  readonly remote: Reach | undefined;
  /**
   * Address of the backend that runs on this data folder; undefined without one, or when a remote backend is
   * configured.
   */
  readonly runningUrl: string | undefined;
  /** Used instead of the file; undefined when a backend is configured. */
  readonly database: Database | undefined;
}

export interface Flags {
  readonly "remote-url"?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly database?: string | undefined;
}

export const pemFile = () =>
  path().transform((file, context) => {
    const pem = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
    context.addIssue("cannot be read, or holds no PEM certificate");
    return z.NEVER;
  });

const VARIABLES = {
  CHEST_MODE: oneOf(["local", "remote"]).default("local"),
  CHEST_REMOTE_URL: httpUrl().optional(),
  CHEST_API_TOKEN: secret(1)
    .regex(/^[\x21-\x7e]+$/, "contains characters that are not allowed in a token")
    .optional(),
  CHEST_DATA_DIR: path().default(defaultDataDir()),
  CHEST_DB_PATH: path().optional(),
  DATABASE_URL: storeUrl().optional(),
  CHEST_DATABASE_URL: databaseUrl().optional(),
  CHEST_DATABASE_PASSWORD: secret(1).optional(),
  CHEST_DATABASE_CA: path().optional(),
  CHEST_BACKUP_DIR: path().optional(),
  CHEST_BACKUP_KEEP: keepRule(),
  CHEST_CA_FILE: pemFile().optional(),
  CHEST_EMBED_MODEL: text().optional(),
  ...LIMIT_VARIABLES,
};

/**
 * Reads flags, environment and this machine's profile, in this order of precedence. Throws `ConfigError` with every
 * problem.
 */
export function readConfig(baseEnv: Env, flags: Flags = {}): Config {
  const env = withoutStore(withClientProfile(withFlags(baseEnv, flags)));
  const { values } = readEnv(VARIABLES, env);
  const { CHEST_MODE: mode, CHEST_REMOTE_URL: url, CHEST_DATA_DIR: dataDir } = values;
  if (mode === "remote" && url === undefined) readEnv({ CHEST_REMOTE_URL: httpUrl() }, env);
  const remote =
    url === undefined || mode === "local"
      ? undefined
      : {
          url,
          token: values.CHEST_API_TOKEN,
          tokenFile: env.CHEST_API_TOKEN ? undefined : env.CHEST_API_TOKEN_FILE || undefined,
          ca: values.CHEST_CA_FILE,
          proxy: readProxy(env),
          timeoutMs: values.CHEST_REMOTE_TIMEOUT_MS,
        };
  // Settings that were given only to the running backend apply to commands too.
  const running = remote ? undefined : readRunning(dataDir);
  return {
    dataDir,
    runningUrl: running?.url,
    dbPath: values.DATABASE_URL ?? values.CHEST_DB_PATH ?? running?.db_path ?? join(dataDir, "chest.db"),
    backupDir: values.CHEST_BACKUP_DIR ?? running?.backup_dir ?? join(dataDir, "backups"),
    backupKeep: values.CHEST_BACKUP_KEEP,
    embedsItself: values.CHEST_EMBED_MODEL !== "none",
    limits: {
      ...DEFAULT_LIMITS,
      contentChars: values.CHEST_MAX_CONTENT_CHARS,
      queryEmbedMs: values.CHEST_RECALL_EMBED_TIMEOUT_MS,
    },
    remote,
    database: remote ? undefined : databaseOf(values),
  };
}

function databaseOf(values: {
  readonly CHEST_DATABASE_URL?: string | undefined;
  readonly CHEST_DATABASE_PASSWORD?: string | undefined;
  readonly CHEST_DATABASE_CA?: string | undefined;
}): Database | undefined {
  const { CHEST_DATABASE_URL: url, CHEST_DATABASE_PASSWORD: password, CHEST_DATABASE_CA: caFile } = values;
  return url === undefined ? undefined : { url, password, caFile, shown: withoutPassword(url) };
}

/**
 * Removes `DATABASE_URL` when a backend is configured: no store is opened then, and the variable is meant for another
 * program.
 */
const withoutStore = (env: Env): Env => (env.CHEST_MODE === "remote" ? { ...env, DATABASE_URL: undefined } : env);

/** Refuses a command that needs the store's own file or database, and says where it can run. */
export function assertHere({ remote }: Config, command: string): void {
  if (!remote) return;
  throw new StartError(
    `\`${command}\` works on the store's file, but this machine uses the backend at ${remote.url}`,
    `where the store is: \`CHEST_MODE=local chest-index …\`; in a container: \`docker compose run --rm --no-deps chest chest-index …\``,
  );
}

/** Refuses a command that needs the store's file, when the store is a database or belongs to a backend. */
export function assertFile(config: Config, command: string): void {
  assertHere(config, command);
  if (!config.database) return;
  throw new StartError(
    `\`${command}\` works on the store's file, but CHEST_DATABASE_URL names the database ${config.database.shown}`,
    "copy a database with `pg_dump` or its provider's snapshots; `chest-index export --out FILE` works with both",
  );
}

export function noStore(dbPath: string): StartError {
  return new StartError(
    `there is no store at \`${dbPath}\` yet`,
    "the first memory creates it; for a backend connect once with `chest-index setup --docker URL`",
  );
}

function withFlags(env: Env, { "remote-url": url, "token-file": tokenFile, database }: Flags): Env {
  return {
    ...env,
    ...(database === undefined ? {} : { CHEST_MODE: "local", CHEST_DATABASE_URL: database }),
    ...(url === undefined ? {} : { CHEST_MODE: "remote", CHEST_REMOTE_URL: url }),
    ...(tokenFile === undefined ? {} : { CHEST_API_TOKEN: undefined, CHEST_API_TOKEN_FILE: tokenFile }),
  };
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProxySettings, readProxy } from "@chest/client";
import {
  defaultDataDir,
  type Env,
  httpUrl,
  intInRange,
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
import { z } from "zod";

/** How a backend is reached. */
export interface Reach {
  readonly url: string;
  readonly token: string | undefined;
  /** The file that the token was read from; undefined for a variable. */
  readonly tokenFile: string | undefined;
  /** Another origin of it, in words. */
  readonly tokenFrom?: string | undefined;
  readonly ca: string | undefined;
  readonly proxy: ProxySettings;
  readonly timeoutMs: number;
}

export interface Config {
  readonly dataDir: string;
  readonly dbPath: string;
  readonly backupDir: string;
  readonly backupKeep: KeepRule;
  /** Not where CHEST_EMBED_MODEL is `none`: words alone then. */
  readonly hasTable: boolean;
  /** Undefined: the store is a file on this machine. */
  readonly remote: Reach | undefined;
}

export interface Flags {
  readonly "remote-url"?: string | undefined;
  readonly "token-file"?: string | undefined;
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
  CHEST_BACKUP_DIR: path().optional(),
  CHEST_BACKUP_KEEP: keepRule(),
  CHEST_CA_FILE: pemFile().optional(),
  CHEST_EMBED_MODEL: text().optional(),
  CHEST_REMOTE_TIMEOUT_MS: intInRange(1_000, 120_000).default(30_000),
};

/** Reads flags, environment and this machine's profile, in this order. Throws `ConfigError` with every problem. */
export function readConfig(given: Env, flags: Flags = {}): Config {
  const env = withoutStore(withClientProfile(withFlags(given, flags)));
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
  return {
    dataDir,
    dbPath: values.DATABASE_URL ?? values.CHEST_DB_PATH ?? join(dataDir, "chest.db"),
    backupDir: values.CHEST_BACKUP_DIR ?? join(dataDir, "backups"),
    backupKeep: values.CHEST_BACKUP_KEEP,
    hasTable: values.CHEST_EMBED_MODEL !== "none",
    remote,
  };
}

/** Beside a backend no store is opened: whatever `DATABASE_URL` says, it is said to another program. */
const withoutStore = (env: Env): Env => (env.CHEST_MODE === "remote" ? { ...env, DATABASE_URL: undefined } : env);

/** Refuses a command that works on the file alone, and says where it can be run. */
export function assertHere({ remote }: Config, command: string): void {
  if (!remote) return;
  throw new StartError(
    `\`${command}\` works on the store's file, and this machine is set to the backend at ${remote.url}`,
    `where the store is: \`CHEST_MODE=local chest-index …\`; in a container: \`docker compose run --rm --no-deps chest chest-index …\``,
  );
}

export function noStore(dbPath: string): StartError {
  return new StartError(
    `there is no store at \`${dbPath}\` yet`,
    "the first memory creates it; for a backend connect once with `chest-index setup --docker URL`",
  );
}

function withFlags(env: Env, { "remote-url": url, "token-file": tokenFile }: Flags): Env {
  return {
    ...env,
    ...(url === undefined ? {} : { CHEST_MODE: "remote", CHEST_REMOTE_URL: url }),
    ...(tokenFile === undefined ? {} : { CHEST_API_TOKEN: undefined, CHEST_API_TOKEN_FILE: tokenFile }),
  };
}

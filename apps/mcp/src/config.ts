import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProxySettings, readProxy } from "@chest/client";
import type { MaintenanceSettings } from "@chest/core/lifecycle";
import { DEFAULT_LIMITS, type Limits } from "@chest/core/tool";
import type { ToolSet } from "@chest/core/tools";
import { type LlmChoice, readLlm } from "@chest/llm";
import { type EmbedderChoice, type RerankChoice, readEmbedder, readReranking } from "@chest/models";
import {
  ConfigError,
  type Env,
  type KeepRule,
  KNOWN_NAMES,
  maintenanceSettings,
  readEnv,
  STORE_NAMES,
} from "@chest/runtime";
import type { Level } from "./log.ts";
import { VARIABLES, WITHOUT_EFFECT } from "./variables.ts";

/** The store is in this process. */
export interface LocalPlace {
  readonly mode: "local";
  readonly dbPath: string;
  readonly backups: { readonly dir: string; readonly everyHours: number; readonly keep: KeepRule };
  /** Undefined: maintenance runs only when `chest-index up` is called. */
  readonly maintenance: MaintenanceSettings | undefined;
  /** Undefined: answers keep their order. */
  readonly reranking: RerankChoice | undefined;
  /** Undefined: no language model is asked. */
  readonly llm: LlmChoice | undefined;
}

/** Settings for reaching a backend, which holds the store. */
export interface RemotePlace {
  readonly mode: "remote";
  readonly url: string;
  readonly token: string;
  /** Its origin, as a person is told: a file's name in backticks, a variable. */
  readonly tokenFrom: string;
  readonly ca: string | undefined;
  readonly proxy: ProxySettings;
  readonly timeoutMs: number;
  readonly hasOutbox: boolean;
}

/** Whether this machine embeds, and with which model. */
export interface EmbeddingChoice {
  /** `auto`: where the backend has no model of its own. */
  readonly mode: "auto" | "true" | "false";
  readonly choice: EmbedderChoice;
  readonly modelsDir: string;
}

export interface Config {
  readonly place: LocalPlace | RemotePlace;
  readonly dataDir: string;
  readonly embedding: EmbeddingChoice;
  /** Undefined: read from the working directory. */
  readonly project: string | undefined;
  /** Environment in which git finds its configuration, and by which the remote is chosen. */
  readonly env: Env;
  /** Folders whose files may be read, beside those that the agent names; `none`: not even those. */
  readonly roots: readonly string[] | "none";
  readonly limits: Limits;
  readonly toolSet: ToolSet;
  readonly logLevel: Level;
  readonly warnings: readonly string[];
}

/** Reads the environment. Throws `ConfigError` with every problem. */
export function readConfig(env: Env): Config {
  const { values, warnings } = readVariables(env, missingFor(env.CHEST_MODE, env));
  const { CHEST_DATA_DIR: dataDir, CHEST_REMOTE_URL: url, CHEST_API_TOKEN: token } = values;
  const choice = readEmbedder(values);
  if (typeof choice === "string") throw new ConfigError([choice]);
  const reranking = readReranking(values);
  if (typeof reranking === "string") throw new ConfigError([reranking]);
  const llm = readLlm(values);
  if (typeof llm === "string") throw new ConfigError([llm]);
  const isRemote = values.CHEST_MODE === "remote" && url !== undefined && token !== undefined;
  const place: Config["place"] = isRemote
    ? {
        mode: "remote",
        url,
        token,
        tokenFrom:
          env.CHEST_API_TOKEN || !env.CHEST_API_TOKEN_FILE ? "CHEST_API_TOKEN" : `\`${env.CHEST_API_TOKEN_FILE}\``,
        ca: values.CHEST_CA_FILE,
        proxy: readProxy(env),
        timeoutMs: values.CHEST_REMOTE_TIMEOUT_MS,
        hasOutbox: values.CHEST_OUTBOX,
      }
    : {
        mode: "local",
        dbPath: values.DATABASE_URL ?? values.CHEST_DB_PATH ?? join(dataDir, "chest.db"),
        backups: {
          dir: values.CHEST_BACKUP_DIR ?? join(dataDir, "backups"),
          everyHours: values.CHEST_BACKUP_INTERVAL_HOURS,
          keep: values.CHEST_BACKUP_KEEP,
        },
        maintenance: values.CHEST_AUTO_MAINTENANCE ? readMaintenance(values) : undefined,
        reranking,
        llm,
      };
  return {
    place,
    dataDir,
    embedding: {
      // Without a model there is nothing to embed with.
      mode: choice.isOff ? "false" : values.CHEST_CLIENT_EMBED,
      choice,
      modelsDir: values.CHEST_MODELS_DIR ?? join(dataDir, "models"),
    },
    project: values.CHEST_PROJECT || undefined,
    env,
    roots: values.CHEST_ROOTS ?? [],
    limits: {
      ...DEFAULT_LIMITS,
      contentChars: values.CHEST_MAX_CONTENT_CHARS,
      queryEmbedMs: values.CHEST_RECALL_EMBED_TIMEOUT_MS,
    },
    toolSet: values.CHEST_TOOL_SET,
    logLevel: values.CHEST_LOG_LEVEL,
    warnings,
  };
}

type Values = ReturnType<typeof readVariables>["values"];

/** Beside an agent all passes of a run together archive no more than one of them may on a backend. */
const readMaintenance = (values: Values): MaintenanceSettings => ({
  ...maintenanceSettings(values),
  archiveCap: values.CHEST_FORGET_SWEEP_CAP,
  contentChars: values.CHEST_MAX_CONTENT_CHARS,
  hasEmbedder: false,
});

/** Lists the variables that remote mode needs and that are missing. */
function missingFor(mode: string | undefined, env: Env): string[] {
  if (mode !== "remote") return [];
  return ["CHEST_REMOTE_URL", "CHEST_API_TOKEN"].flatMap((name) =>
    isGiven(env, name) ? [] : `${name}: is not set, and CHEST_MODE=remote needs it`,
  );
}

/** An empty file of a secret counts as none. */
function isGiven(env: Env, name: string): boolean {
  if (env[name]) return true;
  const file = env[`${name}_FILE`];
  if (!file) return false;
  try {
    return readFileSync(file, "utf8").trim() !== "";
  } catch {
    return true; // Reading it again says what is wrong with it.
  }
}

function readVariables(env: Env, missing: readonly string[]) {
  try {
    // Beside a backend no store is opened: `DATABASE_URL` is then meant for another program.
    const read = readEnv(VARIABLES, env.CHEST_MODE === "remote" ? { ...env, DATABASE_URL: undefined } : env, {
      elsewhere: KNOWN_NAMES,
      withoutEffect: WITHOUT_EFFECT,
      // Beside a backend they are the backend's.
      idleHere: env.CHEST_MODE === "remote" ? [] : STORE_NAMES,
    });
    if (missing.length > 0) throw new ConfigError(missing);
    return read;
  } catch (error) {
    if (!(error instanceof ConfigError) || missing.length === 0 || error.problems === missing) throw error;
    throw new ConfigError([...missing, ...error.problems]);
  }
}

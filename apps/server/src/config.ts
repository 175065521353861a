import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type ProxySettings, readProxy } from "@chest/client/proxy";
import type { Scope } from "@chest/contracts";
import type { MaintenanceSettings } from "@chest/core/lifecycle";
import { DEFAULT_RANKING, type Ranking } from "@chest/core/recall";
import { DEFAULT_SYNONYMS, readSynonyms, SYNONYM_GROUPS, type Synonyms } from "@chest/core/text";
import { DEFAULT_LIMITS, type Limits } from "@chest/core/tool";
import type { ToolSet } from "@chest/core/tools";
import { type LlmChoice, readLlm } from "@chest/llm";
import { type EmbedderChoice, type RerankChoice, readEmbedder, readReranking } from "@chest/models";
import {
  absolutePath,
  ConfigError,
  defaultDataDir,
  type Env,
  type KeepRule,
  KNOWN_NAMES,
  maintenanceSettings,
  readEnv,
} from "@chest/runtime";
import { VARIABLES, WITHOUT_EFFECT } from "./variables.ts";

const HUB = "https://huggingface.co";

/** Settings of the backend, grouped by concern. */
export interface Config {
  readonly http: {
    readonly port: number;
    readonly host: string;
    /** Number of proxies in front of the backend that are trusted to report the client's address. */
    readonly trustProxyHops: number;
    readonly hasDocs: boolean;
    /** `Origin` values of browsers that may use `/mcp`. */
    readonly mcpOrigins: readonly string[];
    readonly toolSet: ToolSet;
  };
  /** Tokens of the member `shared`: the current one, and during a rotation the previous one as well. */
  readonly access: { readonly tokens: readonly [string, ...string[]]; readonly scopes: ReadonlySet<Scope> };
  /** Undefined when OAuth clients are not accepted. */
  readonly oauth:
    | {
        readonly publicUrl: string;
        /** Hosts whose client documents may be fetched. */
        readonly clientHosts: readonly string[];
      }
    | undefined;
  /** Client documents and webhooks may have private addresses. */
  readonly allowsPrivate: boolean;
  /** Undefined when browsers sign in by a token or a link only. */
  readonly sso:
    | {
        readonly kind: "openid" | "github";
        readonly issuer: string;
        readonly clientId: string;
        readonly clientSecret: string;
        readonly domains: readonly string[];
        readonly groups: readonly string[];
        readonly adminGroups: readonly string[];
        readonly groupsClaim: string;
        /** Names of members made by an operator that an account of the provider may take over. */
        readonly adopted: readonly string[];
        /** Trusts an address even if the provider does not say that it was verified. */
        readonly isEmailTrusted: boolean;
      }
    | undefined;
  /** Requests per minute for one token at one address; 0 means no limit. */
  readonly rates: { readonly requests: number; readonly writes: number };
  readonly store: {
    readonly dataDir: string;
    readonly dbPath: string;
    readonly backupDir: string;
    readonly synchronous: "FULL" | "NORMAL";
    readonly searchThreads: number;
    readonly searchTimeoutMs: number;
    /** Undefined when the store is a file. */
    readonly database:
      | {
          readonly url: string;
          readonly password: string | undefined;
          readonly caFile: string | undefined;
          readonly pool: number;
        }
      | undefined;
  };
  /** With `everyHours` 0, backups are made on request only. */
  readonly backups: { readonly everyHours: number; readonly keep: KeepRule };
  /** Embedding model, and when it runs. */
  readonly embedding: {
    readonly choice: EmbedderChoice;
    readonly modelsDir: string;
    /** Hub that models are downloaded from, or a mirror of it, with the proxies on the way. */
    readonly downloads: { readonly endpoint: string; readonly proxy: ProxySettings };
    /** File of a sentence model that replaces the one in this release. */
    readonly sentences?: string;
    /** File of a word table that replaces the one in this release. */
    readonly table?: string;
    readonly isAfterWrite: boolean;
    readonly afterWriteMs: number;
    readonly isSweeping: boolean;
    readonly sweepLimit: number;
  };
  /** Undefined when results keep the order of the ranking. */
  readonly reranking: RerankChoice | undefined;
  /** Undefined when no language model is used. */
  readonly llm: LlmChoice | undefined;
  /** Searches without results are recorded for the operator. */
  readonly keepsGaps: boolean;
  /** Undefined when maintenance does not run by itself. */
  readonly maintenance: MaintenanceSettings | undefined;
  readonly limits: Limits;
  /** Team memories written by members wait for an admin's approval. */
  readonly hasReview: boolean;
  readonly ranking: Ranking;
  readonly logLevel: string;
  /** Address of an OTLP collector; undefined when no traces are sent. */
  readonly tracesTo: string | undefined;
}

export interface ConfigReading {
  readonly config: Config;
  /** Warnings of settings that were clamped, ignored or unknown. */
  readonly warnings: readonly string[];
}

/** Reads the environment; throws `ConfigError` with every problem at once. */
export function readConfig(env: Env): ConfigReading {
  const { values, warnings } = readVariables(env);
  const dataDir = values.CHEST_DATA_DIR ?? defaultDataDir();
  const { choice, reranking, synonyms, llm, sso } = readNamed(values);
  const config: Config = {
    http: {
      port: values.CHEST_PORT,
      host: values.CHEST_BIND_HOST,
      trustProxyHops: values.CHEST_TRUST_PROXY,
      hasDocs: values.CHEST_DOCS,
      mcpOrigins: values.CHEST_MCP_ORIGINS,
      toolSet: values.CHEST_TOOL_SET,
    },
    access: {
      tokens: [values.CHEST_API_TOKEN, ...(values.CHEST_API_TOKEN_PREVIOUS ? [values.CHEST_API_TOKEN_PREVIOUS] : [])],
      scopes: new Set(values.CHEST_API_TOKEN_SCOPES),
    },
    oauth: oauthOf(values),
    allowsPrivate: values.CHEST_ALLOW_PRIVATE_ADDRESSES,
    sso,
    rates: { requests: values.CHEST_RATE_LIMIT, writes: values.CHEST_RATE_LIMIT_WRITES },
    store: {
      dataDir,
      dbPath: values.DATABASE_URL ?? values.CHEST_DB_PATH ?? join(dataDir, "chest.db"),
      backupDir: values.CHEST_BACKUP_DIR ?? join(dataDir, "backups"),
      synchronous: values.CHEST_SQLITE_SYNCHRONOUS,
      // The event loop needs one core.
      searchThreads: values.CHEST_SEARCH_THREADS ?? Math.max(1, availableParallelism() - 1),
      searchTimeoutMs: values.CHEST_SEARCH_TIMEOUT_MS,
      database: databaseOf(values),
    },
    backups: { everyHours: values.CHEST_BACKUP_INTERVAL_HOURS, keep: values.CHEST_BACKUP_KEEP },
    embedding: {
      choice,
      modelsDir: values.CHEST_MODELS_DIR ?? join(dataDir, "models"),
      downloads: { endpoint: values.HF_ENDPOINT ?? HUB, proxy: readProxy(env) },
      isAfterWrite: values.CHEST_SYNC_EMBED,
      afterWriteMs: values.CHEST_SYNC_EMBED_TIMEOUT_MS,
      isSweeping: values.CHEST_AUTO_MAINTENANCE,
      sweepLimit: values.CHEST_SWEEP_LIMIT,
    },
    reranking,
    llm,
    keepsGaps: values.CHEST_KEEP_GAPS,
    maintenance: values.CHEST_AUTO_MAINTENANCE ? readMaintenance(values) : undefined,
    limits: {
      ...DEFAULT_LIMITS,
      contentChars: values.CHEST_MAX_CONTENT_CHARS,
      queryEmbedMs: values.CHEST_RECALL_EMBED_TIMEOUT_MS,
      sweepCap: values.CHEST_FORGET_SWEEP_CAP,
      conversationMinAgeMs: values.CHEST_CONV_MIN_AGE_MIN * 60_000,
    },
    hasReview: values.CHEST_REVIEW,
    ranking: rankingOf(values, synonyms),
    logLevel: values.CHEST_LOG_LEVEL,
    tracesTo: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
  return { config: deepFreeze(config), warnings: [...warnings, ...ofFiles(values.CHEST_DATABASE_URL, env)] };
}

const databaseOf = ({ CHEST_DATABASE_URL: url, ...values }: Values): Config["store"]["database"] =>
  url === undefined
    ? undefined
    : {
        url,
        password: values.CHEST_DATABASE_PASSWORD,
        caFile: values.CHEST_DATABASE_CA,
        pool: values.CHEST_DATABASE_POOL,
      };

/** Settings of a store in a file. */
const OF_FILES = [
  "CHEST_DB_PATH",
  "DATABASE_URL",
  "CHEST_SQLITE_SYNCHRONOUS",
  "CHEST_SEARCH_THREADS",
  "CHEST_BACKUP_DIR",
  "CHEST_BACKUP_INTERVAL_HOURS",
  "CHEST_BACKUP_KEEP",
] as const;

const ofFiles = (url: string | undefined, env: Env): string[] =>
  url === undefined
    ? []
    : OF_FILES.filter((name) => env[name]).map((name) => `${name} has no effect beside CHEST_DATABASE_URL`);

type Values = ReturnType<typeof readEnv<typeof VARIABLES>>["values"];

function readVariables(env: Env) {
  try {
    return readEnv(VARIABLES, env, { elsewhere: KNOWN_NAMES, withoutEffect: WITHOUT_EFFECT });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Problems inside the synonyms file are added to the list of wrong variables.
    const { CHEST_SYNONYMS_FILE: file } = env;
    const synonyms = file ? synonymsOf(absolutePath(file)) : undefined;
    throw typeof synonyms === "string" ? new ConfigError([...error.problems, synonyms]) : error;
  }
}

/** Loads the models and synonyms that the variables name. */
function readNamed(values: Values) {
  const choice = readEmbedder(values);
  const reranking = readReranking(values);
  const synonyms = synonymsOf(values.CHEST_SYNONYMS_FILE);
  const llm = readLlm(values);
  const sso = ssoOf(values);
  if (
    typeof choice !== "string" &&
    typeof reranking !== "string" &&
    typeof synonyms !== "string" &&
    typeof llm !== "string" &&
    typeof sso !== "string"
  )
    return { choice, reranking, synonyms, llm, sso };
  throw new ConfigError([choice, reranking, synonyms, llm, sso].filter((found) => typeof found === "string"));
}

/** Settings of the identity provider, undefined without one, or a text that says which variable is missing. */
function ssoOf(values: Values): Config["sso"] | string {
  const { CHEST_OIDC_PROVIDER: kind, CHEST_OIDC_ISSUER: given, CHEST_OIDC_CLIENT_ID: clientId } = values;
  const { CHEST_OIDC_CLIENT_SECRET: clientSecret, CHEST_PUBLIC_URL: publicUrl } = values;
  const issuer = given ?? (kind === "github" ? "https://github.com" : undefined);
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined) return "CHEST_OIDC_ISSUER: is not set, and other CHEST_OIDC_ variables are";
  if (clientId === undefined) return "CHEST_OIDC_CLIENT_ID: is not set, and an identity provider is";
  if (clientSecret === undefined) return "CHEST_OIDC_CLIENT_SECRET: is not set, and an identity provider is";
  if (publicUrl === undefined)
    return "CHEST_PUBLIC_URL: is not set, and an identity provider has to send browsers there";
  const domains = values.CHEST_OIDC_ALLOWED_DOMAINS;
  const [groups, adminGroups] = [values.CHEST_OIDC_ALLOWED_GROUPS, values.CHEST_OIDC_ADMIN_GROUPS];
  if ([...domains, ...groups, ...adminGroups].length === 0)
    return "CHEST_OIDC_ALLOWED_DOMAINS: is not set, nor are groups: no one could sign in";
  return {
    ...{ kind, issuer: issuer.replace(/(?<!\/)\/+$/, ""), clientId, clientSecret, domains, groups, adminGroups },
    adopted: values.CHEST_OIDC_ADOPTED_MEMBERS,
    groupsClaim: values.CHEST_OIDC_GROUPS_CLAIM,
    isEmailTrusted: values.CHEST_OIDC_TRUST_EMAIL,
  };
}

/** Value for an empty list of hosts; an empty variable would mean the default list. */
const NO_HOSTS = "none";

function oauthOf(values: Values): Config["oauth"] {
  const { CHEST_PUBLIC_URL: publicUrl, CHEST_OAUTH_CLIENT_HOSTS: hosts } = values;
  if (publicUrl === undefined) return undefined;
  return { publicUrl, clientHosts: hosts.filter((host) => host !== NO_HOSTS) };
}

const readMaintenance = (values: Values): MaintenanceSettings => ({
  ...maintenanceSettings(values),
  contentChars: values.CHEST_MAX_CONTENT_CHARS,
  hasEmbedder: false,
});

function rankingOf(values: Values, synonyms: Synonyms): Ranking {
  const weights = {
    relevance: values.CHEST_RANK_W_RELEVANCE,
    heat: values.CHEST_RANK_W_HEAT,
    momentum: values.CHEST_RANK_W_MOMENTUM,
    importance: values.CHEST_RANK_W_IMPORTANCE,
  };
  const sum = weights.relevance + weights.heat + weights.momentum + weights.importance;
  return {
    fusion: values.CHEST_FUSION,
    vectorWeight: values.CHEST_RECALL_W_VEC,
    rrfK: values.CHEST_RRF_K,
    minCosine: values.CHEST_RECALL_VECTOR_MIN_COS,
    minCoverage: values.CHEST_RECALL_MIN_COVERAGE,
    weights:
      sum === 0
        ? DEFAULT_RANKING.weights
        : {
            relevance: weights.relevance / sum,
            heat: weights.heat / sum,
            momentum: weights.momentum / sum,
            importance: weights.importance / sum,
          },
    activationFloor: values.CHEST_RANK_ACTIVATION_FLOOR,
    synonyms,
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === "object") deepFreeze(part);
  return Object.freeze(value);
}

const MAX_BYTES = 1024 * 1024;

/**
 * Reads a synonyms file and adds it to the built-in synonyms. Each line lists the names of one thing, separated by
 * commas; `#` begins a comment.
 * @returns a message that names the variable when the file has a fault.
 */
function synonymsOf(path: string | undefined): Synonyms | string {
  if (path === undefined) return DEFAULT_SYNONYMS;
  const groups = groupsOf(path);
  return typeof groups === "string" ? groups : readSynonyms([...SYNONYM_GROUPS, ...groups]);
}

function groupsOf(path: string): string[] | string {
  const read = textOf(path);
  if (read.reason) return `CHEST_SYNONYMS_FILE: ${path} cannot be read (${read.reason})`;
  if (Buffer.byteLength(read.text) > MAX_BYTES) return `CHEST_SYNONYMS_FILE: ${path} is larger than 1 MiB`;
  const lines = read.text.split(/\r?\n/).map((line) => line.trim());
  const isSaying = (line: string) => line !== "" && !line.startsWith("#");
  const bad = lines.findIndex(
    (line) => isSaying(line) && line.split(",").filter((name) => name.trim() !== "").length < 2,
  );
  if (bad !== -1) return `CHEST_SYNONYMS_FILE: line ${bad + 1} of ${path} needs two names or more, joined by commas`;
  return lines.filter(isSaying);
}

function textOf(path: string): { readonly text: string; readonly reason?: string } {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    return { text: "", reason: error instanceof Error && "code" in error ? String(error.code) : String(error) };
  }
}

import { MIN_TOKEN_LENGTH } from "@chest/contracts";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOL_SETS } from "@chest/core/tools";
import { PROVIDERS } from "@chest/llm";
import { KNOWN_RERANKERS } from "@chest/models";
import {
  BACKUP_VARIABLES,
  databaseUrl,
  EMBEDDING_VARIABLES,
  flag,
  httpUrl,
  intInRange,
  limitVariables,
  listOf,
  llmVariables,
  MAINTENANCE_VARIABLES,
  numberInRange,
  oneOf,
  path,
  port,
  publicUrl,
  rerankVariables,
  secret,
  storeUrl,
  text,
  words,
} from "@chest/runtime";
import { KNOWN_CLIENT_HOSTS } from "./oauth/addresses.ts";

const { weights } = DEFAULT_RANKING;
const limits = limitVariables(DEFAULT_LIMITS);
const weight = (usual: number) => numberInRange(0, 1).default(usual);

/** Defines every variable that the backend reads; the reference table is generated from it. */
export const VARIABLES = {
  CHEST_PORT: port().default(8765).describe("Port to listen on"),
  CHEST_BIND_HOST: text()
    .default("0.0.0.0")
    .describe("Address to listen on; `npm start` listens on 127.0.0.1 unless this is set"),
  CHEST_DATA_DIR: path().optional().describe("Folder for everything on disk; `~/.chest-memory` by default"),
  CHEST_DB_PATH: path().optional().describe("The store; `chest.db` in the data folder by default"),
  DATABASE_URL: storeUrl().optional().describe("The store as a URL; overrides `CHEST_DB_PATH`"),
  CHEST_DATABASE_URL: databaseUrl()
    .optional()
    .describe("A PostgreSQL database as the store, which several backends may share; overrides every file"),
  CHEST_DATABASE_PASSWORD: secret(1).optional().describe("Password of its user, if the URL has none"),
  CHEST_DATABASE_CA: path()
    .optional()
    .describe("File of the certificate authority, in PEM, that the database's certificate is checked against"),
  CHEST_DATABASE_POOL: intInRange(4, 200).default(16).describe("Most connections of this backend to the database"),
  CHEST_API_TOKEN: secret(MIN_TOKEN_LENGTH).describe(
    "Bearer token of the built-in member `shared`; `npm start` makes one when it is not set",
  ),
  CHEST_API_TOKEN_PREVIOUS: secret(MIN_TOKEN_LENGTH)
    .optional()
    .describe("The previous shared token, which stays valid while clients switch to the new one"),
  CHEST_API_TOKEN_SCOPES: listOf(["read", "write", "operate"])
    .default(["read", "write", "operate"])
    .describe("What the shared token may do; `admin` is for members' own tokens"),
  CHEST_TRUST_PROXY: intInRange(0, 3)
    .default(0)
    .describe(
      "How many proxies in front to trust for client addresses; the nearest is on this machine or in a private network",
    ),
  CHEST_MAX_CONTENT_CHARS: limits.CHEST_MAX_CONTENT_CHARS,
  CHEST_REVIEW: flag()
    .default(false)
    .describe("Memories that members save for the team, or raise to it, wait until an admin approves them"),
  ...llmVariables(PROVIDERS),
  CHEST_CONV_MIN_AGE_MIN: intInRange(0, 1440)
    .default(DEFAULT_LIMITS.conversationMinAgeMs / 60_000)
    .describe("Minutes before a turn of the current conversation can be recalled"),
  CHEST_SEARCH_THREADS: intInRange(1, 64)
    .optional()
    .describe("Threads that search; one fewer than the cores by default"),
  CHEST_SEARCH_TIMEOUT_MS: intInRange(50, 30_000).default(2000).describe("How long one search may take"),
  CHEST_SQLITE_SYNCHRONOUS: oneOf(["FULL", "NORMAL"])
    .default("FULL")
    .describe("FULL keeps every acknowledged write through a power cut; NORMAL through a crash only"),
  CHEST_RATE_LIMIT: intInRange(0, 100_000)
    .default(6000)
    .describe("Requests per minute for one token, or for one address where all share a token; 0 for no limit"),
  CHEST_RATE_LIMIT_WRITES: intInRange(0, 100_000)
    .default(3000)
    .describe("Writes per minute for one token, or for one address where all share a token; 0 for no limit"),
  CHEST_MCP_ORIGINS: words().default([]).describe("Values of `Origin` that browsers may use `/mcp` from"),
  CHEST_PUBLIC_URL: publicUrl()
    .optional()
    .describe(
      "Address that clients and browsers reach this backend at, with the prefix of a proxy; set, OAuth clients may ask for access at `/mcp/oauth`",
    ),
  CHEST_OAUTH_CLIENT_HOSTS: words()
    .default([...KNOWN_CLIENT_HOSTS])
    .describe(
      "Hosts whose OAuth client documents are read; others register. `none` where the backend does not reach them: all register",
    ),
  CHEST_ALLOW_PRIVATE_ADDRESSES: flag()
    .default(false)
    .describe("Allow private addresses for client documents and webhooks"),
  CHEST_OIDC_PROVIDER: oneOf(["openid", "github"])
    .default("openid")
    .describe("Kind of the identity provider that signs browsers in"),
  CHEST_OIDC_ISSUER: publicUrl().optional().describe("Its address; `https://github.com` by default for `github`"),
  CHEST_OIDC_CLIENT_ID: text().optional().describe("This backend's id there; its callback is `/api/sso/callback`"),
  CHEST_OIDC_CLIENT_SECRET: secret(1).optional().describe("Its secret there"),
  CHEST_OIDC_ALLOWED_DOMAINS: words().default([]).describe("Domains of verified mail addresses that may sign in"),
  CHEST_OIDC_ALLOWED_GROUPS: words()
    .default([])
    .describe("Groups whose members may sign in; for `github` its organisations"),
  CHEST_OIDC_ADMIN_GROUPS: words()
    .default([])
    .describe("Groups whose members are admins; if set, no other member is one"),
  CHEST_OIDC_ADOPTED_MEMBERS: words()
    .default([])
    .describe("Members made by hand that the account of that address may take over at its first sign-in"),
  CHEST_OIDC_GROUPS_CLAIM: text().default("groups").describe("Claim that holds the groups"),
  CHEST_OIDC_TRUST_EMAIL: flag()
    .default(false)
    .describe("Trust mail addresses that the provider does not mark as verified or not, as Entra does"),
  CHEST_DOCS: flag().default(true).describe("Serve `/openapi.json`, `/docs` and `/help`"),
  CHEST_LOG_LEVEL: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info")
    .describe("Lowest level that is logged; `npm start` logs from `warn`"),
  CHEST_FUSION: oneOf(["convex", "rrf"])
    .default(DEFAULT_RANKING.fusion)
    .describe("How words and vectors become one list: weighted scores, or reciprocal ranks"),
  CHEST_RRF_K: intInRange(1, 1000).default(DEFAULT_RANKING.rrfK).describe("The constant of `rrf`"),
  CHEST_RECALL_W_VEC: numberInRange(0, 1)
    .default(DEFAULT_RANKING.vectorWeight)
    .describe("Share of the vectors in `convex`"),
  CHEST_RECALL_VECTOR_MIN_COS: numberInRange(-1, 1)
    .optional()
    .describe("Cosine below which a vector hit does not count; by default the model's known minimum"),
  CHEST_RECALL_MIN_COVERAGE: numberInRange(0, 1)
    .default(DEFAULT_RANKING.minCoverage)
    .describe(
      "Share of a question, rare words counting most, that some memory must cover; if none does, and none stands out in meaning, the answer is empty",
    ),
  CHEST_RECALL_EMBED_TIMEOUT_MS: limits.CHEST_RECALL_EMBED_TIMEOUT_MS,
  CHEST_RANK_W_RELEVANCE: weight(weights.relevance).describe("Weight of relevance; the four are scaled to a sum of 1"),
  CHEST_RANK_W_HEAT: weight(weights.heat).describe("Weight of recent use"),
  CHEST_RANK_W_MOMENTUM: weight(weights.momentum).describe("Weight of the entity's activity"),
  CHEST_RANK_W_IMPORTANCE: weight(weights.importance).describe("Weight of importance"),
  CHEST_RANK_ACTIVATION_FLOOR: numberInRange(0.5, 1)
    .default(DEFAULT_RANKING.activationFloor)
    .describe("The least that disuse leaves of a score"),
  CHEST_SYNONYMS_FILE: path().optional().describe("Additional synonyms: one line per term, its names joined by commas"),
  ...EMBEDDING_VARIABLES,
  ...rerankVariables(KNOWN_RERANKERS[0].id),
  CHEST_SYNC_EMBED: flag().default(true).describe("Embed a memory right after its write, without delaying the answer"),
  CHEST_SYNC_EMBED_TIMEOUT_MS: intInRange(100, 9_000)
    .default(8_000)
    .describe("How long a memory just written waits for its vector; then it is pending"),
  CHEST_AUTO_MAINTENANCE: flag()
    .default(true)
    .describe(
      "Run maintenance and embed pending memories automatically; off together with `CHEST_SYNC_EMBED`, clients embed",
    ),
  CHEST_KEEP_GAPS: flag()
    .default(false)
    .describe("Keep questions that found nothing, scrubbed: the newest 500 of a project, for 90 days"),
  CHEST_SWEEP_LIMIT: intInRange(1, 10_000).default(500).describe("Pending memories that one pass embeds"),
  ...MAINTENANCE_VARIABLES,
  ...BACKUP_VARIABLES,
  CHEST_TOOL_SET: oneOf(TOOL_SETS)
    .default("all")
    .describe("Tools that are listed at `/mcp`: all, or the core eight; every tool works either way"),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl()
    .optional()
    .describe("Address of an OTLP collector that traces are sent to; none by default"),
} as const;

/** Variables of features that do not exist yet. */
export const WITHOUT_EFFECT = ["CHEST_RECALL_VECTOR_ENABLED", "CHEST_FTS_TOKENIZE", "CHEST_STORE_PROMPTS"] as const;

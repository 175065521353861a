import { readFileSync } from "node:fs";
import { DEFAULT_LIMITS, MAX_PROJECT_KEY } from "@chest/core";
import {
  defaultDataDir,
  EMBEDDING_VARIABLES,
  flag,
  intInRange,
  oneOf,
  path,
  paths,
  secret,
  text,
} from "@chest/runtime";
import { z } from "zod";
import { LEVEL_NAMES } from "./log.ts";

const httpUrl = () =>
  z
    .string()
    .refine((given) => URL.canParse(given) && /^https?:$/.test(new URL(given).protocol), "is no http or https URL")
    .meta({ takes: "an http or https URL" });

/** The text of a PEM file. */
const pemFile = () =>
  path()
    .transform((file, context) => {
      const pem = readOrNothing(file);
      if (pem?.includes("-----BEGIN CERTIFICATE-----")) return pem;
      context.addIssue(pem === undefined ? "cannot be read" : "holds no PEM certificate");
      return z.NEVER;
    })
    .meta({ takes: "a path" });

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // The schema says so, by the variable's name.
  }
}

const project = () => text().max(MAX_PROJECT_KEY, `has more than ${MAX_PROJECT_KEY} characters`);

/** Every variable this program reads, by one schema each. */
export const VARIABLES = {
  CHEST_MODE: oneOf(["local", "remote"]).default("local").describe("Where the store is"),
  CHEST_REMOTE_URL: httpUrl().optional().describe("The backend, in remote mode; a path prefix is kept"),
  CHEST_API_TOKEN: secret(1)
    .regex(/^[\x21-\x7e]+$/, "has characters that no token has")
    .optional()
    .describe("Bearer token, in remote mode"),
  CHEST_DATA_DIR: path().default(defaultDataDir()).describe("Outbox, machine id, and the store of local mode"),
  CHEST_DB_PATH: path().optional().describe("Store file of local mode; `chest.db` in the data folder"),
  CHEST_PROJECT: project().optional().describe("Key of the project; read from git without it"),
  CHEST_ROOTS: paths().optional().describe("Folders that `chest_read_smart` may open, beside those the agent names"),
  CHEST_CA_FILE: pemFile().optional().describe("An authority to trust beside the usual ones"),
  CHEST_REMOTE_TIMEOUT_MS: intInRange(1_000, 120_000).default(30_000).describe("One call with its retries"),
  CHEST_OUTBOX: flag().default(true).describe("Keep writes that cannot be delivered, and deliver them later"),
  CHEST_MAX_CONTENT_CHARS: intInRange(1, 1_000_000).default(DEFAULT_LIMITS.contentChars).describe("Longest content"),
  CHEST_CLIENT_EMBED: oneOf(["auto", "true", "false"])
    .default("auto")
    .describe("Embed with a model of this machine: where the backend has none, always, or never"),
  ...EMBEDDING_VARIABLES,
  CHEST_LOG_LEVEL: oneOf(LEVEL_NAMES).default("info").describe("What is logged, on stderr"),
};

/** Set for the other programs in the same place. */
export const ELSEWHERE = [
  "CHEST_API_TOKEN_SCOPES",
  "CHEST_AUTO_CONSOLIDATE",
  "CHEST_AUTO_MAINTENANCE",
  "CHEST_BIND_HOST",
  "CHEST_FORGET_SWEEP_CAP",
  "CHEST_HOOKS",
  "CHEST_HOOK_BUDGET_MS",
  "CHEST_MAINTENANCE_EVERY",
  "CHEST_MAINTENANCE_INTERVAL_SEC",
  "CHEST_PORT",
  "CHEST_RATE_LIMIT",
  "CHEST_RATE_LIMIT_WRITES",
  "CHEST_SEARCH_THREADS",
  "CHEST_SEARCH_TIMEOUT_MS",
  "CHEST_SQLITE_SYNCHRONOUS",
  "CHEST_SUPERSEDE_COS",
  "CHEST_SWEEP_LIMIT",
  "CHEST_SYNC_EMBED",
  "CHEST_SYNC_EMBED_TIMEOUT_MS",
];

/** Known to 1.5 or to come, and without effect here. */
export const WITHOUT_EFFECT = ["CHEST_SERVER", "CHEST_TELEMETRY"];

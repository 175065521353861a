import { readFileSync } from "node:fs";
import { TIME_LIMITS } from "@chest/contracts";
import { projectKeyOf, projectKeyTrouble } from "@chest/core/access";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOL_SETS } from "@chest/core/tools";
import { PROVIDERS } from "@chest/llm";
import { KNOWN_RERANKERS } from "@chest/models";
import {
  BACKUP_VARIABLES,
  defaultDataDir,
  EMBEDDING_VARIABLES,
  flag,
  intInRange,
  limitVariables,
  llmVariables,
  MAINTENANCE_VARIABLES,
  oneOf,
  path,
  paths,
  rerankVariables,
  secret,
  storeUrl,
  text,
} from "@chest/runtime";
import { z } from "zod";
import { LEVEL_NAMES } from "./log.ts";

const httpUrl = () =>
  z
    .string()
    .refine((input) => URL.canParse(input) && /^https?:$/.test(new URL(input).protocol), "is not an http or https URL")
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

const project = () =>
  text().transform((input, context) => {
    const trouble = projectKeyTrouble(input);
    if (trouble === undefined) return projectKeyOf(input);
    context.addIssue(trouble);
    return z.NEVER;
  });

/** Folders, or the word that closes all of them; a folder of that name is `./none`. */
const roots = () => z.union([z.literal("none"), paths()]).meta({ takes: "paths, as in PATH, or none" });

/** Every variable this program reads, by one schema each. */
export const VARIABLES = {
  CHEST_MODE: oneOf(["local", "remote"]).default("local").describe("Where the store is"),
  CHEST_REMOTE_URL: httpUrl().optional().describe("The backend, in remote mode; a path prefix is kept"),
  CHEST_API_TOKEN: secret(1)
    .regex(/^[\x21-\x7e]+$/, "contains characters that are not allowed in a token")
    .optional()
    .describe("Bearer token, in remote mode"),
  CHEST_DATA_DIR: path().default(defaultDataDir()).describe("Outbox, machine id, and the store of local mode"),
  CHEST_DB_PATH: path().optional().describe("Store file of local mode; `chest.db` in the data folder"),
  DATABASE_URL: storeUrl().optional().describe("The store of local mode as a `file:` URL; overrides `CHEST_DB_PATH`"),
  CHEST_PROJECT: project().optional().describe("Key of the project; read from git without it"),
  CHEST_PROJECT_REMOTE: oneOf(["origin", "upstream"])
    .default("origin")
    .describe("Remote that the key is read from first; the other one where there is no such remote"),
  CHEST_ROOTS: roots()
    .optional()
    .describe("Folders that `chest_read_smart` may open, beside those the agent names; none: no folder"),
  CHEST_CA_FILE: pemFile().optional().describe("A certificate authority to trust beside the usual ones"),
  CHEST_REMOTE_TIMEOUT_MS: intInRange(1_000, 200_000).default(TIME_LIMITS.call).describe("One call with its retries"),
  CHEST_OUTBOX: flag().default(true).describe("Keep writes that cannot be delivered, and deliver them later"),
  ...limitVariables(DEFAULT_LIMITS),
  CHEST_CLIENT_EMBED: oneOf(["auto", "true", "false"])
    .default("auto")
    .describe("Embed with a model of this machine: where the backend has none, always, or never"),
  ...EMBEDDING_VARIABLES,
  CHEST_AUTO_MAINTENANCE: flag().default(true).describe("Run maintenance of the store of local mode automatically"),
  ...MAINTENANCE_VARIABLES,
  ...BACKUP_VARIABLES,
  ...rerankVariables(KNOWN_RERANKERS[0].id),
  ...llmVariables(PROVIDERS),
  CHEST_TOOL_SET: oneOf(TOOL_SETS)
    .default("all")
    .describe("Tools that are listed: all, or the core eight; every tool works either way"),
  CHEST_LOG_LEVEL: oneOf(LEVEL_NAMES).default("warn").describe("What is logged, on stderr"),
};

/** Known to 1.5 or to come, and without effect here. */
export const WITHOUT_EFFECT = ["CHEST_SERVER", "CHEST_TELEMETRY"];

import { existsSync } from "node:fs";
import { endpoints } from "@chest/contracts";
import type { StoreSummary } from "@chest/core";
import { loadStores } from "@chest/runtime";
import { defineCommand } from "citty";
import { openOutbox, openReach } from "../compose.ts";
import { type Config, noStore, type Reach, readConfig } from "../config.ts";
import { type MaintenanceSummary, summariseMaintenance } from "../maintenance-summary.ts";
import { type OutboxSummary, summarise } from "../outbox-summary.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../shell.ts";

/** What is known of a store: lines for a person, a document for a program, and whether something is amiss. */
interface Report {
  readonly lines: readonly string[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly isAmiss: boolean;
}

export const status = defineCommand({
  meta: { name: "status", description: "Where the store is, what is in it, and what waits in the outbox" },
  args: { ...COMMON, ...REACH },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const config = readConfig(env, args);
    const { remote } = config;
    const report = remote ? await askBackend(remote) : await readStore(config);
    const outbox = await summarise(openOutbox(config), remote && new URL(remote.url).href.replace(/\/+$/, ""));
    for (const line of report.lines) output.say(line);
    output.say(outboxLine(outbox));
    output.document({ ...report.document, outbox: outboxDocument(outbox) });
    return report.isAmiss || outbox.refused > 0 ? 1 : 0;
  },
});

async function askBackend(reach: Reach): Promise<Report> {
  const backend = openReach(reach);
  try {
    const [health, capabilities] = await Promise.all([
      backend.call(endpoints.healthz),
      backend.call(endpoints.capabilities),
    ]);
    const { api_version, server_version, features, server_has_embedder } = capabilities;
    return {
      lines: [
        `store: ${backend.url}, release ${server_version}, wire ${api_version}`,
        `database: ${health.db}`,
        `embedder: ${server_has_embedder ? "on the backend" : "none on the backend"}`,
        `features: ${features.join(", ") || "none"}`,
      ],
      document: {
        store: { where: backend.url, api_version, server_version, db: health.db, features, server_has_embedder },
      },
      isAmiss: health.db !== "ok",
    };
  } finally {
    backend.close();
  }
}

async function readStore({ dbPath }: Config): Promise<Report> {
  if (!existsSync(dbPath)) throw noStore(dbPath);
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  const engine = await openSqliteEngine({ path: dbPath });
  try {
    return reportOf(await engine.inspect.summary(), await summariseMaintenance(engine.lifecycle));
  } finally {
    await engine.close();
  }
}

function reportOf(summary: StoreSummary, maintenance: MaintenanceSummary): Report {
  const { where, sizeBytes, schemaVersion, live, archived, superseded, textRows, pending } = summary;
  const missing = Math.max(0, live + archived + superseded - textRows);
  return {
    lines: [
      `store: ${where}, ${(sizeBytes / 1_048_576).toFixed(1)} MB, schema ${schemaVersion}`,
      `memories: ${live} live, ${archived} archived, ${superseded} superseded`,
      `text: ${textRows} indexed, ${missing} missing`,
      `embedding: ${pending} pending`,
      maintenance.line,
    ],
    document: {
      store: { where, size_bytes: sizeBytes, schema_version: schemaVersion, live, archived, superseded },
      text: { indexed: textRows, missing },
      embedding: { pending },
      maintenance: maintenance.document,
    },
    isAmiss: missing > 0,
  };
}

function outboxLine({ entries, oldestAt, refused }: OutboxSummary): string {
  if (entries === 0 && refused === 0) return "outbox: empty";
  return `outbox: ${entries} waiting${oldestAt ? ` since ${oldestAt}` : ""}, ${refused} refused`;
}

const outboxDocument = ({ entries, oldestAt, refused }: OutboxSummary) => ({
  entries,
  oldest_at: oldestAt ?? null,
  refused,
});

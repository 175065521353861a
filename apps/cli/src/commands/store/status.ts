import { existsSync } from "node:fs";
import type { Backend } from "@chest/client";
import { ChestError, endpoints } from "@chest/contracts";
import { isSameIdentity } from "@chest/core/embedding";
import type { EmbeddingIdentity, Engine, Identities, IdentityShare, StoreSummary } from "@chest/core/ports";
import { loadStores } from "@chest/runtime";
import { z } from "zod";
import { openOutbox, openReach } from "../../connect/backend.ts";
import { type Config, noStore, type Reach, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { backupsOf, summariseBackups } from "../../render/backups.ts";
import { type MaintenanceSummary, summariseMaintenance } from "../../render/maintenance.ts";
import { type OutboxSummary, summarise } from "../../render/outbox.ts";
import { reachingCommand } from "../../terminal/command-context.ts";

/** Report on a store: lines for the terminal, the JSON document, and whether something is wrong. */
interface Report {
  readonly lines: readonly string[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly isAmiss: boolean;
}

export const status = reachingCommand({
  meta: { name: "status", description: "Where the store is, what is in it, and what waits in the outbox" },
  async run(args, { env, output }) {
    const config = readConfig(env, args);
    const { remote } = config;
    const report = remote ? await askBackend(remote) : await readStore(config);
    const outbox = await summarise(openOutbox(config), remote && new URL(remote.url).href.replace(/(?<!\/)\/+$/, ""));
    for (const line of report.lines) output.show(line);
    if (config.runningUrl) output.show(`backend: runs at ${config.runningUrl}`);
    output.say(outboxLine(outbox));
    output.document({ ...report.document, outbox: outboxDocument(outbox) });
    return report.isAmiss || outbox.refused + outbox.unreadable.length > 0 ? 1 : 0;
  },
});

async function askBackend(reach: Reach): Promise<Report> {
  const backend = openReach(reach);
  try {
    const [health, capabilities] = await Promise.all([
      backend.call(endpoints.healthz),
      backend.call(endpoints.capabilities),
    ]);
    const { api_version, server_version, features, server_has_embedder, embedding } = capabilities;
    const [backups, memories] = await Promise.all([backupsOf(backend), countsOf(backend, features)]);
    const pending = features.includes("memories-pending-list")
      ? (await backend.call(endpoints.pending, { query: { limit: "1" } })).remaining
      : undefined;
    return {
      lines: [
        `store: ${backend.url}, release ${server_version}, wire ${api_version}`,
        `database: ${health.db}`,
        ...(memories
          ? [`memories: ${memories.memory_count} that this token opens, ${memories.pinned_count} pinned`]
          : []),
        `embedder: ${server_has_embedder ? "on the backend" : "none on the backend"}`,
        ...(pending === undefined ? [] : [`embedding: ${pending} pending${of(embedding.active)}`]),
        ...(backups ? [backups.line] : []),
        `features: ${features.join(", ") || "none"}`,
      ],
      document: {
        store: { where: backend.url, api_version, server_version, db: health.db, features, server_has_embedder },
        ...(memories ? { memories: { visible: memories.memory_count, pinned: memories.pinned_count } } : {}),
        ...(pending === undefined ? {} : { embedding: { active: embedding.active, pending } }),
        ...(backups ? { backups: backups.document } : {}),
      },
      isAmiss: health.db !== "ok" || backups?.isStale === true,
    };
  } finally {
    backend.close();
  }
}

const counts = z.object({ memory_count: z.int(), pinned_count: z.int() });

/** Reads the resource; undefined from a backend without resources, or for a token that may not read. */
async function countsOf(backend: Backend, features: readonly string[]): Promise<z.infer<typeof counts> | undefined> {
  if (!features.includes("resources")) return undefined;
  try {
    return counts.parse(await backend.call(endpoints.resource, { query: { uri: "memory://stats" } }));
  } catch (error) {
    if (error instanceof ChestError && error.code === "FORBIDDEN") return undefined;
    throw error;
  }
}

const of = (identity: { readonly model: string } | null): string => (identity ? ` of \`${identity.model}\`` : "");

async function readStore(config: Config): Promise<Report> {
  const { dbPath, backupDir, database } = config;
  // The backups of a database are known to its operator only.
  if (database) return withStore(config, readEngine);
  const { listBackups, openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  // If only backups or a log are left of the store, opening it fails with a message that says how to restore it.
  if (!existsSync(dbPath) && (await listBackups(backupDir)).length === 0) throw noStore(dbPath);
  const engine = await openSqliteEngine({ path: dbPath, backupDir });
  try {
    const report = await readEngine(engine);
    const backups = summariseBackups((await listBackups(backupDir)).map(({ madeAt }) => madeAt));
    return {
      lines: [...report.lines, backups.line],
      document: { ...report.document, backups: backups.document },
      isAmiss: report.isAmiss || backups.isStale,
    };
  } finally {
    await engine.close();
  }
}

async function readEngine({ identities, inspect, lifecycle }: Engine): Promise<Report> {
  const [summary, known, shares] = await Promise.all([inspect.summary(), identities.current(), identities.shares()]);
  return reportOf(summary, await summariseMaintenance(lifecycle), known, shares);
}

function reportOf(
  summary: StoreSummary,
  maintenance: MaintenanceSummary,
  { active, next }: Identities,
  shares: readonly IdentityShare[],
): Report {
  const { where, sizeBytes, schemaVersion, live, archived, superseded, textRows, pending } = summary;
  const doneIn = (identity: EmbeddingIdentity) =>
    shares.find((share) => isSameIdentity(share.identity, identity))?.done;
  const shareOf = (identity: EmbeddingIdentity) => {
    const done = doneIn(identity) ?? 0;
    return `\`${identity.model}\` ${done} of ${live}${live === 0 ? "" : ` (${((100 * done) / live).toFixed(1)} %)`}`;
  };
  const missing = Math.max(0, live + archived + superseded - textRows);
  return {
    lines: [
      `store: ${where}, ${(sizeBytes / 1_048_576).toFixed(1)} MB, schema ${schemaVersion}`,
      `memories: ${live} live, ${archived} archived, ${superseded} superseded`,
      `text: ${textRows} indexed, ${missing} missing`,
      `embedding: ${pending} pending, ${shareOf(active)}`,
      ...(next ? [`switching to: ${shareOf(next)}`] : []),
      maintenance.line,
    ],
    document: {
      store: { where, size_bytes: sizeBytes, schema_version: schemaVersion, live, archived, superseded },
      text: { indexed: textRows, missing },
      embedding: {
        active,
        next: next ?? null,
        done: doneIn(active) ?? 0,
        pending,
        identities: shares.map(({ identity, done }) => ({ ...identity, done })),
      },
      maintenance: maintenance.document,
    },
    isAmiss: missing > 0,
  };
}

function outboxLine({ entries, oldestAt, refused, unreadable }: OutboxSummary): string {
  if (entries === 0 && refused === 0) return "outbox: empty";
  const stuck = unreadable.length > 0 ? `, ${unreadable.length} unreadable: \`chest-index outbox list\`` : "";
  return `outbox: ${entries} waiting${oldestAt ? ` since ${oldestAt}` : ""}, ${refused} refused${stuck}`;
}

const outboxDocument = ({ entries, oldestAt, refused }: OutboxSummary) => ({
  entries,
  oldest_at: oldestAt ?? null,
  refused,
});

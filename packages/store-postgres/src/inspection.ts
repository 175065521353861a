import type { Inspection } from "@chest/core/ports";
import { countsOf, type RowCounts, SUMMARY } from "@chest/store/queries/row-counts";
import type { Connections } from "./database/connection.ts";
import { assertStillKnown, due, readMigrations } from "./database/migrations.ts";
import type { Writer } from "./database/write.ts";

export interface Inspected {
  readonly reader: Connections;
  readonly searcher: Connections;
  readonly writer: Writer;
  /** Without its password. */
  readonly shownUrl: string;
}

const COUNTS = `${countsOf(SUMMARY)},
    (SELECT max(name) FROM chest_migrations) AS "schemaVersion", pg_database_size(current_database()) AS "sizeBytes"`;

interface Summed extends RowCounts<(typeof SUMMARY)[number]> {
  readonly schemaVersion: string | null;
  readonly sizeBytes: number;
}

/** Rolls back a probe, which changes nothing and waits for no lock. */
class ProbeRollback extends Error {}

export function inspection({ reader, searcher, writer, shownUrl }: Inspected): Inspection {
  const known = new Set(readMigrations().map(({ name }) => name));
  async function assertWritable(): Promise<void> {
    try {
      await writer.write(async (tx) => {
        await tx.run("INSERT INTO purged (uid, at) VALUES (gen_random_uuid()::text, 0)");
        throw new ProbeRollback();
      });
    } catch (error) {
      if (!(error instanceof ProbeRollback)) throw error;
    }
  }
  return {
    async ping() {
      await assertStillKnown(reader, known);
    },
    assertWritable,
    async assertSearchable() {
      await searcher.get("SELECT 1 FROM postings WHERE term = 'a' AND NOT is_gram LIMIT 1");
    },
    async examine() {
      const [findings, error] = await Promise.all([
        look(reader),
        assertWritable().then(
          () => undefined,
          (refusal: unknown) => (refusal instanceof Error ? refusal.message : "the database takes no write"),
        ),
      ]);
      const missing = readMigrations()
        .flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = ""]) => name))
        .filter((name) => !findings.tables.includes(name));
      return {
        path: shownUrl,
        doesExist: true,
        sizeBytes: findings.size,
        integrity: findings.faults.length === 0 ? "ok" : findings.faults.join("; "),
        journalMode: "wal",
        tables: findings.tables,
        missingTables: missing,
        isWritable: error === undefined,
        ...(error === undefined ? {} : { error }),
      };
    },
    async summary() {
      const row = await reader.get<Summed>(COUNTS);
      if (!row) throw new Error("the database counts nothing");
      return { ...row, where: shownUrl, schemaVersion: row.schemaVersion ?? "none" };
    },
  };
}

const INVALID = `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND NOT i.indisvalid`;
const SAMPLE = `SELECT t.memory_id, t.scope, split_part(t.words, ' ', 1) AS term FROM memory_text t
  WHERE t.words <> '' ORDER BY t.memory_id DESC LIMIT 16`;
const IS_POSTED = "SELECT 1 FROM postings WHERE term = ? AND NOT is_gram AND scope = ? AND memory_id = ?";

/** Checks for missing parts after a partial restore, and for unfinished indexes. */
async function look(reader: Connections) {
  const [tables, invalid, size, waiting] = await Promise.all([
    reader.all<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
    ),
    reader.all<{ name: string }>(INVALID),
    reader.get<{ size: number }>("SELECT pg_database_size(current_database()) AS size"),
    due(reader, readMigrations()),
  ]);
  const faults = [
    ...invalid.map(({ name }) => `index ${name} is not valid`),
    ...waiting.map(({ name }) => `migration ${name} is missing`),
  ];
  for (const row of await reader.all<{ memory_id: number; scope: number; term: string }>(SAMPLE))
    if (!(await reader.get(IS_POSTED, row.term, row.scope, row.memory_id)))
      faults.push(`memory ${row.memory_id} is not found by its words`);
  return { tables: tables.map(({ name }) => name), size: size?.size ?? 0, faults };
}

import { stat } from "node:fs/promises";
import { ChestError } from "@chest/contracts";
import { type Diagnosis, SearchTimeout } from "@chest/core/ports";
import { readMigrations } from "../database/migrations.ts";
import type { Writer } from "../database/write-queue.ts";
import type { Findings } from "../queries/diagnose.ts";
import { SearchPool } from "../threads/search-pool.ts";

// A check reads the whole file.
const PATIENCE_MS = 120_000;

export interface ExaminedStore {
  readonly path: string;
  readonly writer: Writer;
}

/** Checks the whole file in a thread over a separate connection, and tests the writer's lock. */
export async function examine({ path, writer }: ExaminedStore): Promise<Diagnosis> {
  const file = await stat(path).catch(() => undefined); // Gone is a finding.
  if (!file) return { ...ABSENT, path, missingTables: expectedTables() };
  const [findings, writeError] = await Promise.all([look(path), probe(writer)]);
  const { integrity, journalMode, tables } = findings;
  return {
    path,
    doesExist: true,
    sizeBytes: file.size,
    integrity,
    journalMode,
    tables,
    missingTables: expectedTables().filter((name) => !tables.includes(name)),
    isWritable: writeError === undefined,
    ...(writeError === undefined ? {} : { error: writeError }),
  };
}

const ABSENT = {
  doesExist: false,
  sizeBytes: 0,
  integrity: "not checked",
  journalMode: "unknown",
  tables: [],
  isWritable: false,
  error: "the file is not there",
};

const STATEMENT = /^(CREATE(?: VIRTUAL)?|DROP|ALTER) TABLE (\w+)(?: RENAME TO (\w+))?/gm;

/** Tables that exist after all migrations. */
export function expectedTables(): string[] {
  const tables = new Set<string>();
  for (const { sql } of readMigrations()) {
    for (const [, verb, name = "", renamed] of sql.matchAll(STATEMENT)) {
      if (verb === "DROP" || renamed !== undefined) tables.delete(name);
      if (renamed !== undefined) tables.add(renamed);
      else if (verb?.startsWith("CREATE")) tables.add(name);
    }
  }
  return [...tables].sort();
}

async function look(path: string): Promise<Findings> {
  const pool = new SearchPool({ path, threads: 1, timeoutMs: PATIENCE_MS });
  try {
    return await pool.ask("diagnose", {});
  } catch (error) {
    if (!(error instanceof SearchTimeout)) throw error;
    throw new ChestError("UNAVAILABLE", "checking the database took too long", {
      hint: "stop the backend and run `sqlite3 … 'PRAGMA integrity_check'`",
      cause: error,
    });
  } finally {
    await pool.close();
  }
}

class ProbeRollback extends Error {}

/** Takes the write lock and rolls its savepoint back: nothing changes. */
async function probe(writer: Writer): Promise<string | undefined> {
  try {
    await writer.call(() => Promise.reject(new ProbeRollback()));
    return undefined;
  } catch (error) {
    if (error instanceof ProbeRollback) return undefined;
    return error instanceof ChestError ? error.message : "the writer does not take a write";
  }
}

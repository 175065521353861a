import { existsSync } from "node:fs";
import type { Census, Diagnosis } from "@chest/core/ports";
import { Connection } from "../database/connection.ts";
import { sizeOf } from "../database/file-size.ts";
import { readMigrations } from "../database/migrations.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { diagnose } from "../queries/diagnose.ts";
import { takeCensus } from "../queries/row-counts.ts";
import { expectedTables } from "./diagnosis.ts";

/** Facts about a store file from reading alone. */
export interface Look extends Omit<Diagnosis, "isWritable"> {
  readonly logBytes: number;
  readonly schema: string;
  readonly knownSchema: string;
  /** Undefined if the file is too damaged to count. */
  readonly census: Census | undefined;
}

/** Checks a store's file directly, if no backend answers for it. Changes nothing. */
export function lookAtStore(path: string): Look {
  const blank = {
    path,
    doesExist: existsSync(path),
    sizeBytes: sizeOf(path),
    logBytes: sizeOf(`${path}-wal`),
    integrity: "not checked",
    journalMode: "unknown",
    tables: [],
    missingTables: expectedTables(),
    schema: "none",
    knownSchema: knownSchema(),
    census: undefined,
  };
  if (blank.sizeBytes === 0) return blank;
  try {
    const connection = new Connection(path, { readonly: true });
    try {
      const { integrity, journalMode, tables } = diagnose(connection);
      const missingTables = expectedTables().filter((name) => !tables.includes(name));
      const isWhole = integrity === "ok" && missingTables.length === 0;
      return {
        ...blank,
        integrity,
        journalMode,
        tables,
        missingTables,
        schema: tables.includes("meta") ? schemaOf(connection) : "none",
        census: isWhole ? takeCensus(connection) : undefined,
      };
    } finally {
      connection.close();
    }
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    return { ...blank, integrity: `failed: ${code}` };
  }
}

/** Name of this release's newest migration. */
export const knownSchema = (): string => readMigrations().at(-1)?.name ?? "none";

export const schemaOf = (connection: Pick<Connection, "get">): string =>
  connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'")?.value ?? "none";

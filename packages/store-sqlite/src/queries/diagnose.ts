import { INDEX_ALONE } from "@chest/contracts";
import type { Connection } from "../database/connection.ts";
import { faultInRows, faultsOf } from "../database/integrity-faults.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";

/** Findings of a check of the whole file. */
export interface Findings {
  /** `ok`, or the faults: positions in the file, never content. */
  readonly integrity: string;
  readonly journalMode: string;
  readonly tables: readonly string[];
}

const MAX_FAULTS = 20;

export function diagnose({ db }: Pick<Connection, "db">): Findings {
  return {
    integrity: integrityOf(db),
    journalMode: String(db.pragma("journal_mode", { simple: true })),
    tables: db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all() as string[],
  };
}

function integrityOf(db: Connection["db"]): string {
  try {
    const faults = faultsOf(db, MAX_FAULTS);
    if (faults.length === 0) return "ok";
    const found = faults.join("; ");
    return faultInRows(db, faults) === undefined ? `${INDEX_ALONE}: ${found}` : found;
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    return `failed: ${code}`; // A file too damaged to be walked is a finding, not a failure of ours.
  }
}

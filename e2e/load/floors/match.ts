import Database from "better-sqlite3";
import type { Sample } from "../rounds.ts";

// Pages are read by memory mapping, as in the product.
const MAPPED_BYTES = 1024 * 1024 * 1024;

interface Stored {
  readonly content: string;
  readonly space: string;
  readonly project: string;
}

/** Runs one statement of the full-text index that matches any of some terms. */
export class MatchFloor {
  readonly #db: Database.Database;
  readonly #ask: Database.Statement;

  constructor(path: string) {
    this.#db = new Database(path, { readonly: true });
    this.#db.pragma(`mmap_size = ${MAPPED_BYTES}`);
    this.#ask = this.#db.prepare("SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rank LIMIT 50");
  }

  run(matches: readonly string[]): Sample {
    const cpuBefore = process.cpuUsage();
    const tookMs = matches.map((match) => {
      const startedAt = performance.now();
      this.#ask.all(match);
      return performance.now() - startedAt;
    });
    const { user, system } = process.cpuUsage(cpuBefore);
    const wallMs = tookMs.reduce((sum, ms) => sum + ms, 0);
    return { requests: matches.length, wallMs, cpuMs: (user + system) / 1000, tookMs };
  }

  /** Reads a memory, to make a query that it answers. */
  memory(id: number): Stored {
    const sql =
      "SELECT content, space, key AS project FROM memories m JOIN projects p ON p.id = m.project_id WHERE m.id = ?";
    const row = this.#db.prepare(sql).get(id);
    if (!row) throw new Error(`the store has no memory ${id} in a project`);
    return row as Stored;
  }

  close(): void {
    this.#db.close();
  }
}

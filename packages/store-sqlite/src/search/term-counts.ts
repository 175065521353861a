import type { Connection } from "../connection.ts";

const KEPT_MS = 300_000;
const MAX_KEPT = 50_000;

interface Count {
  readonly rows: number;
  readonly at: number;
}

/**
 * In how many rows a term stands. Counting walks the term's entries, so what was counted is kept for a while: it only
 * decides which terms are worth asking for. A term that nobody wrote is asked for anew each time.
 */
export class TermCounts {
  readonly #connection: Connection;
  readonly #kept = new Map<string, Count>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  of(term: string): number {
    const kept = this.#kept.get(term);
    if (kept && Date.now() - kept.at < KEPT_MS) return kept.rows;
    const row = this.#connection.get<{ doc: number }>("SELECT doc FROM memory_terms WHERE term = ?", term);
    if (!row) return 0;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(term, { rows: row.doc, at: Date.now() });
    return row.doc;
  }

  /** Roughly how many rows there are: ids are given once, and only a purge takes a row away. */
  rows(): number {
    return this.#connection.get<{ id: number | null }>("SELECT max(memory_id) AS id FROM memory_text")?.id ?? 0;
  }
}

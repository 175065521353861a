import {
  akinIn,
  type Holders,
  keyOf,
  MOST_AKIN_ROWS,
  MOST_LOOKED_THROUGH,
  partsOfAkin,
  type RankedIndex,
  type TextRow,
  tokensIn,
  UnpackedRows,
} from "@chest/core/recall";
import type { Connection } from "../database/connection.ts";
import { standingOf } from "../full-text/fts-index.ts";
import { nearTerms } from "./fuzzy-terms.ts";
import type { PackedRows } from "./packed-rows.ts";
import { Postings } from "./postings.ts";
import { RecentRows } from "./recent-postings.ts";
import { RowTable } from "./row-lengths.ts";
import { Samples } from "./samples.ts";
import { Neighbours } from "./session-neighbours.ts";
import { SAMPLED_FROM, VisibleRows } from "./visible-rows.ts";

/** Above this number, recent rows are merged into the cached lists. */
const MAX_RECENT = 2048;
/** After missing more changes than this, a thread reads everything again. */
const MAX_MISSED = 4096;

interface Change {
  readonly seq: number;
  readonly memory_id: number;
  readonly is_text: number;
}

interface IndexedRow extends TextRow {
  readonly memory_id: number;
  readonly scope: string;
}

/**
 * In-memory view of the text index for one thread, updated with the file: which rows contain a term, and the scope and
 * length of each row. The file is authoritative.
 */
export class WordIndex implements RankedIndex {
  readonly #connection: Connection;
  /** Number of visible rows above which a sample tells how frequent the frequent terms are. */
  readonly sampledFrom: number;
  readonly rows: RowTable;
  readonly neighbours: Neighbours;
  readonly #postings: Postings;
  readonly #samples: Samples;
  readonly #recent = new RecentRows();
  /** Buffer for the rows of one term while they are counted. */
  readonly #room = new UnpackedRows();
  /** Ids of rows whose cached entries are outdated; their present terms are among the recent rows. */
  readonly #changed = new Set<number>();
  #sortedChanged: readonly number[] | undefined;
  /** Number of the last applied change. */
  #seen: number | undefined;
  /** Rows up to this id are in the postings, unless they changed; later ones are among the recent rows. */
  #folded = 0;
  #isAsked = false;
  /** State of the text index when something was last read of it. */
  #generation: number | undefined;

  constructor(connection: Connection, sampledFrom = SAMPLED_FROM) {
    this.#connection = connection;
    this.sampledFrom = sampledFrom;
    this.rows = new RowTable(connection);
    this.neighbours = new Neighbours(connection);
    this.#postings = new Postings(connection);
    this.#samples = new Samples(connection, this.rows);
  }

  /** Reads a part of the index in advance; false if nothing is left. */
  readAhead(): boolean {
    if (this.#isAsked) return false;
    const { isFilling, generation } = standingOf(this.#connection);
    if (isFilling) return false;
    this.#generation ??= generation;
    this.#seen ??= this.#lastChange();
    const hasMore = this.rows.readOn();
    this.#folded = this.rows.upTo;
    return hasMore || this.neighbours.readOn(this.rows.upTo);
  }

  /** Applies changes since the last query; false while the text index is being rebuilt. */
  catchUp(): boolean {
    this.#isAsked = true;
    const { isFilling, generation } = standingOf(this.#connection);
    if (isFilling) return false;
    const isAnother = generation !== (this.#generation ?? generation);
    this.#generation = generation;
    const last = this.#lastChange();
    const seen = this.#seen ?? last;
    if (isAnother || last - seen > MAX_MISSED) this.#forget();
    else if (last > seen) this.#applyChanges(seen);
    this.#seen = last;
    this.#takeNewRows();
    this.neighbours.follow(this.rows.upTo);
    if (this.#recent.size > MAX_RECENT) this.#fold();
    return true;
  }

  /**
   * Rows of a term in the postings, valid until the next call.
   * @param scope number of the scope; default: all
   */
  rowsOf(text: string, isGram: boolean, scope?: number): PackedRows {
    if (scope === undefined) return this.#postings.of(text, isGram, this.#folded);
    return this.#postings.within({ number: scope, scopes: this.rows.scopes }, text, isGram, this.#folded);
  }

  /** Rows added or changed since, in any scope. */
  recentOf(text: string, isGram: boolean): Holders {
    return this.#recent.holding(keyOf(text, isGram));
  }

  /** Words of any row, visible or not, that a misspelt word may have meant. */
  near(typed: string): readonly string[] {
    return nearTerms(this.#connection, typed);
  }

  /**
   * Words in the newest rows of some scopes that are related to a word.
   * @param allowed flags by the number of a scope
   */
  akin(typed: string, allowed: Uint8Array): readonly string[] {
    const parts = partsOfAkin(typed);
    if (parts.length === 0) return [];
    const rows = this.#connection.all<{ text: string }>(
      akinTo(parts.length),
      JSON.stringify(this.rows.newestIn(allowed, MOST_LOOKED_THROUGH)),
      ...parts,
      MOST_AKIN_ROWS,
    );
    return akinIn(
      rows.map(({ text }) => text),
      typed,
    );
  }

  /** Rows in these scopes, valid until the next call of `catchUp`. */
  visibleRows(scopes: readonly string[]): VisibleRows {
    return new VisibleRows(this, this.#samples, this.#room, scopes);
  }

  /** Ids of rows whose cached entries are outdated. */
  get changed(): ReadonlySet<number> {
    return this.#changed;
  }

  get sortedChanged(): readonly number[] {
    this.#sortedChanged ??= [...this.#changed].sort((a, b) => a - b);
    return this.#sortedChanged;
  }

  #takeNewRows(): void {
    const newest = this.#connection.get<{ id: number | null }>(NEWEST)?.id ?? 0;
    if (newest <= this.rows.upTo) return;
    if (newest - this.rows.upTo > MAX_RECENT) {
      // This many new rows are read like existing ones.
      this.#postings.forget();
      this.#recent.clear();
      this.#clearChanged();
      this.#samples.clear();
      this.rows.forgetScopes();
      this.#readAll();
      return;
    }
    for (const row of this.#connection.all<IndexedRow>(ROWS_PAST, this.rows.upTo)) this.#take(row);
  }

  #applyChanges(seen: number): void {
    for (const { memory_id: id, is_text } of this.#connection.all<Change>(CHANGES_PAST, seen)) {
      if (id > this.rows.upTo) continue; // Comes with the new rows, as it is now.
      const row = this.#connection.get<IndexedRow>(ROW, id);
      this.#samples.note(this.rows.scopes[id] ?? 0, id);
      if (is_text || !row) this.#noteChanged(id);
      if (row && this.rows.isElsewhere(id, row.scope)) this.neighbours.forget();
      if (!row) {
        this.rows.delete(id);
        this.#recent.delete(id);
      } else if (is_text) this.#take(row);
      else {
        this.rows.setScope(id, row.scope);
        this.#samples.note(this.rows.numberOf(row.scope), id);
        if (id <= this.#folded) this.#postings.forgetScope(this.rows.numberOf(row.scope));
      }
    }
  }

  #take(row: IndexedRow): void {
    this.rows.set(row.memory_id, row.scope, tokensIn(row.words).length);
    this.#samples.note(this.rows.numberOf(row.scope), row.memory_id);
    this.#recent.set(row.memory_id, row);
  }

  #noteChanged(id: number): void {
    this.#changed.add(id);
    this.#sortedChanged = undefined;
  }

  #clearChanged(): void {
    this.#changed.clear();
    this.#sortedChanged = undefined;
  }

  #fold(): void {
    if (this.#changed.size > 0) this.#postings.forget();
    else this.#postings.extend((key) => this.#recent.holding(key), this.rows.scopes);
    this.#recent.clear();
    this.#clearChanged();
    this.#folded = this.rows.upTo;
  }

  #forget(): void {
    this.rows.forget();
    this.#postings.forget();
    this.#recent.clear();
    this.#clearChanged();
    this.#samples.clear();
    this.#readAll();
  }

  #readAll(): void {
    while (this.rows.readOn());
    this.#folded = this.rows.upTo;
  }

  #lastChange(): number {
    return this.#connection.get<{ seq: number | null }>(LAST_CHANGE)?.seq ?? 0;
  }
}

// The ids of a small scope are known: looking for them in the table would read all texts of the store.
const akinTo = (parts: number) => `SELECT text FROM (
    SELECT words || ' ' || title || ' ' || tags AS text FROM json_each(?) CROSS JOIN memory_text ON memory_id = value)
  WHERE ${Array(parts).fill("instr(text, ?) > 0").join(" OR ")} LIMIT ?`;
const NEWEST = "SELECT max(memory_id) AS id FROM memory_text";
const LAST_CHANGE = "SELECT max(seq) AS seq FROM memory_text_changes";
const CHANGES_PAST = "SELECT seq, memory_id, is_text FROM memory_text_changes WHERE seq > ? ORDER BY seq";
const COLUMNS = "memory_id, scope, title, tags, words, grams";
const ROWS_PAST = `SELECT ${COLUMNS} FROM memory_text WHERE memory_id > ? ORDER BY memory_id`;
const ROW = `SELECT ${COLUMNS} FROM memory_text WHERE memory_id = ?`;

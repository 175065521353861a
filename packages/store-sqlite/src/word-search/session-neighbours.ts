import type { Connection } from "../database/connection.ts";
import { grown } from "./row-lengths.ts";

const CHUNK = 20_000;
/** Rows of another space, or out of sight, that are passed over on the way to a neighbour. */
const MAX_STEPS = 4;

/**
 * Which memory was stored before and after each in the same session or conversation, by id. Held beside the text index
 * and not in it: words that are lent are looked up at the lender when a question is asked, so a row never holds a word
 * that is not its own.
 */
export class Neighbours {
  readonly #connection: Connection;
  readonly #chunk: number;
  /** 0: none. */
  #before = new Uint32Array(0);
  #after = new Uint32Array(0);
  /** Rows up to this id are linked, once all of them are read. */
  #upTo: number | undefined;
  #cursor = { context: "", id: 0 };
  #isRead = false;

  constructor(connection: Connection, chunk = CHUNK) {
    this.#connection = connection;
    this.#chunk = chunk;
  }

  /** Reads some of the sessions that were there at the start; false when none is left. */
  readOn(newest: number): boolean {
    if (this.#isRead) return false;
    this.#upTo ??= newest;
    const { context, id } = this.#cursor;
    const read = this.#connection.get<{ places: string; context: string | null }>(
      PLACES,
      context,
      context,
      id,
      this.#upTo,
      this.#chunk,
    );
    // Ids in their order; where a session begins, negative.
    const places = JSON.parse(read?.places ?? "[]") as number[];
    let last = id;
    for (const [at, place] of places.entries()) {
      const own = Math.abs(place);
      const goesOn = at === 0 ? id > 0 && this.#contextOf(id) === this.#contextOf(own) : place > 0;
      if (goesOn) this.#link(last, own);
      last = own;
    }
    this.#cursor = { context: read?.context ?? "", id: last };
    this.#isRead = places.length < this.#chunk;
    return !this.#isRead;
  }

  /** Takes in the rows that came since. */
  follow(newest: number): void {
    while (this.readOn(newest));
    const from = this.#upTo ?? 0;
    if (newest <= from) return;
    for (const { id, before } of this.#connection.all<{ id: number; before: number | null }>(NEW_PLACES, from, newest))
      if (before !== null) this.#link(before, id);
    this.#upTo = newest;
  }

  get isEmpty(): boolean {
    return this.#before.length === 0;
  }

  /** The nearest row before this one that lies in the same scope; 0 when there is none. */
  before(id: number, scopes: Uint32Array): number {
    return nearest(this.#before, id, scopes);
  }

  after(id: number, scopes: Uint32Array): number {
    return nearest(this.#after, id, scopes);
  }

  #contextOf(id: number): string | undefined {
    return this.#connection.get<{ context: string }>(CONTEXT, id)?.context;
  }

  #link(before: number, id: number): void {
    if (id >= this.#before.length) {
      const room = Math.max(1024, Math.ceil(1.25 * (Math.max(id, this.#upTo ?? 0) + 1)));
      this.#before = grown(new Uint32Array(room), this.#before);
      this.#after = grown(new Uint32Array(room), this.#after);
    }
    this.#before[id] = before;
    this.#after[before] = id;
  }
}

function nearest(links: Uint32Array, id: number, scopes: Uint32Array): number {
  const own = scopes[id];
  let at = links[id] ?? 0;
  for (let steps = 0; at !== 0 && steps < MAX_STEPS; steps++) {
    if (scopes[at] === own) return at;
    at = links[at] ?? 0;
  }
  return 0;
}

/** A session is its member's: the same id of two members is two of them. */
const CONTEXT_OF = (row: string) => `coalesce(${row}.conversation_id, ${row}.author_id || ':' || ${row}.session_id)`;
const CONTEXT = `SELECT ${CONTEXT_OF("m")} AS context FROM memories m WHERE id = ?`;
const PLACES = `SELECT json_group_array(iif(context IS before, id, -id)) AS places, max(context) AS context
  FROM (SELECT id, context, lag(context) OVER (ORDER BY context, id) AS before
    FROM (SELECT m.id, ${CONTEXT_OF("m")} AS context FROM memories m
      WHERE ${CONTEXT_OF("m")} >= ? AND (${CONTEXT_OF("m")} > ? OR m.id > ?) AND m.id <= ?
      ORDER BY ${CONTEXT_OF("m")}, m.id LIMIT ?))`;
const NEW_PLACES = `SELECT m.id, (SELECT max(p.id) FROM memories p WHERE ${CONTEXT_OF("p")} = ${CONTEXT_OF("m")} AND p.id < m.id) AS before
  FROM memories m WHERE m.id > ? AND m.id <= ? AND ${CONTEXT_OF("m")} IS NOT NULL ORDER BY m.id`;

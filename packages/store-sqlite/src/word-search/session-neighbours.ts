import { grown } from "@chest/core/recall";
import type { Connection } from "../database/connection.ts";

const CHUNK = 20_000;
/** Rows in another state that are passed over on the way to a neighbour. */
const MAX_STEPS = 4;

/**
 * Links each conversation turn or session note to the ones before and after it in the same session and space. Memories
 * of other spaces are skipped. Links are kept beside the text index: a query looks up the words that neighbours lend,
 * so a row contains only its own words.
 */
export class Neighbours {
  readonly #connection: Connection;
  readonly #chunk: number;
  /** 0: none. */
  #before = new Uint32Array(0);
  #after = new Uint32Array(0);
  /** Rows up to this id are linked, once all sessions are read. */
  #upTo: number | undefined;
  #cursor = { context: "", space: "", id: 0 };
  #isRead = false;

  constructor(connection: Connection, chunk = CHUNK) {
    this.#connection = connection;
    this.#chunk = chunk;
  }

  /** Reads some of the sessions that existed at the start; false if none is left. */
  readOn(newest: number): boolean {
    if (this.#isRead) return false;
    this.#upTo ??= newest;
    const { context, space, id } = this.#cursor;
    const read = this.#connection.get<{ places: string }>(PLACES, context, context, space, id, this.#upTo, this.#chunk);
    // Ids in order; negative where another session or space starts.
    const places = JSON.parse(read?.places ?? "[]") as number[];
    let last = id;
    for (const [at, place] of places.entries()) {
      const own = Math.abs(place);
      const goesOn = at === 0 ? this.#isBeside(own) : place > 0;
      if (goesOn) this.#link(last, own);
      last = own;
    }
    this.#cursor = this.#placeOf(last) ?? { context: "", space: "", id: last };
    this.#isRead = places.length < this.#chunk;
    return !this.#isRead;
  }

  /** Adds new rows. */
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

  /** Reads everything again on the next request, because a memory has moved to another space. */
  forget(): void {
    this.#before = new Uint32Array(0);
    this.#after = new Uint32Array(0);
    this.#upTo = undefined;
    this.#cursor = { context: "", space: "", id: 0 };
    this.#isRead = false;
  }

  /** Whether the first new row has the same session and space as the last row before it. */
  #isBeside(id: number): boolean {
    const { context, space } = this.#placeOf(id) ?? {};
    return this.#cursor.id > 0 && context === this.#cursor.context && space === this.#cursor.space;
  }

  #placeOf(id: number): { context: string; space: string; id: number } | undefined {
    return this.#connection.get(PLACE, id);
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

/** Condition for a conversation turn or session note; explicitly saved facts have no neighbours. */
const IS_TURN = (row: string) => `(${row}.conversation_id IS NOT NULL OR ${row}.capture_key IS NOT NULL)`;
/** A session belongs to its member: the same id of two members names two sessions. */
const CONTEXT_OF = (row: string) => `coalesce(${row}.conversation_id, ${row}.author_id || ':' || ${row}.session_id)`;
const PLACE = `SELECT ${CONTEXT_OF("m")} AS context, m.space, m.id FROM memories m WHERE id = ?`;
const PLACES = `SELECT json_group_array(iif(context IS before AND space IS space_before, id, -id)) AS places
  FROM (SELECT id, context, space, lag(context) OVER w AS before, lag(space) OVER w AS space_before
    FROM (SELECT m.id, ${CONTEXT_OF("m")} AS context, m.space FROM memories m
      WHERE ${CONTEXT_OF("m")} >= ? AND (${CONTEXT_OF("m")}, m.space, m.id) > (?, ?, ?) AND m.id <= ?
        AND ${IS_TURN("m")}
      ORDER BY ${CONTEXT_OF("m")}, m.space, m.id LIMIT ?)
    WINDOW w AS (ORDER BY context, space, id))`;
const NEW_PLACES = `SELECT m.id, (SELECT max(p.id) FROM memories p
    WHERE ${CONTEXT_OF("p")} = ${CONTEXT_OF("m")} AND p.space = m.space AND p.id < m.id
      AND ${IS_TURN("p")}) AS before
  FROM memories m WHERE m.id > ? AND m.id <= ? AND ${CONTEXT_OF("m")} IS NOT NULL AND ${IS_TURN("m")}
  ORDER BY m.id`;

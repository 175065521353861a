import {
  type Caller,
  clientLabel,
  closedProject,
  type EventKind,
  type Member,
  mayWriteTo,
  type Reach,
  type Space,
} from "@chest/core";
import type { Piped } from "./connection.ts";
import { everySpace, type Places, PROJECTS, type ProjectRowOfTable, readPlaces, toProject } from "./places.ts";
import { toSeconds } from "./rows.ts";

export interface TransactionOptions {
  readonly caller: Caller;
  readonly now: Date;
  /** Work of the store itself: it opens every space, and was allowed where it writes when it looked. */
  readonly isOwn?: boolean | undefined;
  /** Spaces that it opens; undefined: those of the caller, or all where it is the store's own work. */
  readonly spaces?: readonly Space[] | undefined;
}

/** Found by its own key, or else by an alias. */
const IS_OF_KEY = `p.id = coalesce((SELECT id FROM projects WHERE key = ?), (SELECT project_id FROM project_aliases WHERE key = ?))`;
// The row as of when the lock is had, whatever it was when the statement began.
const LOCKED = `SELECT id, key, access FROM projects p WHERE ${IS_OF_KEY} FOR KEY SHARE`;

/** One call's transaction: who writes and when, and what it has touched so far. */
export class Transaction {
  readonly connection: Piped;
  readonly caller: Caller;
  /** Whole seconds, as the store keeps them. */
  readonly now: Date;
  readonly nowS: number;
  readonly client: string;
  /** Session that what is written belongs to; undefined for none. */
  session: string | undefined;
  /** Spaces that this call has written to or read from: its answer is replayed only to callers who may open all of them. */
  readonly spaces = new Set<Space>();
  readonly #touched = new Set<number>();
  readonly #projects = new Map<string, number>();
  readonly #isOwn: boolean;
  #opened: readonly Space[] | undefined;
  #places: Promise<Places> | undefined;

  constructor(connection: Piped, { caller, now, isOwn = false, spaces }: TransactionOptions) {
    this.connection = connection;
    this.caller = caller;
    this.nowS = toSeconds(now);
    this.now = new Date(this.nowS * 1000);
    this.session = caller.client.session;
    this.client = clientLabel(caller.client);
    this.#isOwn = isOwn;
    this.#opened = spaces;
  }

  /** A memory that this call has written. */
  readonly touch = (id: number): void => {
    this.#touched.add(id);
  };

  /** The spaces that a reach opens to this call. */
  readonly spacesIn = async (reach: Reach): Promise<readonly Space[]> => {
    if (!this.#isOwn && this.#opened === undefined) return (await this.places()).spaces(this.caller, reach);
    this.#opened ??= await everySpace(this.connection);
    return this.#opened;
  };

  /** Projects as this transaction sees them: one that it has just made is among them. */
  places(): Promise<Places> {
    this.#places ??= readPlaces(this.connection);
    return this.#places;
  }

  /**
   * The project of a key, made on first use. It stays as open as it is until the commit. Throws `NOT_FOUND` for one that is
   * closed to the caller.
   */
  async projectId(key: string | undefined): Promise<number | undefined> {
    if (key === undefined) return undefined;
    const id = this.#projects.get(key) ?? (await this.#projectOf(key));
    if (id === undefined) return undefined;
    this.#projects.set(key, id);
    this.spaces.add(`p${id}`);
    return id;
  }

  async #projectOf(key: string): Promise<number | undefined> {
    for (;;) {
      const locked = await this.connection.get<Pick<ProjectRowOfTable, "id" | "key" | "access">>(LOCKED, key, key);
      // An open one takes anybody, so its members need not be read. Those of others are read behind the lock, which shows what
      // was changed while it was waited for.
      const isOpen = locked?.key === key && locked.access === "open";
      const known = isOpen
        ? { ...locked, member_ids: [], aliases: [] }
        : await this.connection.get<ProjectRowOfTable>(`${PROJECTS} WHERE ${IS_OF_KEY}`, key, key);
      // One that was merged into another meanwhile.
      if (locked?.id !== known?.id) continue;
      if (this.#isOwn) return known?.id;
      if (!mayWriteTo(known && toProject(known), this.caller)) throw closedProject(key);
      if (known) return known.id;
      const made = await this.connection.get<{ id: number }>(
        "INSERT INTO projects (key, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id",
        key,
        this.nowS,
      );
      this.#places = undefined;
      if (made) return made.id;
    }
  }

  event(entityId: number, kind: EventKind, payload: Readonly<Record<string, number | string>>): void {
    this.connection.later(
      "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, ?, ?, ?)",
      entityId,
      kind,
      JSON.stringify(payload),
      this.nowS,
    );
  }

  /** The writer of this call must exist for what it writes; members of their own come with their tokens. */
  ensureMember({ id, name }: Member): void {
    const sql = `INSERT INTO members (id, name, created_at) SELECT ?::bigint, ?, ?::bigint
      WHERE NOT EXISTS (SELECT 1 FROM members WHERE id = ?) ON CONFLICT DO NOTHING`;
    this.connection.later(sql, id, name, this.nowS, id);
  }

  /** The last thing a transaction of a call does: one audit row, ids only. */
  end(op: string): void {
    if (this.#touched.size > 0) this.audit(op, { memoryIds: [...this.#touched] });
  }

  /**
   * Notes an audited action beside writing memories. @param subject target of the action, like `token:3`: an id,
   * never a text.
   */
  audit(op: string, { memoryIds = [], subject, outcome = "ok" }: AuditNote): void {
    this.connection.later(
      `INSERT INTO audit_log (at, member_id, token_id, client, op, outcome, memory_ids, subject)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      this.nowS,
      this.caller.member.id,
      this.caller.token?.id ?? null,
      this.client,
      op,
      outcome,
      memoryIds,
      subject ?? null,
    );
  }
}

interface AuditNote {
  readonly memoryIds?: readonly number[];
  readonly subject?: string;
  readonly outcome?: "ok" | "begun";
}

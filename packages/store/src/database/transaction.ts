import {
  type Caller,
  type CanonicalText,
  clientLabel,
  closedProject,
  type EventKind,
  type Member,
  type Memory,
  mayWriteTo,
  type ProjectRow,
  type Reach,
  repositoryKeyOf,
  type Space,
  type TextRow,
} from "@chest/core";
import type { Statements } from "./connection.ts";
import { everySpace, type Places } from "./places.ts";
import { toSeconds } from "./rows.ts";

/** Whom a transaction is for. */
export interface TransactionOptions {
  readonly caller: Caller;
  readonly now: Date;
  /** Work of the store itself: it opens every space, and was allowed where it writes when it looked. */
  readonly isOwn?: boolean | undefined;
  /** Spaces that it opens; undefined: those of the caller, or all where it is the store's own work. */
  readonly spaces?: readonly Space[] | undefined;
}

export interface AuditNote {
  readonly memoryIds?: readonly number[];
  readonly subject?: string;
  readonly outcome?: "ok" | "begun";
}

/** Row of the audit log, as a transaction writes it. */
export interface AuditCells {
  readonly memberId: number;
  readonly tokenId: number | null;
  readonly client: string | null;
  readonly op: string;
  readonly outcome: string;
  readonly memoryIds: readonly number[];
  readonly subject: string | null;
  /** How often it happened. */
  readonly times: number;
}

/** Changes to the words by which memories are found; each engine has an index of its own. */
export interface TextWrites {
  /** Makes the text row of a memory anew. */
  write(
    memory: Memory,
    text?: Pick<CanonicalText, "words" | "grams">,
    options?: { readonly isRetitled?: boolean },
  ): Promise<void>;
  /** Changes parts of a text row; one that is missing stays so. */
  change(id: number, change: Partial<TextRow>): Promise<void>;
  /** Moves text rows to other scopes; their words stay. */
  move(rows: readonly { readonly id: number; readonly scope: string }[]): Promise<void>;
  /** Takes a memory's text out of the index. */
  drop(id: number): Promise<void>;
}

const AUDIT_COLUMNS = "at, member_id, token_id, client, op, outcome, memory_ids, subject, times";
const PUT_AUDIT = `INSERT INTO audit_log (${AUDIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT_AUDIT_AS = `INSERT INTO audit_log (${AUDIT_COLUMNS}, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** One call's transaction: who writes and when, and what it has touched so far. */
export abstract class Transaction {
  readonly connection: Statements;
  readonly caller: Caller;
  /** Whole seconds, as the store keeps them. */
  readonly now: Date;
  readonly nowS: number;
  readonly client: string;
  /** Session that what is written belongs to; undefined for none. */
  session: string | undefined;
  /** Spaces that this call has written to or read from: its answer is replayed only to callers who may open all of them. */
  readonly spaces = new Set<Space>();
  /** Key of a project that it has made; undefined for none. */
  madeProject: string | undefined;
  readonly isOwn: boolean;
  abstract readonly texts: TextWrites;
  readonly #touched = new Set<number>();
  readonly #projects = new Map<string, number>();
  #opened: readonly Space[] | undefined;
  #places: Promise<Places> | undefined;

  constructor(connection: Statements, { caller, now, isOwn = false, spaces }: TransactionOptions) {
    this.connection = connection;
    this.caller = caller;
    this.nowS = toSeconds(now);
    this.now = new Date(this.nowS * 1000);
    this.session = caller.client.session;
    this.client = clientLabel(caller.client);
    this.isOwn = isOwn;
    this.#opened = spaces;
  }

  /** Reads the projects as this transaction sees them. */
  protected abstract readPlaces(): Promise<Places>;

  /** The same transaction in another caller's name. */
  abstract as(caller: Caller): Transaction;

  /** Options of the same transaction in another caller's name. */
  protected optionsAs(caller: Caller): TransactionOptions {
    return { caller, now: this.now, isOwn: this.isOwn, spaces: this.#opened };
  }

  /** Finds a project by its key or an alias, and has it stay as open as it is until the commit. */
  protected abstract holdProject(key: string): Promise<ProjectRow | undefined>;

  /** The number of the next row of the audit log; undefined where the database gives it. */
  protected abstract auditSeq(): number | undefined;

  /** Called for each entity that was found or made at a place: its space, its kind and its name. */
  noteEntity(_place: readonly string[], _id: number): void {}

  /** Marks a memory as written by this call. */
  readonly touch = (id: number): void => {
    this.#touched.add(id);
  };

  /** The spaces that a reach opens to this call. */
  readonly spacesIn = async (reach: Reach): Promise<readonly Space[]> => {
    if (!this.isOwn && this.#opened === undefined) return (await this.places()).spaces(this.caller, reach);
    this.#opened ??= await everySpace(this.connection);
    return this.#opened;
  };

  /** Projects as this transaction sees them: one that it has just made is among them. */
  places(): Promise<Places> {
    this.#places ??= this.readPlaces();
    return this.#places;
  }

  /** The project of a key, made on first use. Throws `NOT_FOUND` for one that is closed to the caller. */
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
      const known = await this.holdProject(key);
      if (this.isOwn) return known?.id;
      if (!mayWriteTo(known, this.caller)) throw closedProject(key);
      if (known) return known.id;
      const made = await this.connection.get<{ id: number }>(
        "INSERT INTO projects (key, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id",
        repositoryKeyOf(key),
        this.nowS,
      );
      this.#places = undefined;
      if (!made) continue;
      this.madeProject = repositoryKeyOf(key);
      return made.id;
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

  /** Makes the row of the member who writes; members of their own come with their tokens. */
  ensureMember({ id, name }: Member): void {
    const sql = `INSERT INTO members (id, name, created_at) SELECT CAST(? AS bigint), CAST(? AS text), CAST(? AS bigint)
      WHERE NOT EXISTS (SELECT 1 FROM members WHERE id = ?) ON CONFLICT DO NOTHING`;
    this.connection.later(sql, id, name, this.nowS, id);
  }

  /** Writes a row of the audit log, with the next number of the log. */
  putAudit({ memberId, tokenId, client, op, outcome, memoryIds, subject, times }: AuditCells): void {
    const cells = [this.nowS, memberId, tokenId, client, op, outcome, memoryIds, subject, times] as const;
    const seq = this.auditSeq();
    if (seq === undefined) this.connection.later(PUT_AUDIT, ...cells);
    else this.connection.later(PUT_AUDIT_AS, ...cells, seq);
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
    const { member, token } = this.caller;
    const who = { memberId: member.id, tokenId: token?.id ?? null, client: this.client };
    this.putAudit({ ...who, op, outcome, memoryIds, subject: subject ?? null, times: 1 });
  }
}

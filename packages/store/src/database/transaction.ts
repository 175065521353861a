import {
  type Caller,
  clientLabel,
  closedProject,
  type Member,
  mayWriteTo,
  type Reach,
  repositoryKeyOf,
  type Space,
} from "@chest/core/access";
import type { CanonicalText, Memory } from "@chest/core/memory";
import type { EventKind, ProjectRow } from "@chest/core/ports";
import type { TextRow } from "@chest/core/recall";
import type { Statements } from "./connection.ts";
import { dropDecided } from "./inbox-items.ts";
import { everySpace, type Places } from "./places.ts";
import { toSeconds } from "./rows.ts";

/** Caller and rights of a transaction. */
export interface TransactionOptions {
  readonly caller: Caller;
  readonly now: Date;
  /** Work of the store itself: it may open every space, because rights were checked when it was planned. */
  readonly isOwn?: boolean | undefined;
  /** Spaces that it may open; undefined: those of the caller, or all for work of the store. */
  readonly spaces?: readonly Space[] | undefined;
}

export interface AuditNote {
  readonly memoryIds?: readonly number[];
  readonly subject?: string;
  readonly outcome?: "ok" | "begun";
}

/** Row of the audit log. */
export interface AuditCells {
  readonly memberId: number;
  readonly tokenId: number | null;
  readonly client: string | null;
  readonly op: string;
  readonly outcome: string;
  readonly memoryIds: readonly number[];
  readonly subject: string | null;
  /** Number of occurrences. */
  readonly times: number;
}

/** Changes to the text index; each engine has its own. */
export interface TextWrites {
  /** Builds the text row of a memory. */
  write(
    memory: Memory,
    text?: Pick<CanonicalText, "words" | "grams">,
    options?: { readonly isRetitled?: boolean },
  ): Promise<void>;
  /** Changes parts of a text row; a missing row stays missing. */
  change(id: number, change: Partial<TextRow>): Promise<void>;
  /** Moves text rows to other scopes, with unchanged text. */
  move(rows: readonly { readonly id: number; readonly scope: string }[]): Promise<void>;
  /** Removes a memory from the text index. */
  drop(id: number): Promise<void>;
}

const AUDIT_COLUMNS = "at, member_id, token_id, client, op, outcome, memory_ids, subject, times";
const PUT_AUDIT = `INSERT INTO audit_log (${AUDIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT_AUDIT_AS = `INSERT INTO audit_log (${AUDIT_COLUMNS}, seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Transaction of one call: its caller, its time, and the rows it has touched. */
export abstract class Transaction {
  readonly connection: Statements;
  readonly caller: Caller;
  /** Rounded to seconds, as times are stored. */
  readonly now: Date;
  readonly nowS: number;
  readonly client: string;
  /** Session of the written rows; undefined for none. */
  session: string | undefined;
  /** Spaces that this call has read or written: its answer is replayed only to callers who may open all of them. */
  readonly spaces = new Set<Space>();
  /** Key of a project that it has made; undefined for none. */
  madeProject: string | undefined;
  readonly isOwn: boolean;
  abstract readonly texts: TextWrites;
  readonly #touched = new Set<number>();
  /** Touched memories that existed before this transaction. */
  readonly #changed = new Set<number>();
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

  /** Reads the projects within this transaction. */
  protected abstract readPlaces(): Promise<Places>;

  /** Returns this transaction, acting for another caller. */
  abstract as(caller: Caller): Transaction;

  /** Options of the same transaction for another caller. */
  protected optionsAs(caller: Caller): TransactionOptions {
    return { caller, now: this.now, isOwn: this.isOwn, spaces: this.#opened };
  }

  /** Finds a project by key or alias, and locks its access list until the commit. */
  protected abstract holdProject(key: string): Promise<ProjectRow | undefined>;

  /** Number of the next audit row; undefined if the database assigns it. */
  protected abstract auditSeq(): number | undefined;

  /** Called for each entity that was found or created, with its space, kind and name. */
  noteEntity(_place: readonly string[], _id: number): void {}

  /** Marks a memory as written by this call. */
  readonly touch = (id: number, { isNew = false }: { readonly isNew?: boolean } = {}): void => {
    this.#touched.add(id);
    if (!isNew) this.#changed.add(id);
  };

  /** Spaces of a reach that this call may open. */
  readonly spacesIn = async (reach: Reach): Promise<readonly Space[]> => {
    if (!this.isOwn && this.#opened === undefined) return (await this.places()).spaces(this.caller, reach);
    this.#opened ??= await everySpace(this.connection);
    return this.#opened;
  };

  /** Projects in this transaction, including new ones. */
  places(): Promise<Places> {
    this.#places ??= this.readPlaces();
    return this.#places;
  }

  /** Finds or creates a project by key. Throws `NOT_FOUND` for a project that is closed to the caller. */
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

  /** Creates the caller's member row if it is missing; other members are created with their tokens. */
  ensureMember({ id, name }: Member): void {
    const sql = `INSERT INTO members (id, name, created_at) SELECT CAST(? AS bigint), CAST(? AS text), CAST(? AS bigint)
      WHERE NOT EXISTS (SELECT 1 FROM members WHERE id = ?) ON CONFLICT DO NOTHING`;
    this.connection.later(sql, id, name, this.nowS, id);
  }

  /** Writes a row of the audit log with the next number. */
  putAudit({ memberId, tokenId, client, op, outcome, memoryIds, subject, times }: AuditCells): void {
    const cells = [this.nowS, memberId, tokenId, client, op, outcome, memoryIds, subject, times] as const;
    const seq = this.auditSeq();
    if (seq === undefined) this.connection.later(PUT_AUDIT, ...cells);
    else this.connection.later(PUT_AUDIT_AS, ...cells, seq);
  }

  /** Ends a call's transaction with one audit row, which contains ids only. Notes on items that it has decided go. */
  end(op: string): void {
    if (this.#changed.size > 0) dropDecided(this.connection, [...this.#changed]);
    if (this.#touched.size > 0) this.audit(op, { memoryIds: [...this.#touched] });
  }

  /**
   * Audits an action besides writing memories.
   * @param subject object of the action, such as `token:3`: an id, never a text.
   */
  audit(op: string, { memoryIds = [], subject, outcome = "ok" }: AuditNote): void {
    const { member, token } = this.caller;
    const who = { memberId: member.id, tokenId: token?.id ?? null, client: this.client };
    this.putAudit({ ...who, op, outcome, memoryIds, subject: subject ?? null, times: 1 });
  }
}

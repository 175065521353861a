import {
  type Call,
  type Caller,
  clientLabel,
  closedProject,
  type EventKind,
  type Member,
  mayWriteTo,
  type Space,
} from "@chest/core";
import type { Connection, Statements } from "./connection.ts";
import type { Projects } from "./projects.ts";
import { toSeconds } from "./row-mapping.ts";
import { nextSeq, type Turn } from "./write-queue.ts";

/** One call's transaction: who writes and when, and what it has touched so far. */
export class Transaction {
  /** Refuses everything once the transaction is over, so that late work cannot land in another one. */
  readonly connection: Statements;
  readonly caller: Caller;
  /** Whole seconds, as the store keeps them. */
  readonly now: Date;
  readonly nowS: number;
  readonly seq: number;
  readonly client: string;
  /** Session that what is written belongs to; undefined for none. */
  session: string | undefined;
  /** Projects as this transaction sees them. */
  readonly places: Projects;
  /** Spaces that this call has written to or read from: its answer is replayed only to callers who may open all of them. */
  readonly spaces = new Set<Space>();
  readonly #touched = new Set<number>();
  readonly #raw: Connection;
  readonly #turn: Turn;
  #rows = 0;

  constructor(connection: Connection, { caller }: Pick<Call, "caller">, now: Date, turn: Turn, places: Projects) {
    this.connection = guarded(connection, turn);
    this.places = places;
    this.#raw = connection;
    this.#turn = turn;
    this.caller = caller;
    this.nowS = toSeconds(now);
    this.now = new Date(this.nowS * 1000);
    this.seq = turn.seq;
    this.session = caller.client.session;
    this.client = clientLabel(caller.client);
  }

  /** A memory that this call has written. */
  readonly touch = (id: number): void => {
    this.#touched.add(id);
  };

  /** The project of a key, made on first use. Throws `NOT_FOUND` for one that is closed to the caller. */
  projectId(key: string | undefined): number | undefined {
    if (key === undefined) return undefined;
    const known = this.places.find(key);
    if (!mayWriteTo(known, this.caller)) throw closedProject(key);
    const sql = "INSERT INTO projects (key, created_at) VALUES (?, ?) RETURNING id";
    const id = known?.id ?? this.connection.get<{ id: number }>(sql, key, this.nowS)?.id;
    if (id !== undefined) this.spaces.add(`p${id}`);
    return id;
  }

  event(entityId: number, kind: EventKind, payload: Readonly<Record<string, number | string>>): void {
    this.connection.run(
      "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, ?, ?, ?)",
      entityId,
      kind,
      JSON.stringify(payload),
      this.nowS,
    );
  }

  /** The writer of this call must exist for what it writes; members of their own come with their tokens. */
  ensureMember({ id, name }: Member): void {
    this.connection.run("INSERT OR IGNORE INTO members (id, name, created_at) VALUES (?, ?, ?)", id, name, this.nowS);
  }

  /** The text index writes out what it holds at every savepoint, so its rows come together, after everybody's work. */
  readonly index = (task: (connection: Statements) => void): void => {
    this.#turn.defer(() => task(this.#raw));
  };

  /** The last thing a transaction of a call does: one audit row, ids only. */
  end(op: string): void {
    if (this.#touched.size > 0) this.audit(op, { memoryIds: [...this.#touched] });
  }

  /**
   * Notes an audited action beside writing memories. @param subject target of the action, like `token:3`: an id,
   * never a text.
   */
  audit(op: string, { memoryIds = [], subject, outcome = "ok" }: AuditNote): void {
    this.connection.run(
      `INSERT INTO audit_log (seq, at, member_id, token_id, client, op, outcome, memory_ids, subject)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#auditSeq(),
      this.nowS,
      this.caller.member.id,
      this.caller.token?.id ?? null,
      this.client,
      op,
      outcome,
      JSON.stringify(memoryIds),
      subject ?? null,
    );
  }

  /** The transaction's own number for its first row; a number of its own for each further one. */
  #auditSeq(): number {
    this.#rows += 1;
    return this.#rows === 1 ? this.seq : nextSeq(this.connection);
  }
}

interface AuditNote {
  readonly memoryIds?: readonly number[];
  readonly subject?: string;
  readonly outcome?: "ok" | "begun";
}

function guarded(connection: Connection, turn: Turn): Statements {
  const alive = (): Connection => {
    if (turn.isOver) throw new Error("a transaction was used after its end");
    return connection;
  };
  return {
    get: (sql, ...values) => alive().get(sql, ...values),
    all: (sql, ...values) => alive().all(sql, ...values),
    ids: (sql, ...values) => alive().ids(sql, ...values),
    run: (sql, ...values) => alive().run(sql, ...values),
  };
}

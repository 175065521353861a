import type { Call, Caller, EventKind, Member } from "@chest/core";
import type { Connection } from "./connection.ts";
import { toSeconds } from "./rows.ts";
import type { Turn } from "./writer.ts";

export type Statements = Pick<Connection, "get" | "all" | "run">;

/** One call's transaction: who writes and when, and what it has touched so far. */
export class Transaction {
  /** Refuses everything once the transaction is over, so that late work cannot land in somebody else's. */
  readonly connection: Statements;
  readonly caller: Caller;
  /** Whole seconds, as the store keeps them. */
  readonly now: Date;
  readonly nowS: number;
  readonly seq: number;
  readonly client: string;
  readonly #touched = new Set<number>();
  readonly #raw: Connection;
  readonly #turn: Turn;

  constructor(connection: Connection, { caller }: Pick<Call, "caller">, now: Date, turn: Turn) {
    this.connection = guarded(connection, turn);
    this.#raw = connection;
    this.#turn = turn;
    this.caller = caller;
    this.nowS = toSeconds(now);
    this.now = new Date(this.nowS * 1000);
    this.seq = turn.seq;
    this.client = `${caller.client.name}/${caller.client.version}`.slice(0, 200);
  }

  /** A memory that this call has written. */
  readonly touch = (id: number): void => {
    this.#touched.add(id);
  };

  /** The project of a key, made on first use. */
  projectId(key: string | undefined): number | undefined {
    if (key === undefined) return undefined;
    const known = this.connection.get<{ id: number }>("SELECT id FROM projects WHERE key = ?", key);
    if (known) return known.id;
    const sql = "INSERT INTO projects (key, created_at) VALUES (?, ?) RETURNING id";
    return this.connection.get<{ id: number }>(sql, key, this.nowS)?.id;
  }

  event(entityId: number, kind: EventKind, payload: Readonly<Record<string, number | string>>): void {
    this.connection.run(
      "INSERT INTO events (entity_id, kind, payload, occurred_at) VALUES (?, ?, ?, ?)",
      ...[entityId, kind, JSON.stringify(payload), this.nowS],
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

  /** The last thing a transaction does: one audit row, ids only. */
  end(op: string): void {
    if (this.#touched.size === 0) return;
    this.connection.run(
      "INSERT INTO audit_log (seq, at, member_id, client, op, outcome, memory_ids) VALUES (?, ?, ?, ?, ?, 'ok', ?)",
      ...[this.seq, this.nowS, this.caller.member.id, this.client, op, JSON.stringify([...this.#touched])],
    );
  }
}

function guarded(connection: Connection, turn: Turn): Statements {
  const alive = (): Connection => {
    if (turn.isOver) throw new Error("a transaction was used after its end");
    return connection;
  };
  return {
    get: (sql, ...values) => alive().get(sql, ...values),
    all: (sql, ...values) => alive().all(sql, ...values),
    run: (sql, ...values) => alive().run(sql, ...values),
  };
}

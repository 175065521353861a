import type { Call, Caller, EventKind, Member } from "@chest/core";
import type { Connection } from "./connection.ts";
import { toSeconds } from "./rows.ts";
import type { Turn } from "./writer.ts";

/** One call's transaction: who writes and when, and what it has touched so far. */
export class Transaction {
  readonly connection: Connection;
  readonly caller: Caller;
  /** Whole seconds, as the store keeps them. */
  readonly now: Date;
  readonly nowS: number;
  readonly seq: number;
  readonly client: string;
  /** For the text index: it writes out what it holds at every savepoint, so its rows come together, last. */
  readonly defer: Turn["defer"];
  readonly #touched = new Set<number>();
  #isOver = false;

  constructor(connection: Connection, { caller }: Pick<Call, "caller">, now: Date, { seq, defer }: Turn) {
    this.connection = connection;
    this.caller = caller;
    this.nowS = toSeconds(now);
    this.now = new Date(this.nowS * 1000);
    this.seq = seq;
    this.defer = defer;
    this.client = `${caller.client.name}/${caller.client.version}`.slice(0, 200);
  }

  /** A memory that this call has written. */
  readonly touch = (id: number): void => {
    if (this.#isOver) throw new Error("a transaction was used after its end");
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

  /** The last thing a transaction does: one audit row, ids only. */
  end(op: string): void {
    this.#isOver = true;
    if (this.#touched.size === 0) return;
    this.connection.run(
      "INSERT INTO audit_log (seq, at, member_id, client, op, outcome, memory_ids) VALUES (?, ?, ?, ?, ?, 'ok', ?)",
      ...[this.seq, this.nowS, this.caller.member.id, this.client, op, JSON.stringify([...this.#touched])],
    );
  }
}

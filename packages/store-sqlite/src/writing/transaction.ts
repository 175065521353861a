import type { Caller } from "@chest/core/access";
import type { ProjectRow } from "@chest/core/ports";
import type { KnownPlaces, Places } from "@chest/store/database/places";
import {
  Transaction as AnyTransaction,
  type TextWrites,
  type TransactionOptions,
} from "@chest/store/database/transaction";
import { statementsOf } from "../database/async-connection.ts";
import type { Connection, Statements } from "../database/connection.ts";
import { nextSeq, type Turn } from "../database/write-queue.ts";
import { writesOfText } from "../full-text/text-rows.ts";

/** Parts of the engine that a transaction needs. */
export interface TransactionParts {
  readonly writing: Connection;
  /** Projects as the writing connection sees them. */
  readonly written: KnownPlaces;
}

/** Transaction of one call on the single writing connection. */
export class Transaction extends AnyTransaction {
  /** Throws once the transaction is over, so that late work cannot get into another one. */
  readonly sync: Statements;
  readonly seq: number;
  readonly texts: TextWrites;
  readonly #parts: TransactionParts;
  readonly #turn: Turn;
  #auditRows = 0;

  constructor(parts: TransactionParts, turn: Turn, options: TransactionOptions) {
    const sync = guarded(parts.writing, turn);
    super(statementsOf(sync), options);
    this.sync = sync;
    this.#parts = parts;
    this.#turn = turn;
    this.seq = turn.seq;
    this.texts = writesOfText(this);
  }

  /** Writes to the text index after all other work of the commit, because each savepoint would flush it. */
  readonly index = (task: (connection: Statements) => void): void => {
    this.#turn.defer(() => task(this.#parts.writing));
  };

  as(caller: Caller): Transaction {
    return new Transaction(this.#parts, this.#turn, this.optionsAs(caller));
  }

  protected readPlaces(): Promise<Places> {
    return this.#parts.written.now();
  }

  /** Transactions are serialised, so no lock is needed. */
  protected async holdProject(key: string): Promise<ProjectRow | undefined> {
    return (await this.places()).find(key);
  }

  /** The first audit row gets the transaction's number; each further one gets a new number. */
  protected auditSeq(): number {
    this.#auditRows += 1;
    return this.#auditRows === 1 ? this.seq : nextSeq(this.sync);
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
    ids: (sql, ...values) => alive().ids(sql, ...values),
    run: (sql, ...values) => alive().run(sql, ...values),
  };
}

import { once } from "node:events";
import type { SqlValue } from "@chest/store/database/connection";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { prepared } from "./prepared.ts";

/** Separate connection, on which rows are streamed into a table with COPY. Its statements run one after another. */
export class Transfer {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Runs work in a transaction whose commit may be lost if the server crashes soon after. */
  async transaction(work: () => Promise<void>): Promise<void> {
    await this.#client.query("BEGIN; SET LOCAL synchronous_commit = off");
    try {
      await work();
      await this.#client.query("COMMIT");
    } catch (error) {
      await this.#client.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }

  async run(sql: string, ...values: readonly SqlValue[]): Promise<void> {
    await this.#client.query(prepared(sql, values));
  }

  /** Adds rows to a table, each a line of the text format of `COPY`. @param into the table and its columns */
  async copy(into: string, lines: Buffer): Promise<void> {
    const stream = this.#client.query(from(`COPY ${into} FROM STDIN`));
    stream.end(lines);
    await once(stream, "finish");
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

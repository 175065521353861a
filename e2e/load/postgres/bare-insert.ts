import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../../support/process.ts";

interface Pool {
  query(statement: {
    readonly name: string;
    readonly text: string;
    readonly values: readonly string[];
  }): Promise<unknown>;
  end(): Promise<void>;
}

// The product's own copy of the driver.
const { Pool } = createRequire(join(ROOT, "packages/store-postgres/package.json"))("pg") as {
  readonly Pool: new (options: { readonly connectionString: string; readonly max: number }) => Pool;
};

/** Number of connections with which a backend writes at the same time. */
const CONNECTIONS = 8;

/** Measures the lower bound for storing a text: one prepared INSERT into a table without an index, and its commit. */
export class BareInsert {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: CONNECTIONS });
  }

  async prepare(): Promise<void> {
    await this.#pool.query({ name: "", text: "CREATE TABLE bare (content text NOT NULL)", values: [] });
  }

  put(content: string): Promise<unknown> {
    return this.#pool.query({ name: "put", text: "INSERT INTO bare (content) VALUES ($1)", values: [content] });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

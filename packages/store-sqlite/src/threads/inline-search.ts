import type { SearchListener } from "@chest/core/ports";
import { Connection } from "../database/connection.ts";
import { readable } from "../database/sqlite-errors.ts";
import { type SearchAnswers, searchAnswers } from "./search-answers.ts";
import type { PoolOptions, Searcher } from "./search-pool.ts";
import type { Op, Requests } from "./search-protocol.ts";

/** Searches on the event loop, without a thread: for short-lived stores, where a thread takes longer to start than all else. */
export class InlineSearch implements Searcher {
  readonly #options: PoolOptions;
  #opened: { readonly connection: Connection; readonly answers: SearchAnswers } | undefined;
  onSettled: SearchListener | undefined;
  readonly load = { threads: 0, busy: 0, waiting: 0 };

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  warm(): void {
    this.#open();
  }

  async ask<K extends Op>(op: K, asks: Requests[K]["asks"]): Promise<Requests[K]["gives"]> {
    try {
      return await this.#open().answer(op, asks);
    } catch (error) {
      throw readable(error);
    }
  }

  async close(): Promise<void> {
    this.#opened?.connection.close();
    this.#opened = undefined;
  }

  #open(): SearchAnswers {
    if (!this.#opened) {
      const { path, rankedRows, sampledFrom } = this.#options;
      const connection = new Connection(path, { readonly: true });
      const answers = searchAnswers(connection, { share: undefined, rankedRows, sampledFrom });
      this.#opened = { connection, answers };
    }
    return this.#opened.answers;
  }
}

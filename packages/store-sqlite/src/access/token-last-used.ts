import type { Clock } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toSeconds } from "../database/row-mapping.ts";
import type { Writer } from "../writing/write-queue.ts";

const MIN_S = 60;

/** Times of the last use of tokens: to the minute, and written in batches, so that no request waits for the disk. */
export class TokenUses {
  readonly #writer: Writer;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #written = new Map<number, number>();
  readonly #noted = new Map<number, number>();

  constructor(parts: { readonly writer: Writer; readonly connection: Connection; readonly clock: Clock }) {
    this.#writer = parts.writer;
    this.#connection = parts.connection;
    this.#clock = parts.clock;
  }

  note(id: number): void {
    const now = toSeconds(this.#clock.now());
    if (now - (this.#written.get(id) ?? 0) >= MIN_S) this.#noted.set(id, now);
  }

  async flush(): Promise<void> {
    if (this.#noted.size === 0) return;
    const noted = [...this.#noted];
    this.#noted.clear();
    await this.#writer.sweep(async () => {
      for (const [id, at] of noted) this.#connection.run("UPDATE tokens SET last_used_at = ? WHERE id = ?", at, id);
    });
    for (const [id, at] of noted) this.#written.set(id, at);
  }
}

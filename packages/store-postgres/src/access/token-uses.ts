import type { Clock } from "@chest/core";
import { toSeconds } from "@chest/store/database/rows";
import type { Writer } from "../database/write.ts";

const MIN_S = 60;

/** When which token was used last: to the minute, and written in batches, since a request waits for no disk. */
export class TokenUses {
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #written = new Map<number, number>();
  readonly #noted = new Map<number, number>();

  constructor(writer: Writer, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  note(id: number): void {
    const now = toSeconds(this.#clock.now());
    if (now - (this.#written.get(id) ?? 0) >= MIN_S) this.#noted.set(id, now);
  }

  async flush(): Promise<void> {
    if (this.#noted.size === 0) return;
    const noted = [...this.#noted].sort(([a], [b]) => a - b);
    this.#noted.clear();
    await this.#writer.write((tx) =>
      tx.run(
        `UPDATE tokens t SET last_used_at = greatest(coalesce(t.last_used_at, 0), u.at)
         FROM unnest(?::bigint[], ?::bigint[]) AS u (id, at) WHERE t.id = u.id`,
        noted.map(([id]) => id),
        noted.map(([, at]) => at),
      ),
    );
    for (const [id, at] of noted) this.#written.set(id, at);
  }
}

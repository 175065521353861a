import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Space } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { firstAnswer } from "@chest/store/access/answers";
import type { Connections } from "../database/connection.ts";
import type { Writer } from "../database/write.ts";

const LOOK_EVERY_MS = 50;
const HOLDS_S = 15;
const RENEW_EVERY_MS = (HOLDS_S * 1000) / 3;

// By the server's clock, because clocks of backends may differ.
const UNTIL = `clock_timestamp() + make_interval(secs => ${HOLDS_S})`;
const TAKE = `INSERT INTO running AS r (member_id, key, holder, until) VALUES (?, ?, ?::uuid, ${UNTIL})
  ON CONFLICT (member_id, key) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE r.until < clock_timestamp()`;
const RENEW = `UPDATE running SET until = ${UNTIL} WHERE member_id = ? AND key = ? AND holder = ?::uuid`;
const END = "DELETE FROM running WHERE member_id = ? AND key = ? AND holder = ?::uuid";

/**
 * Work of several transactions under one key, run by one call at a time over all backends. A second call waits for the
 * first one's answer, and takes over if the first fails or its process dies.
 */
export class RunningWork {
  readonly #reader: Connections;
  readonly #writer: Writer;

  constructor(reader: Connections, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async once<T>(call: Call, open: () => Promise<readonly Space[]>, work: () => Promise<T>): Promise<T> {
    const { caller, idempotencyKey, request, signal } = call;
    if (idempotencyKey === undefined || !request) return work();
    const holder = randomUUID();
    const mine = [caller.member.id, idempotencyKey, holder] as const;
    const change = (sql: string) => this.#writer.write((tx) => tx.run(sql, ...mine));
    for (;;) {
      const first = await firstAnswer(this.#reader, caller, call, open);
      if (first) return first.answer as T;
      signal.throwIfAborted();
      if ((await change(TAKE)).changes === 1) break;
      await sleep(LOOK_EVERY_MS);
    }
    const renewing = setInterval(() => void change(RENEW).catch(() => undefined), RENEW_EVERY_MS).unref();
    try {
      // The first call may have finished between the two looks.
      const first = await firstAnswer(this.#reader, caller, call, open);
      return first ? (first.answer as T) : await work();
    } finally {
      clearInterval(renewing);
      // If this fails, the claim expires by itself.
      await change(END).catch(() => undefined);
    }
  }
}

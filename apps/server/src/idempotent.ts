import type { Call } from "@chest/core/executor";
import type { Engine } from "@chest/core/ports";

/**
 * Runs work that takes more than one transaction. A repeat under the same key gets the first answer, and the work does
 * not run again.
 */
export type Once = <T>(call: Call, work: (call: Call) => Promise<T>) => Promise<T>;

/** Concurrent calls under one key run one after the other. */
export function openOnce(engine: Pick<Engine, "as">): Once {
  const running = new Map<string, Promise<unknown>>();
  return async <T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> => {
    const { idempotencyKey, ...unkeyed } = call;
    if (idempotencyKey === undefined) return work(unkeyed);
    const name = `${call.caller.member.id}\n${idempotencyKey}`;
    for (let other = running.get(name); other; other = running.get(name)) await other.catch(() => undefined);
    const turn = answer(engine.as(call), () => work(unkeyed));
    running.set(name, turn);
    try {
      return await turn;
    } finally {
      running.delete(name);
    }
  };
}

const answer = <T>(store: ReturnType<Engine["as"]>, work: () => Promise<T>): Promise<T> =>
  store.once(async () => {
    const done = await work();
    // The answer is stored after the work, so a repeat continues interrupted work.
    return store.write(async () => done);
  });

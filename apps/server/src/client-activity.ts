import { type Clock, SESSION_PAUSE_MS, type Wrap } from "@chest/core";

// Far more clients than call within half an hour; one that is forgotten is known by its last write.
const MOST_CLIENTS = 10_000;

/**
 * Says of a client that sends no id of its session since when it has been calling without a pause, so that a write after
 * half an hour of reading belongs to the session before. It is held in memory alone: reading writes nothing.
 */
export function noteActivity(clock: Clock): Wrap {
  /** By client, in order of their last call. */
  const active = new Map<string, { readonly sinceMs: number; readonly lastMs: number }>();

  function activeSince(client: string): Date {
    const nowMs = clock.now().getTime();
    const known = active.get(client);
    const sinceMs = known && nowMs - known.lastMs < SESSION_PAUSE_MS ? known.sinceMs : nowMs;
    active.delete(client);
    active.set(client, { sinceMs, lastMs: nowMs });
    for (const [first, { lastMs }] of active) {
      if (active.size <= MOST_CLIENTS && nowMs - lastMs < SESSION_PAUSE_MS) break;
      active.delete(first);
    }
    return new Date(sinceMs);
  }

  return (next) => ({
    execute(name, input, call) {
      const { caller } = call;
      const { inferred } = caller.client;
      if (!inferred) return next.execute(name, input, call);
      const since = activeSince(`${caller.member.id} ${inferred.origin}`);
      const client = { ...caller.client, inferred: { ...inferred, activeSince: since } };
      return next.execute(name, input, { ...call, caller: { ...caller, client } });
    },
  });
}

import { type Caller, SESSION_PAUSE_MS } from "@chest/core/access";
import type { Clock } from "@chest/core/ports";

// Far more clients than call within half an hour. The session of a client beyond this number is found by its last
// write.
const MOST_CLIENTS = 10_000;

/**
 * Keeps, for each client that sends no session id, since when it has been calling without a long pause. A write after
 * half an hour of reading then still belongs to the earlier session. The times are held in memory only: reading writes
 * nothing.
 */
export function noteActivity(clock: Clock): (caller: Caller) => Caller {
  /** Keyed by client, in the order of their last calls. */
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

  return (caller) => {
    const { inferred } = caller.client;
    if (!inferred) return caller;
    const since = activeSince(`${caller.member.id} ${inferred.origin}`);
    return { ...caller, client: { ...caller.client, inferred: { ...inferred, activeSince: since } } };
  };
}

import type { Clock, WebhookBook } from "@chest/core";
import { noteAudit } from "./memory-audit.ts";
import type { State } from "./memory-state.ts";

/** Webhooks of a store in memory. */
export function memoryWebhooks(
  state: () => State,
  alone: <T>(work: (draft: State) => Promise<T>) => Promise<T>,
  clock: Clock,
): WebhookBook {
  const inSeconds = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000);
  return {
    list: async () => [...state().webhooks.values()],
    add: (by, webhook) =>
      alone(async (draft) => {
        draft.lastId += 1;
        const row = {
          ...{ ...webhook, id: draft.lastId, createdAt: clock.now(), cursor: draft.audit.length, failures: 0 },
          ...{ trouble: undefined, deliveredAt: undefined, restsUntil: new Date(0) },
        };
        draft.webhooks.set(row.id, row);
        noteAudit(draft, by, clock, { op: "webhook.add", subject: `webhook:${row.id}` });
        return row;
      }),
    remove: (by, id) =>
      alone(async (draft) => {
        const isGone = draft.webhooks.delete(id);
        if (isGone) noteAudit(draft, by, clock, { op: "webhook.remove", subject: `webhook:${id}` });
        return isGone;
      }),
    claim: (id, until) =>
      alone(async ({ webhooks }) => {
        const known = webhooks.get(id);
        if (!known || known.restsUntil > clock.now()) return false;
        webhooks.set(id, { ...known, restsUntil: inSeconds(until) });
        return true;
      }),
    note: (id, progress) =>
      alone(async ({ webhooks }) => {
        const known = webhooks.get(id);
        if (known) webhooks.set(id, { ...known, ...progress, restsUntil: inSeconds(progress.restsUntil) });
      }),
  };
}

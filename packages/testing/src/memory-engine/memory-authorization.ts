import type { AuthorizationRecord, AuthorizationRecords, Clock } from "@chest/core";
import type { State } from "./memory-state.ts";

/** Record of the authorization server as an engine in memory keeps it. */
export interface StoredRecord extends AuthorizationRecord {
  readonly consumedAt: Date | undefined;
}

/** State of the authorization server, in memory. */
export function memoryAuthorizations(
  state: () => State,
  alone: <T>(work: (draft: State) => Promise<T>) => Promise<T>,
  clock: Clock,
): AuthorizationRecords {
  const keyOf = (kind: string, id: string) => `${kind} ${id}`;
  const isLive = ({ expiresAt }: { readonly expiresAt: Date }) => expiresAt > clock.now();
  const change = (kind: string, id: string, over: Partial<StoredRecord>) =>
    alone(async ({ authorizations }) => {
      const known = authorizations.get(keyOf(kind, id));
      if (known) authorizations.set(keyOf(kind, id), { ...known, ...over });
    });

  return {
    async find(kind, id) {
      const known = state().authorizations.get(keyOf(kind, id));
      return known && isLive(known) ? known : undefined;
    },
    put: (record) =>
      alone(async ({ authorizations }) => {
        // The newest stands last.
        authorizations.delete(keyOf(record.kind, record.id));
        authorizations.set(keyOf(record.kind, record.id), { ...record, consumedAt: undefined });
      }),
    extend: (kind, id, expiresAt) => change(kind, id, { expiresAt }),
    consume: (kind, id) =>
      alone(async ({ authorizations }) => {
        const known = authorizations.get(keyOf(kind, id));
        if (!known || known.consumedAt) return false;
        authorizations.set(keyOf(kind, id), { ...known, consumedAt: clock.now() });
        return true;
      }),
    remove: (kind, id) =>
      alone(async ({ authorizations }) => {
        authorizations.delete(keyOf(kind, id));
      }),
    removeGrant: (grantId) =>
      alone(async ({ authorizations }) => {
        for (const [key, record] of authorizations) if (record.grantId === grantId) authorizations.delete(key);
      }),
    sweep: (kind, atMost) =>
      alone(async ({ authorizations, tokens }) => {
        const before = authorizations.size;
        for (const [id, { kind: of, expiresAt = clock.now() }] of tokens)
          if (of === "access" && !isLive({ expiresAt })) tokens.delete(id);
        for (const [key, record] of authorizations) if (!isLive(record)) authorizations.delete(key);
        const over = [...authorizations.entries()]
          .filter(([, record]) => record.kind === kind)
          .reverse()
          .sort(([, a], [, b]) => b.expiresAt.getTime() - a.expiresAt.getTime())
          .slice(atMost);
        for (const [key] of over) authorizations.delete(key);
        return before - authorizations.size;
      }),
  };
}

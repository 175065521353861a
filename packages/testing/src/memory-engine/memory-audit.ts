import type { AuditEntry, AuditLog, Caller, Clock } from "@chest/core";
import type { State } from "./memory-state.ts";

type Note = Pick<AuditEntry, "op"> & Partial<Pick<AuditEntry, "outcome" | "memoryIds" | "subject" | "times">>;

/** Leaves a row in the log of a store in memory. */
export function noteAudit(
  state: State,
  by: Pick<Caller, "member" | "token" | "client"> | undefined,
  clock: Clock,
  note: Note,
) {
  state.audit.push({
    seq: state.audit.length + 1,
    at: clock.now(),
    member: by?.member.name,
    tokenId: by?.token?.id,
    client: by && `${by.client.name}/${by.client.version}`,
    outcome: "ok",
    memoryIds: [],
    subject: undefined,
    times: 1,
    ...note,
  });
}

/** Ids of memories that a transaction changed. */
export const changedIds = (before: State, after: State): number[] =>
  [...after.memories.values()].filter((row) => before.memories.get(row.id) !== row).map(({ id }) => id);

export function memoryAudit(state: () => State, clock: Clock): AuditLog {
  return {
    newest: async () => state().audit.length,
    async list({ member, op, memoryId, since, before = Number.POSITIVE_INFINITY, after, limit }) {
      const found = state().audit.filter(
        (entry) =>
          entry.seq < before &&
          entry.seq > (after ?? 0) &&
          (since === undefined || entry.at >= since) &&
          (member === undefined || entry.member === member) &&
          (op === undefined || entry.op === op) &&
          (memoryId === undefined || entry.memoryIds.includes(memoryId)),
      );
      return (after === undefined ? found.toReversed() : found).slice(0, limit);
    },
    refused({ caller, op, outcome }) {
      const alike = (entry: AuditEntry) =>
        entry.op === op && entry.outcome === outcome && entry.member === caller?.member.name;
      const at = state().audit.findLastIndex(alike);
      const known = state().audit[at];
      if (known) state().audit[at] = { ...known, times: known.times + 1 };
      else noteAudit(state(), caller, clock, { op, outcome });
    },
  };
}

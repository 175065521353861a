import { setTimeout as sleep } from "node:timers/promises";
import type { AuditLog } from "@chest/core/ports";
import type { Refusals } from "@chest/store/access/refusals";
import { listAudit } from "@chest/store/queries/audit";
import type { Reading } from "../database/connection.ts";
import { busy } from "../database/errors.ts";

// Numbers are assigned before commits, so a lower number may become visible after a higher one. A writer locks the log
// before it takes a number, until its end. A reader waits for the transactions that hold the lock now, and takes no
// lock itself.
const WRITERS = `SELECT l.virtualtransaction AS writer FROM pg_locks l
  WHERE l.locktype = 'relation' AND l.relation = 'audit_log'::regclass AND l.mode = 'RowExclusiveLock' AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const NEWEST = `SELECT (SELECT coalesce(max(seq), 0) FROM audit_log) AS seq,
    ARRAY(${WRITERS}) AS writers`;
const STILL = `${WRITERS} AND l.virtualtransaction = ANY (?)`;
const FIRST_PAUSE_MS = 2;
// The server ends an idle transaction after ten seconds.
const PATIENCE_MS = 3000;

async function newest(reader: Reading): Promise<number> {
  const found = await reader.get<{ seq: number; writers: readonly string[] }>(NEWEST);
  let writers = found?.writers ?? [];
  for (let pauseMs = FIRST_PAUSE_MS; writers.length > 0; pauseMs *= 2) {
    if (pauseMs > PATIENCE_MS / 2) throw busy();
    await sleep(pauseMs);
    writers = (await reader.all<{ writer: string }>(STILL, writers)).map(({ writer }) => writer);
  }
  return found?.seq ?? 0;
}

export const auditLog = (reader: Reading, refusals: Refusals): AuditLog => ({
  newest: () => newest(reader),
  list: (query) => listAudit(reader, query),
  refused: (refusal) => refusals.note(refusal),
});

import type { Clock, Journal, PassReport, RunReport, Trigger } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { toDate, toDateIfAny, toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";

interface RunRow {
  readonly id: number;
  readonly trigger: Trigger;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly outcome: RunReport["outcome"] | null;
  readonly passes: string;
}

// Searched from the newest down; only entries of the last interval are skipped.
const LAST_SIGNS = [
  "SELECT at FROM audit_log WHERE at <= ? ORDER BY seq DESC LIMIT 1",
  "SELECT started_at AS at FROM maintenance_runs WHERE started_at <= ? ORDER BY id DESC LIMIT 1",
];

/** Maintenance runs, as stored. */
export function runJournal(
  { reader, clock }: { readonly reader: Reading; readonly clock: Clock },
  write: Transactions["write"],
): Journal {
  const nowS = () => toSeconds(clock.now());
  return {
    begin: (trigger) =>
      write(async (tx) => {
        const sql = 'INSERT INTO maintenance_runs ("trigger", started_at) VALUES (?, ?) RETURNING id';
        const row = await tx.get<{ id: number }>(sql, trigger, nowS());
        if (!row) throw new Error("an insert returned no id");
        return row.id;
      }, "sweep"),
    end: (id, outcome, passes) =>
      write(async (tx) => {
        const sql = "UPDATE maintenance_runs SET finished_at = ?, outcome = ?, passes = ? WHERE id = ?";
        tx.later(sql, nowS(), outcome, JSON.stringify(passes), id);
      }, "sweep"),
    async runs(limit) {
      const sql = `SELECT id, "trigger", started_at, finished_at, outcome, passes FROM maintenance_runs ORDER BY id DESC LIMIT ?`;
      return (await reader.all<RunRow>(sql, limit)).map(toReport);
    },
    async lastAt() {
      const sql = `SELECT max(started_at) AS at FROM maintenance_runs WHERE "trigger" <> 'vectors'`;
      return toDateIfAny((await reader.get<{ at: number | null }>(sql))?.at ?? null);
    },
    async lastSign(leastAgeMs) {
      const now = nowS();
      const before = Math.floor(now - leastAgeMs / 1000);
      const signs = await Promise.all(LAST_SIGNS.map((sql) => reader.get<{ at: number }>(sql, before)));
      const at = Math.max(...signs.map((sign) => sign?.at ?? 0));
      return at === 0 ? undefined : { at: toDate(at), ageMs: (now - at) * 1000 };
    },
  };
}

const toReport = ({ id, trigger, started_at, finished_at, outcome, passes }: RunRow): RunReport => ({
  id,
  trigger,
  startedAt: toDate(started_at),
  outcome: outcome ?? undefined,
  finishedAt: toDateIfAny(finished_at),
  passes: JSON.parse(passes) as PassReport[],
});

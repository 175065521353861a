import type { Journal, PassReport, RunReport, Trigger } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import type { Sweeper } from "./sweeper.ts";

interface RunRow {
  readonly id: number;
  readonly trigger: Trigger;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly outcome: RunReport["outcome"] | null;
  readonly passes: string;
}

export function runJournal({ writer, writing, clock }: Sweeper, reader: Connection): Journal {
  const nowS = () => toSeconds(clock.now());
  return {
    begin: (trigger) =>
      writer.sweep(async () => {
        const sql = 'INSERT INTO maintenance_runs ("trigger", started_at) VALUES (?, ?) RETURNING id';
        const row = writing.get<{ id: number }>(sql, trigger, nowS());
        if (!row) throw new Error("an insert returned no id");
        return row.id;
      }),
    end: (id, outcome, passes) =>
      writer.sweep(async () => {
        const sql = "UPDATE maintenance_runs SET finished_at = ?, outcome = ?, passes = ? WHERE id = ?";
        writing.run(sql, nowS(), outcome, JSON.stringify(passes), id);
      }),
    async runs(limit) {
      const sql = `SELECT id, "trigger", started_at, finished_at, outcome, passes FROM maintenance_runs ORDER BY id DESC LIMIT ?`;
      return reader.all<RunRow>(sql, limit).map(toReport);
    },
    async lastAt() {
      const sql = `SELECT max(started_at) AS at FROM maintenance_runs WHERE "trigger" <> 'vectors'`;
      const at = reader.get<{ at: number | null }>(sql)?.at;
      return at === null || at === undefined ? undefined : toDate(at);
    },
    async lastSign(leastAgeMs) {
      const now = nowS();
      const before = now - leastAgeMs / 1000;
      const at = Math.max(...LAST_SIGNS.map((sql) => reader.get<{ at: number }>(sql, before)?.at ?? 0));
      return at === 0 ? undefined : { at: toDate(at), ageMs: (now - at) * 1000 };
    },
  };
}

// From the newest down: what was written within the last interval is all that is passed over.
const LAST_SIGNS = [
  "SELECT at FROM audit_log WHERE at <= ? ORDER BY seq DESC LIMIT 1",
  "SELECT started_at AS at FROM maintenance_runs WHERE started_at <= ? ORDER BY id DESC LIMIT 1",
];

const toReport = ({ id, trigger, started_at, finished_at, outcome, passes }: RunRow): RunReport => ({
  id,
  trigger,
  startedAt: toDate(started_at),
  outcome: outcome ?? undefined,
  finishedAt: finished_at === null ? undefined : toDate(finished_at),
  passes: JSON.parse(passes) as PassReport[],
});

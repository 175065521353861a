import { mayWriteTo, type Space } from "@chest/core/access";
import { type GapReads, type GapWrites, MOST_GAPS } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

const sqlOf = statements((d) => ({
  // Merged projects or concurrent calls may have recorded the same question twice.
  list: `SELECT g.question, p.key AS project, sum(g.times) AS times, min(g.first_at) AS first_at, max(g.last_at) AS last_at
    FROM gaps g LEFT JOIN projects p ON p.id = g.project_id
    WHERE ${d.isOneOf("coalesce('p' || g.project_id, 'team')")}
    GROUP BY g.project_id, p.key, g.question ORDER BY 3 DESC, 5 DESC, g.question LIMIT ?`,
  dropOldest: `DELETE FROM gaps WHERE id IN (
    SELECT id FROM gaps WHERE project_id IS NOT DISTINCT FROM ? ORDER BY last_at DESC, id DESC ${d.skipping(MOST_GAPS)})`,
}));

interface GapRow {
  readonly question: string;
  readonly project: string | null;
  readonly times: number;
  readonly first_at: number;
  readonly last_at: number;
}

export const gapReads = (connection: Reading, spaces: () => Promise<readonly Space[]>): GapReads => ({
  async list(limit) {
    return (await connection.all<GapRow>(sqlOf(connection.dialect).list, await spaces(), limit)).map((row) => ({
      question: row.question,
      project: row.project ?? undefined,
      times: row.times,
      firstAt: toDate(row.first_at),
      lastAt: toDate(row.last_at),
    }));
  },
});

const KNOWN = "SELECT id FROM gaps WHERE project_id IS NOT DISTINCT FROM ? AND question = ? ORDER BY id LIMIT 1";
const ADD = "INSERT INTO gaps (project_id, question, first_at, last_at) VALUES (?, ?, ?, ?)";

export const gapWrites = (tx: Transaction): GapWrites => ({
  async note(question) {
    const { connection, caller, nowS } = tx;
    const project = caller.project === undefined ? undefined : (await tx.places()).find(caller.project);
    if (caller.project !== undefined && (!project || !mayWriteTo(project, caller))) return;
    const place = project?.id ?? null;
    const known = await connection.get<{ id: number }>(KNOWN, place, question);
    if (known) {
      connection.later("UPDATE gaps SET times = times + 1, last_at = ? WHERE id = ?", nowS, known.id);
      return;
    }
    connection.later(ADD, place, question, nowS, nowS);
    connection.later(sqlOf(connection.dialect).dropOldest, place);
  },
});

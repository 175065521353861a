import { type GapReads, type GapWrites, MOST_GAPS, mayWriteTo, type Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";

// Two projects that became one may have had the same question.
const LIST = `SELECT g.question, p.key AS project, sum(g.times) AS times, min(g.first_at) AS first_at,
    max(g.last_at) AS last_at
  FROM gaps g LEFT JOIN projects p ON p.id = g.project_id
  WHERE coalesce('p' || g.project_id, 'team') IN (SELECT value FROM json_each(?))
  GROUP BY g.project_id, p.key, g.question ORDER BY 3 DESC, 5 DESC, g.question LIMIT ?`;

interface GapRow {
  readonly question: string;
  readonly project: string | null;
  readonly times: number;
  readonly first_at: number;
  readonly last_at: number;
}

export const gapReads = (connection: Reading, spaces: () => readonly Space[]): GapReads => ({
  async list(limit) {
    return connection.all<GapRow>(LIST, JSON.stringify(spaces()), limit).map((row) => ({
      question: row.question,
      project: row.project ?? undefined,
      times: row.times,
      firstAt: toDate(row.first_at),
      lastAt: toDate(row.last_at),
    }));
  },
});

const KNOWN = "SELECT id FROM gaps WHERE project_id IS ? AND question = ?";
const ADD = "INSERT INTO gaps (project_id, question, first_at, last_at) VALUES (?, ?, ?, ?)";
const DROP_OLDEST = `DELETE FROM gaps WHERE id IN (
  SELECT id FROM gaps WHERE project_id IS ? ORDER BY last_at DESC, id DESC LIMIT -1 OFFSET ${MOST_GAPS})`;

export const gapWrites = ({ sync: connection, caller, projects: places, nowS }: Transaction): GapWrites => ({
  async note(question) {
    const project = caller.project === undefined ? undefined : places.find(caller.project);
    if (caller.project !== undefined && (!project || !mayWriteTo(project, caller))) return;
    const place = project?.id ?? null;
    const known = connection.get<{ id: number }>(KNOWN, place, question);
    if (known) {
      connection.run("UPDATE gaps SET times = times + 1, last_at = ? WHERE id = ?", nowS, known.id);
      return;
    }
    connection.run(ADD, place, question, nowS, nowS);
    connection.run(DROP_OLDEST, place);
  },
});

import {
  type ConversationReads,
  type ConversationWrites,
  type Keywords,
  type Space,
  TURN_RULE,
  type TurnQuery,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import type { Transaction } from "../writing/transaction.ts";

interface TurnRow {
  readonly id: number;
  readonly conversation_id: string;
  readonly created_at: number;
  readonly keywords: string | null;
  readonly conv_score: number;
}

const OF_KEY = "SELECT id FROM projects WHERE key = ? UNION ALL SELECT project_id FROM project_aliases WHERE key = ?";
// A project of which nothing is known holds no conversation: -1 is no project's id.
const OF_PLACE = `m.space IN (SELECT value FROM json_each(?)) AND m.conversation_id IS NOT NULL AND m.archived_at IS NULL
  AND m.project_id IS (CASE WHEN ? IS NULL THEN NULL ELSE coalesce((${OF_KEY}), -1) END)`;
// Left to itself SQLite takes the larger `memories_listed`, and then every row.
const TURNS = "memories m INDEXED BY memories_turns";
const NEWEST = "ORDER BY m.created_at DESC, m.id DESC LIMIT ?";

/** Conversations within the spaces that a caller opens where it works. */
export function conversationReads(connection: Reading, spaces: () => readonly Space[]): ConversationReads {
  const placeOf = (projectKey: string | undefined) => {
    const key = projectKey ?? null;
    return [JSON.stringify(spaces()), key, key, key] as const;
  };
  const turnsOf = ({ conversationId, projectKey }: TurnQuery) => ({
    sql: `${OF_PLACE}${conversationId === undefined ? "" : " AND m.conversation_id = ?"}`,
    values: [...placeOf(projectKey), ...(conversationId === undefined ? [] : [conversationId])],
  });
  return {
    async turns(query) {
      const { sql, values } = turnsOf(query);
      const rows = connection.all<TurnRow>(
        `SELECT m.id, m.conversation_id, m.created_at, m.keywords, m.conv_score FROM ${TURNS} WHERE ${sql} ${NEWEST}`,
        ...values,
        query.limit,
      );
      return rows.map((row) => ({
        id: row.id,
        conversationId: row.conversation_id,
        at: toDate(row.created_at),
        keywords: keywordsIn(row.keywords),
        score: row.conv_score,
      }));
    },
    async turnsWith(text, query) {
      const { sql, values } = turnsOf(query);
      const rows = connection.all<{ id: number }>(
        `SELECT m.id FROM ${TURNS} WHERE ${sql} AND instr(m.content, ?) > 0 ${NEWEST}`,
        ...values,
        text,
        query.limit,
      );
      return rows.map(({ id }) => id);
    },
    async list({ projectKey, limit, offset }) {
      const place = placeOf(projectKey);
      const counted = connection.get<{ total: number }>(
        `SELECT count(DISTINCT m.conversation_id) AS total FROM ${TURNS} WHERE ${OF_PLACE}`,
        ...place,
      );
      const rows = connection.all<{ id: string; turns: number; first: number; last: number; score: number }>(
        `SELECT m.conversation_id AS id, count(*) AS turns, min(m.created_at) AS first, max(m.created_at) AS last, sum(m.conv_score) AS score
         FROM ${TURNS} WHERE ${OF_PLACE} GROUP BY m.conversation_id ORDER BY turns DESC, last DESC, id LIMIT ? OFFSET ?`,
        ...place,
        limit,
        offset,
      );
      return {
        total: counted?.total ?? 0,
        conversations: rows.map(({ first, last, ...row }) => ({
          ...row,
          firstAt: toDate(first),
          lastAt: toDate(last),
        })),
      };
    },
  };
}

const MARK = `UPDATE memories SET conversation_id = ?, keywords = ?, category = 'conversation', source_type = 'conversation',
  source = ?, created_at = ?, known_at = ? WHERE id = ?`;

export function conversationWrites(
  { sync: connection, nowS }: Transaction,
  spaces: () => readonly Space[],
): ConversationWrites {
  const { turnsWith } = conversationReads(connection, spaces);
  return {
    turnsWith,
    async mark({ id }, { conversationId, keywords, at }) {
      const atS = toSeconds(at);
      connection.run(MARK, conversationId, JSON.stringify(keywords), TURN_RULE, atS, atS < nowS ? nowS : null, id);
    },
  };
}

/** An importer may have brought anything: what is no list of pairs counts for nothing. */
function keywordsIn(text: string | null): Keywords {
  if (text === null) return [];
  try {
    const read: unknown = JSON.parse(text);
    if (!Array.isArray(read)) return [];
    return read.flatMap((pair) =>
      Array.isArray(pair) && typeof pair[0] === "string" && Number.isFinite(pair[1])
        ? [[pair[0], Number(pair[1])] as const]
        : [],
    );
  } catch {
    return [];
  }
}

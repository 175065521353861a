import type { Space } from "@chest/core/access";
import type { Keywords } from "@chest/core/conversation";
import type { ConversationReads, ConversationWrites } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import { TURN_RULE } from "@chest/core/transcript";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { PROJECT_OF_KEY, spellingsOf } from "../database/places.ts";
import { toDate, toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

interface TurnRow {
  readonly id: number;
  readonly conversation_id: string;
  readonly created_at: number;
  readonly keywords: string | null;
  readonly conv_score: number;
}

interface ConversationRow {
  readonly id: string;
  readonly turns: number;
  readonly first: number;
  readonly last: number;
  readonly score: number;
}

const NEWEST = "ORDER BY m.created_at DESC, m.id DESC LIMIT ?";

const sqlOf = statements((d) => {
  // Without this hint SQLite chooses the larger `memories_listed` and scans every row.
  const turns = `memories m${d.indexedBy("memories_turns")}`;
  // An unknown project has no conversation: -1 is no project's id.
  const ofPlace = `${d.isOneOf("m.space")} AND m.conversation_id IS NOT NULL AND m.archived_at IS NULL
    AND m.project_id IS NOT DISTINCT FROM (CASE WHEN CAST(? AS text) IS NULL THEN NULL ELSE coalesce(${PROJECT_OF_KEY}, -1) END)`;
  const listed = `SELECT m.id, m.conversation_id, m.created_at, m.keywords, m.conv_score FROM ${turns} WHERE ${ofPlace}`;
  const holding = `SELECT m.id FROM ${turns} WHERE ${ofPlace}`;
  return {
    turns: `${listed} ${NEWEST}`,
    turnsOfOne: `${listed} AND m.conversation_id = ? ${NEWEST}`,
    turnsWith: `${holding} AND ${d.contains("m.content")} ${NEWEST}`,
    turnsOfOneWith: `${holding} AND m.conversation_id = ? AND ${d.contains("m.content")} ${NEWEST}`,
    total: `SELECT count(DISTINCT m.conversation_id) AS total FROM ${turns} WHERE ${ofPlace}`,
    list: `SELECT m.conversation_id AS id, count(*) AS turns, min(m.created_at) AS first, max(m.created_at) AS last,
        sum(m.conv_score) AS score
      FROM ${turns} WHERE ${ofPlace} GROUP BY m.conversation_id
      ORDER BY turns DESC, last DESC, id LIMIT ? OFFSET ?`,
  };
});

/** Conversations in the spaces that a caller may open in its place. */
export function conversationReads(connection: Reading, spaces: () => Promise<readonly Space[]>): ConversationReads {
  const placeOf = async (projectKey: string | undefined) => {
    const spellings = projectKey === undefined ? [null, null, null, null] : spellingsOf(projectKey);
    return [await spaces(), projectKey ?? null, ...spellings] as const;
  };
  const sql = sqlOf(connection.dialect);
  const ofOne = (id: string | undefined) => (id === undefined ? [] : [id]);
  return {
    async turns({ conversationId, projectKey, limit }) {
      const rows = await connection.all<TurnRow>(
        conversationId === undefined ? sql.turns : sql.turnsOfOne,
        ...(await placeOf(projectKey)),
        ...ofOne(conversationId),
        limit,
      );
      return rows.map((row) => ({
        id: row.id,
        conversationId: row.conversation_id,
        at: toDate(row.created_at),
        keywords: keywordsIn(row.keywords),
        score: row.conv_score,
      }));
    },
    turnsWith: async (text, { conversationId, projectKey, limit }) =>
      connection.ids(
        conversationId === undefined ? sql.turnsWith : sql.turnsOfOneWith,
        ...(await placeOf(projectKey)),
        ...ofOne(conversationId),
        text,
        limit,
      ),
    async list({ projectKey, limit, offset }) {
      const place = await placeOf(projectKey);
      const [counted, rows] = await Promise.all([
        connection.get<{ total: number }>(sql.total, ...place),
        connection.all<ConversationRow>(sql.list, ...place, limit, offset),
      ]);
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

export function conversationWrites({ connection, nowS, spacesIn }: Transaction): ConversationWrites {
  const { turnsWith } = conversationReads(connection, () => spacesIn("here"));
  return {
    turnsWith,
    async mark({ id }, { conversationId, keywords, at }) {
      const atS = toSeconds(at);
      const knownAtS = atS < nowS ? nowS : null;
      connection.later(MARK, conversationId, JSON.stringify(keywords), TURN_RULE, atS, knownAtS, id);
    },
  };
}

/** An import may contain anything: what is not a list of pairs is ignored. */
function keywordsIn(text: string | null): Keywords {
  const read = parsedJson(text ?? "[]");
  if (!Array.isArray(read)) return [];
  return read.flatMap((pair) =>
    Array.isArray(pair) && typeof pair[0] === "string" && Number.isFinite(pair[1])
      ? [[pair[0], Number(pair[1])] as const]
      : [],
  );
}

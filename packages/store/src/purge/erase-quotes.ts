import { randomBytes } from "node:crypto";
import type { Space } from "@chest/core/access";
import type { Clean } from "@chest/core/redaction";
import { marksOf, withoutForgotten, wordsIn } from "@chest/core/statements";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import type { Transaction } from "../database/transaction.ts";
import { rewriteColumn, rewriteTexts } from "./redact-texts.ts";

/** Fewer words, such as "done", stand in too many notes. */
const LEAST_WORDS = 3;
/** More statements than this are looked for in every note of their spaces. */
const MOST_PROBES = 40;
/** A word is looked for by its beginning, because a quotation may inflect it. */
const LATIN_PROBE = /[a-z]{5}/g;
const OTHER_PROBE = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{2}/gu;

/** Statements that were purged, by which the notes of sessions that quote them are found and cleaned. */
export interface PurgedStatements {
  readonly spaces: readonly Space[];
  /** Beginnings of words of which a quoting text has one; undefined where any text may quote them. */
  readonly probes: readonly string[] | undefined;
  readonly clean: Clean;
}

/** Reads the statements of rows that are to be purged; undefined if there are none to look for. */
export function statementsOf(
  rows: readonly { readonly content: string; readonly space: Space }[],
): PurgedStatements | undefined {
  const stated = rows.filter(({ content }) => wordsIn(content).length >= LEAST_WORDS);
  if (stated.length === 0) return undefined;
  // Nothing is stored of it, so any secret does.
  const secret = randomBytes(16).toString("base64url");
  const marks = new Set(
    stated.flatMap(({ content }) => marksOf(content, secret)).map(({ hash, facts }) => `${hash} ${facts}`),
  );
  const probes = stated.map(({ content }) => probeOf(content));
  return {
    spaces: [...new Set(rows.map(({ space }) => space))],
    probes: probes.length > MOST_PROBES || probes.includes(undefined) ? undefined : (probes as string[]),
    clean: (text) => withoutForgotten(text, secret, ({ hash, facts }) => marks.has(`${hash} ${facts}`)),
  };
}

function probeOf(content: string): string | undefined {
  const text = content.normalize("NFKC").toLowerCase();
  return text.match(LATIN_PROBE)?.[0] ?? text.match(OTHER_PROBE)?.[0];
}

const holds = (column: string, { probes }: PurgedStatements): string =>
  probes === undefined ? "true" : `(${probes.map(() => `lower(${column}) LIKE ?`).join(" OR ")})`;
const wildcards = ({ probes = [] }: PurgedStatements): string[] => probes.map((probe) => `%${probe}%`);

/** Finds the notes of sessions that quote a purged statement. */
export async function notesQuoting(reader: Reading, purged: PurgedStatements): Promise<number[]> {
  const rows = await reader.all<{ id: number; content: string }>(
    `SELECT m.id, m.content FROM memories m WHERE ${isOfJournal("m")} AND ${reader.dialect.isOneOf("m.space")}
       AND ${holds("m.content", purged)} ORDER BY m.id`,
    purged.spaces,
    ...wildcards(purged),
  );
  return rows.filter(({ content }) => purged.clean(content) !== content).map(({ id }) => id);
}

/** Takes purged statements out of notes that quote them. */
export const cleanNotes = (tx: Transaction, notes: readonly number[], { clean }: PurgedStatements): Promise<void> =>
  rewriteTexts(tx, notes, clean);

/** Takes purged statements out of what sessions of their projects keep: their state, their handoffs and the reasons of edits. */
export async function cleanSessions(tx: Transaction, purged: PurgedStatements): Promise<void> {
  const d = tx.connection.dialect;
  const inProject = [d.isOneOf("coalesce(project_id, 0)"), purged.spaces.map(projectOf)] as const;
  const inSpace = [d.isOneOf("space"), purged.spaces] as const;
  const places = [
    { field: "session", table: "sessions", column: "carry", memory: "NULL", isJson: true, within: inProject },
    { field: "snapshot", table: "session_snapshots", column: "body", memory: "NULL", within: inProject },
    { field: "snippet", table: "session_file_edits", column: "context_snippet", memory: "NULL", within: inSpace },
  ] as const;
  for (const { within, ...place } of places) {
    const where = `${within[0]} AND ${holds(place.column, purged)}`;
    await rewriteColumn(tx, place, where, purged.clean, [within[1], ...wildcards(purged)]);
  }
}

/** Id of a space's project; 0 for a space of none. */
const projectOf = (space: Space): number => Number(/p(\d+)$/.exec(space)?.[1] ?? 0);

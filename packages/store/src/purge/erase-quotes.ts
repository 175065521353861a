import { randomBytes } from "node:crypto";
import { type Space, spaceOf } from "@chest/core/access";
import { Stretches } from "@chest/core/recall";
import { type Clean, cleanJson, type TextPlace } from "@chest/core/redaction";
import { marksOf, withoutForgotten, wordsIn } from "@chest/core/statements";
import { isOfJournal } from "../database/condition.ts";
import type { Reading, SqlValue } from "../database/connection.ts";
import type { Transaction } from "../database/transaction.ts";
import { rewriteColumn, rewriteTexts } from "./redact-texts.ts";

/** Fewer words, such as "done", stand in too many notes. */
const LEAST_WORDS = 3;
/** Most probes that one statement of SQL looks for. */
const MOST_PROBES = 40;
/** A word is looked for by its beginning, because a quotation may inflect it. */
const LATIN_PROBE = /[a-z]{5}/;
const OTHER_PROBE = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;

/** Statements that were purged, by which the notes of sessions that quote them are found and cleaned. */
export interface PurgedStatements {
  readonly spaces: readonly Space[];
  /** Beginnings of words of which a quoting text has one; undefined where any text may quote them. */
  readonly probes: ReadonlySet<string> | undefined;
  readonly clean: Clean;
}

/** A row that is purged, as far as others may quote it. */
export interface PurgedRow {
  readonly content: string;
  readonly space: Space;
  readonly project_id: number | null;
  readonly author_id: number;
}

/** Reads the statements of rows that are to be purged; undefined if there are none to look for. */
export async function statementsOf(rows: readonly PurgedRow[]): Promise<PurgedStatements | undefined> {
  // Nothing is stored of it, so any secret does.
  const secret = randomBytes(16).toString("base64url");
  const stretches = new Stretches();
  const marks = new Set<string>();
  const probes = new Set<string | undefined>();
  for (const { content } of rows) {
    if (stretches.isOver) await stretches.next();
    if (wordsIn(content).length < LEAST_WORDS) continue;
    for (const { hash, facts } of marksOf(content, secret)) marks.add(`${hash} ${facts}`);
    probes.add(probeOf(content));
  }
  if (marks.size === 0) return undefined;
  return {
    spaces: [...new Set(rows.flatMap(spacesAround))],
    probes: probes.has(undefined) ? undefined : (probes as Set<string>),
    clean: (text) => withoutForgotten(text, secret, ({ hash, facts }) => marks.has(`${hash} ${facts}`)),
  };
}

/** Its own space, and those in which sessions of its author in its project keep their notes. */
const spacesAround = ({ space, project_id, author_id }: PurgedRow): Space[] => {
  const projectId = project_id ?? undefined;
  const author = { id: author_id, name: "" };
  return [space, spaceOf("private", author, projectId), ...(projectId ? [spaceOf("project", author, projectId)] : [])];
};

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

function probeOf(content: string): string | undefined {
  const text = plain(content);
  return text.match(LATIN_PROBE)?.[0] ?? text.match(OTHER_PROBE)?.[0];
}

/** Lengths of the probes; a rare Han character counts twice. */
const LENGTHS = [5, 2, 3, 4];

/** Whether a text has one of the probes: looking costs a hundredth of reading its statements. */
function mayQuote(written: string, { probes }: PurgedStatements): boolean {
  if (probes === undefined) return true;
  const text = plain(written);
  for (let at = 0; at < text.length; at++)
    if (LENGTHS.some((length) => probes.has(text.slice(at, at + length)))) return true;
  return false;
}

/** The probes that a statement of SQL looks for; it compares each row with each, so only a few. */
const soughtOf = ({ probes }: PurgedStatements): readonly string[] =>
  probes !== undefined && probes.size <= MOST_PROBES ? [...probes] : [];

const holds = (column: string, purged: PurgedStatements): string => {
  const sought = soughtOf(purged);
  return sought.length === 0 ? "true" : `(${sought.map(() => `lower(${column}) LIKE ?`).join(" OR ")})`;
};
const wildcards = (purged: PurgedStatements): string[] => soughtOf(purged).map((probe) => `%${probe}%`);

/** The rows whose text quotes a purged statement, with turns of other callers in between. */
async function quoting<T extends { readonly text: string }>(
  rows: readonly T[],
  purged: PurgedStatements,
  clean: Clean = purged.clean,
): Promise<T[]> {
  const stretches = new Stretches();
  const found: T[] = [];
  for (const row of rows) {
    if (stretches.isOver) await stretches.next();
    if (mayQuote(row.text, purged) && clean(row.text) !== row.text) found.push(row);
  }
  return found;
}

const PAGE = 2000;

/** Finds the notes of sessions that quote a purged statement. */
export async function notesQuoting(reader: Reading, purged: PurgedStatements): Promise<number[]> {
  const found: number[] = [];
  for (let after = 0; ; ) {
    const rows = await reader.all<{ id: number; text: string }>(
      `SELECT m.id, m.content AS text FROM memories m WHERE ${isOfJournal("m")} AND ${reader.dialect.isOneOf("m.space")}
         AND ${holds("m.content", purged)} AND m.id > ? ORDER BY m.id LIMIT ${PAGE}`,
      purged.spaces,
      ...wildcards(purged),
      after,
    );
    found.push(...(await quoting(rows, purged)).map(({ id }) => id));
    if (rows.length < PAGE) return found;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Takes purged statements out of notes that quote them. */
export const cleanNotes = (tx: Transaction, notes: readonly number[], { clean }: PurgedStatements): Promise<void> =>
  rewriteTexts(tx, notes, clean);

/** Texts of a column that quote a purged statement, and where they stand. */
interface QuotingTexts {
  readonly place: TextPlace;
  /** Condition of SQL on the rows of their projects, with the list that it takes. */
  readonly within: readonly [sql: string, list: SqlValue];
  readonly texts: readonly string[];
}

/** Finds what sessions of their projects keep and quote: their state, their handoffs and the reasons of edits. */
export async function sessionTextsQuoting(reader: Reading, purged: PurgedStatements): Promise<QuotingTexts[]> {
  const d = reader.dialect;
  const inProject = [d.isOneOf("coalesce(project_id, 0)"), purged.spaces.map(projectOf)] as const;
  const inSpace = [d.isOneOf("space"), purged.spaces] as const;
  const places = [
    { field: "session", table: "sessions", column: "carry", memory: "NULL", isJson: true, within: inProject },
    { field: "snapshot", table: "session_snapshots", column: "body", memory: "NULL", within: inProject },
    { field: "snippet", table: "session_file_edits", column: "context_snippet", memory: "NULL", within: inSpace },
  ] as const;
  const found: QuotingTexts[] = [];
  for (const { within, ...place } of places) {
    const rows = await reader.all<{ text: string }>(
      `SELECT DISTINCT ${place.column} AS text FROM ${place.table}
       WHERE ${place.column} IS NOT NULL AND ${within[0]} AND ${holds(place.column, purged)}`,
      within[1],
      ...wildcards(purged),
    );
    const clean = (text: string) => ("isJson" in place ? cleanJson(text, purged.clean) : purged.clean(text));
    found.push({ place, within, texts: (await quoting(rows, purged, clean)).map(({ text }) => text) });
  }
  return found;
}

/** Takes purged statements out of texts that quote them. */
export const cleanTexts = (
  tx: Transaction,
  { place, within: [sql, list], texts }: QuotingTexts,
  { clean }: PurgedStatements,
) => rewriteColumn(tx, place, `${sql} AND ${tx.connection.dialect.isOneOf(place.column)}`, clean, [list, texts]);

/** Id of a space's project; 0 for a space of none. */
const projectOf = (space: Space): number => Number(/p(\d+)$/.exec(space)?.[1] ?? 0);

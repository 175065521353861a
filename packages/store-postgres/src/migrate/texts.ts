import { setImmediate as turn } from "node:timers/promises";
import type { Row } from "@chest/core/ports";
import { frequenciesOf, packed, type TextRow } from "@chest/core/recall";
import type { Connections } from "../database/connection.ts";
import type { Transfer } from "../database/transfer.ts";
import { lengthOf } from "../search/text-rows.ts";

// Counting the terms of this many texts takes a millisecond or two.
const FREE_EVERY = 20;

// Looks scopes up before it adds them, because a conflict consumes a number of the sequence.
const ADD_SCOPES = `INSERT INTO scopes (token) SELECT token FROM unnest(?::text[]) AS given (token)
  WHERE NOT EXISTS (SELECT 1 FROM scopes s WHERE s.token = given.token) ON CONFLICT DO NOTHING`;
const SCOPES = "SELECT id, token FROM scopes WHERE token = ANY (?)";

const ADD_TEXTS = `INSERT INTO memory_text (memory_id, scope, length, title, tags, words, grams)
  SELECT * FROM unnest(?::bigint[], ?::int[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[])`;

interface Text {
  readonly id: number;
  readonly scope: number;
  readonly length: number;
  readonly row: TextRow;
}

/** Prepares the insertion of rows of `memory_text` and their postings, which have no index yet. */
export async function textsPut(
  connections: Connections,
  rows: readonly Row[],
): Promise<(transfer: Transfer) => Promise<void>> {
  const scopes = await scopesOf(connections, new Set(rows.map(({ scope }) => String(scope))));
  const texts: Text[] = [];
  const postings: string[] = [];
  for (const from of rows) {
    const text = textOf(from, scopes);
    texts.push(text);
    postings.push(postingsOf(text));
    // The socket sends prepared rows only while this thread is idle.
    if (texts.length % FREE_EVERY === 0) await turn();
  }
  const lines = Buffer.from(postings.join(""));
  return async (transfer) => {
    await transfer.run(
      ADD_TEXTS,
      texts.map(({ id }) => id),
      texts.map(({ scope }) => scope),
      texts.map(({ length }) => length),
      ...(["title", "tags", "words", "grams"] as const).map((name) => texts.map(({ row }) => row[name])),
    );
    await transfer.copy("postings (term, is_gram, scope, memory_id, impact, length)", lines);
  };
}

/** Numbers of scopes by name; missing ones are added. */
async function scopesOf(connections: Connections, tokens: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  await connections.run(ADD_SCOPES, [...tokens]);
  const rows = await connections.all<{ id: number; token: string }>(SCOPES, [...tokens]);
  return new Map(rows.map(({ id, token }) => [token, id]));
}

function textOf(from: Row, scopes: ReadonlyMap<string, number>): Text {
  const text = (name: string) => String(from[name] ?? "");
  const row = { title: text("title"), tags: text("tags"), words: text("words"), grams: text("grams") };
  const scope = scopes.get(text("scope"));
  if (scope === undefined) throw new Error("a scope is gone that was there just now");
  return { id: Number(from.memory_id), scope, length: lengthOf(row), row };
}

// Special characters of the format: backslash, separator and line end.
const SIGNS = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const escaped = (text: string): string => text.replace(SIGNS, (sign) => ESCAPES[sign] ?? sign);

/** Postings of a text as lines for `COPY`. */
function postingsOf({ id, scope, length, row }: Text): string {
  // Checked once per text: a large store has ten million lines, hardly any with a special character.
  const hasSigns = Object.values(row).some((text) => text.search(SIGNS) >= 0);
  const of = `\t${scope}\t${id}\t`;
  let lines = "";
  for (const [key, frequency] of frequenciesOf(row)) {
    const term = key.slice(1);
    lines += `${hasSigns ? escaped(term) : term}${key.startsWith("g") ? "\tt" : "\tf"}${of}${packed(frequency)}\t${length}\n`;
  }
  return lines;
}

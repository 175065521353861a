import { setImmediate as turn } from "node:timers/promises";
import { frequenciesOf, packed, type Row, type TextRow } from "@chest/core";
import type { Connections } from "../database/connection.ts";
import type { Transfer } from "../database/transfer.ts";
import { lengthOf } from "../search/text-rows.ts";

// Terms of so many texts are counted in a millisecond or two.
const FREE_EVERY = 20;

// A conflict uses up a number: scopes are looked for before they are made.
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

/** Makes ready what puts rows of `memory_text` and their postings, which have no index yet. */
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
    // The socket sends what was made ready before only while this thread is free.
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

/** Numbers of scopes by their names; those that are missing are made. */
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

// The format's own signs: a backslash, and what ends a value or a line.
const SIGNS = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const escaped = (text: string): string => text.replace(SIGNS, (sign) => ESCAPES[sign] ?? sign);

/** Its postings, each a line of the text format of `COPY`. */
function postingsOf({ id, scope, length, row }: Text): string {
  // Ten million lines are written for a large store: hardly any has a sign to look for.
  const hasSigns = Object.values(row).some((text) => text.search(SIGNS) >= 0);
  const of = `\t${scope}\t${id}\t`;
  let lines = "";
  for (const [key, frequency] of frequenciesOf(row)) {
    const term = key.slice(1);
    lines += `${hasSigns ? escaped(term) : term}${key.startsWith("g") ? "\tt" : "\tf"}${of}${packed(frequency)}\t${length}\n`;
  }
  return lines;
}

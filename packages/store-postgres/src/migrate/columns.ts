import { hash } from "node:crypto";
import type { Cell, Row } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import type { Reading, SqlValue } from "../database/connection.ts";

/** A column of a table, and the conversion of values from a file. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** Type of the list in which values are sent. */
  readonly sentAs: string;
  /** Values of some rows, as one list. */
  sent(rows: readonly Row[]): SqlValue;
  /** Expression whose text `shownHere` takes. */
  readonly shown: string;
  /** Canonical text of a value in the file, for comparison. */
  shownThere(row: Row): string;
  /** Canonical text of the same value in the database. */
  shownHere(text: string | null): string;
}

const COLUMNS = `SELECT column_name AS name, udt_name AS type,
    to_regtype(format('%I.%I', udt_schema, udt_name))::oid::int8 AS oid FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = ? AND is_generated = 'NEVER' ORDER BY ordinal_position`;

/** Columns that the file has too, in order. */
export async function columnsOf(connection: Reading, table: string, there: readonly string[]): Promise<Column[]> {
  const rows = await connection.all<{ name: string; type: string; oid: number }>(COLUMNS, table);
  return rows
    .filter(({ name }) => there.includes(name))
    .map(({ name, type, oid }) => ({
      name,
      type: type.startsWith("_") ? `${type.slice(1)}[]` : type,
      ...kindOf(name, type, oid),
    }));
}

type Kind = Omit<Column, "name" | "type">;

const asItIs = (cell: Cell | undefined): string | null => (cell === undefined || cell === null ? null : String(cell));

/** Sends values as texts, which the server converts to any type; null for none. */
export const asTexts = (read: (row: Row) => string | null): Pick<Column, "sentAs" | "sent"> => ({
  sentAs: "text[]",
  sent: (rows) => rows.map(read) as unknown as SqlValue,
});

function kindOf(name: string, type: string, oid: number): Kind {
  const kind = (
    read: (row: Row) => string | null,
    shownHere: Column["shownHere"] = (text) => (text === null ? "" : `=${text}`),
    shown = `"${name}"::text`,
  ): Kind => ({ ...asTexts(read), shown, shownHere, shownThere: (row) => shownHere(read(row)) });
  switch (type) {
    case "bool":
      return kind((row) => (row[name] === null ? null : String(Boolean(row[name]))));
    case "float8":
      return kind(
        (row) => asItIs(row[name]),
        (text) => (text === null ? "" : `=${Number(text)}`),
      );
    case "_int8":
    case "_text":
      return kind(
        (row) => listText(row[name] ?? null),
        (text) => JSON.stringify(itemsOf(text ?? "[]")),
        `to_json("${name}")::text`,
      );
    case "halfvec":
      return {
        sentAs: "halfvec[]",
        sent: (rows) =>
          listOf(
            oid,
            rows.map((row) => sentVector(row[name] ?? null)),
          ),
        // Compares a digest: a thousand numbers as text would dominate the comparison.
        shown: `encode(sha256(halfvec_send("${name}")), 'hex')`,
        shownHere: (digest) => digest ?? "",
        shownThere: (row) => vectorDigest(row[name] ?? null),
      };
    default:
      return kind((row) => asItIs(row[name]));
  }
}

/** Converts a JSON list to the server's list syntax. */
function listText(cell: Cell): string {
  const list = parsedJson(String(cell ?? "[]"));
  const items = Array.isArray(list) ? list : [];
  return `{${items.map((item) => JSON.stringify(String(item))).join(",")}}`;
}

/** Items of a list from `listText`, or from JSON. */
const itemsOf = (text: string): string[] => (JSON.parse(`[${text.slice(1, -1)}]`) as unknown[]).map(String);

/** A vector in 16-bit floats, rounded like the server does. */
function halvesOf(cell: Cell): Uint16Array | undefined {
  if (!(cell instanceof Uint8Array)) return undefined;
  const bytes = new Uint8Array(cell);
  const numbers = new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
  return new Uint16Array(new Float16Array(numbers).buffer);
}

/** Binary form of a vector: its length, a reserved field, and its numbers in big-endian order. */
function sentVector(cell: Cell): Buffer | undefined {
  const halves = halvesOf(cell);
  if (!halves) return undefined;
  const sent = Buffer.alloc(4 + halves.byteLength);
  sent.writeUInt16BE(halves.length);
  Buffer.from(halves.buffer).swap16().copy(sent, 4);
  return sent;
}

const vectorDigest = (cell: Cell): string => {
  const sent = sentVector(cell);
  return sent ? hash("sha256", sent, "hex") : "";
};

/**
 * Binary form of a list: one dimension, a flag for nulls, the type, count and lower bound, then each value after its
 * length.
 */
function listOf(oid: number, values: readonly (Buffer | undefined)[]): Buffer {
  const head = [1, Number(values.includes(undefined)), oid, values.length, 1];
  return Buffer.concat([
    ...head.map(int32),
    ...values.flatMap((value) => (value ? [int32(value.length), value] : [int32(-1)])),
  ]);
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

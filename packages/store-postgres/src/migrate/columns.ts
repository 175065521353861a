import { type Cell, parsedJson, type Row } from "@chest/core";
import type { Reading } from "../database/connection.ts";

/** Column of a table here, and how a value of a file becomes one of it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** Text that the server reads as a value of this type; null for none. */
  read(row: Row): string | null;
  /** Expression that gives the same value as a text which `canonical` takes. */
  readonly shown: string;
  /** One text for one value, from either database. */
  canonical(text: string | null): string;
}

const COLUMNS = `SELECT column_name AS name, udt_name AS type FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = ? AND is_generated = 'NEVER' ORDER BY ordinal_position`;

/** Columns of a table that stand in the file as well, in their order. */
export async function columnsOf(connection: Reading, table: string, there: readonly string[]): Promise<Column[]> {
  const rows = await connection.all<{ name: string; type: string }>(COLUMNS, table);
  return rows
    .filter(({ name }) => there.includes(name))
    .map(({ name, type }) => ({
      name,
      type: type.startsWith("_") ? `${type.slice(1)}[]` : type,
      ...kindOf(name, type),
    }));
}

type Kind = Pick<Column, "read" | "shown" | "canonical">;

const asItIs = (cell: Cell | undefined): string | null => (cell === undefined || cell === null ? null : String(cell));

function kindOf(name: string, type: string): Kind {
  const read = (row: Row) => asItIs(row[name]);
  const shown = `"${name}"::text`;
  const plain = (text: string | null) => (text === null ? "" : `=${text}`);
  switch (type) {
    case "bool":
      return { read: (row) => (row[name] === null ? null : String(Boolean(row[name]))), shown, canonical: plain };
    case "float8":
      return { read, shown, canonical: (text) => (text === null ? "" : `=${Number(text)}`) };
    case "_int8":
    case "_text":
      return {
        read: (row) => listText(row[name] ?? null),
        shown: `to_json("${name}")::text`,
        canonical: (text) => JSON.stringify(itemsOf(text ?? "[]")),
      };
    case "halfvec":
      return {
        read: (row) => vectorText(row[name] ?? null),
        shown: `"${name}"::real[]::text`,
        // Sixteen bits a number, as the server rounds them.
        canonical: (text) => numbersIn(text).map(toHalf).join(","),
      };
    default:
      return { read, shown, canonical: plain };
  }
}

/** A list in JSON as the server writes lists. */
function listText(cell: Cell): string {
  const list = parsedJson(String(cell ?? "[]"));
  const items = Array.isArray(list) ? list : [];
  return `{${items.map((item) => JSON.stringify(String(item))).join(",")}}`;
}

/** Items of a list as `listText` writes it, or as JSON. */
const itemsOf = (text: string): string[] => (JSON.parse(`[${text.slice(1, -1)}]`) as unknown[]).map(String);

function vectorText(cell: Cell): string | null {
  if (!(cell instanceof Uint8Array)) return null;
  const bytes = Uint8Array.from(cell);
  return `[${new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4)).join(",")}]`;
}

const numbersIn = (text: string | null): number[] => (text ?? "").slice(1, -1).split(",").map(Number);

const halves = new Float16Array(1);
function toHalf(number: number): number {
  halves[0] = Math.fround(number);
  return halves[0] as number;
}

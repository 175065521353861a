import { createHash } from "node:crypto";
import { type Cell, parsedJson, type Row } from "@chest/core";
import type { Reading } from "../database/connection.ts";

/** Column of a table here, and how a value of a file becomes one of it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** Text that the server reads as a value of this type; null for none. */
  read(row: Row): string | null;
  /** Expression whose text `shownHere` takes. */
  readonly shown: string;
  /** One text for one value, from a row of the file. */
  shownThere(row: Row): string;
  /** The same text for the same value, from the database. */
  shownHere(text: string | null): string;
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

type Kind = Pick<Column, "read" | "shown" | "shownThere" | "shownHere">;

const asItIs = (cell: Cell | undefined): string | null => (cell === undefined || cell === null ? null : String(cell));

function kindOf(name: string, type: string): Kind {
  const kind = (
    read: Column["read"],
    shownHere: Column["shownHere"] = (text) => (text === null ? "" : `=${text}`),
    shown = `"${name}"::text`,
  ): Kind => ({ read, shown, shownHere, shownThere: (row) => shownHere(read(row)) });
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
        read: (row) => vectorText(row[name] ?? null),
        // A thousand numbers as text would take longer to write and read than all else of a memory.
        shown: `encode(sha256(halfvec_send("${name}")), 'hex')`,
        shownHere: (digest) => digest ?? "",
        shownThere: (row) => vectorDigest(row[name] ?? null),
      };
    default:
      return kind((row) => asItIs(row[name]));
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

/** A vector's numbers in sixteen bits, as the server rounds them. */
function halvesOf(cell: Cell): Uint16Array | undefined {
  if (!(cell instanceof Uint8Array)) return undefined;
  const bytes = Uint8Array.from(cell);
  const numbers = new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
  return new Uint16Array(new Float16Array(numbers).buffer);
}

const PATTERNS = 2 ** 16;
let texts: readonly string[] | undefined;

/** Text of each number of sixteen bits, by its bits: five digits tell them apart. */
function halfTexts(): readonly string[] {
  if (texts) return texts;
  const numbers = new Float16Array(Uint16Array.from({ length: PATTERNS }, (_, bits) => bits).buffer);
  texts = Array.from(numbers, (number) => (Object.is(number, -0) ? "-0" : String(Number(number.toPrecision(5)))));
  return texts;
}

function vectorText(cell: Cell): string | null {
  const halves = halvesOf(cell);
  if (!halves) return null;
  const known = halfTexts();
  return `[${Array.from(halves, (bits) => known[bits]).join(",")}]`;
}

/** Digest of a vector as the server sends it: its length, a space that is kept free, and its numbers, high byte first. */
function vectorDigest(cell: Cell): string {
  const halves = halvesOf(cell);
  if (!halves) return "";
  const sent = Buffer.alloc(4 + halves.byteLength);
  sent.writeUInt16BE(halves.length);
  Buffer.from(halves.buffer).swap16().copy(sent, 4);
  return createHash("sha256").update(sent).digest("hex");
}

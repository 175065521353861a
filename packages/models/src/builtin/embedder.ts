import { fileURLToPath } from "node:url";
import { TABLE_IDENTITY } from "@chest/core/embedding";
import type { Embedder, EmbedderState } from "@chest/core/ports";
import { directionOf, normalised } from "../direction.ts";
import { closenessOf } from "./closeness.ts";
import { checkTable, readTable, type Table } from "./table.ts";
import { rowsOf } from "./terms.ts";

/**
 * The table is beside this file, or beside a bundle of it. The hook program has no file address and passes its own
 * path.
 */
const shippedTable = () => fileURLToPath(new URL("./terms.table", import.meta.url));

/**
 * Recall by meaning from the first start: the sum of the vectors of a text's terms. No thread, no model to fetch, some
 * tens of microseconds a text. The table is read at the first text and stays in memory, twelve megabytes for all
 * embedders of a process; to say whether it can be used it is checked and not kept.
 */
export function openBuiltinEmbedder(path: string = shippedTable()): Embedder {
  const table = () => loaded(path);
  const embedNow = (text: string) => {
    const found = table();
    return found instanceof Error ? undefined : vectorOf(text, found);
  };
  return {
    identity: TABLE_IDENTITY,
    async state() {
      const fault = faultOf(path);
      return fault ? broken(fault) : { isUsable: true };
    },
    embedNow,
    tellingTerms(text) {
      const found = table();
      return found instanceof Error ? undefined : tellingTermsOf(text, found);
    },
    closeness(question, passages) {
      const found = table();
      return found instanceof Error ? undefined : closenessOf(question, passages, found);
    },
    embedQuery: async (text) => embedNow(text),
    async embedPassages(texts) {
      const found = table();
      if (found instanceof Error) return undefined;
      return texts.map((text) => ({ vector: vectorOf(text, found), isCut: false }));
    },
    close: async () => undefined,
  };
}

const tables = new Map<string, Table | Error>();
const checked = new Map<string, Error | undefined>();

function loaded(path: string): Table | Error {
  const known = tables.get(path);
  if (known) return known;
  const read = attempt(() => {
    const table = readTable(path);
    assertDimensions(table.dimensions);
    return table;
  });
  tables.set(path, read);
  return read;
}

/** Reason for which a table cannot be used; undefined where it can. */
function faultOf(path: string): Error | undefined {
  const known = tables.get(path);
  if (known) return known instanceof Error ? known : undefined;
  if (!checked.has(path))
    checked.set(
      path,
      attempt(() => assertDimensions(checkTable(path))),
    );
  return checked.get(path);
}

function assertDimensions(dimensions: number): undefined {
  const { dimensions: expected } = TABLE_IDENTITY;
  if (dimensions !== expected) throw new Error(`the embedding table has ${dimensions} dimensions and not ${expected}`);
}

function attempt<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error as Error; // Recall goes on by words; `state` says why.
  }
}

const broken = ({ message }: Error): EmbedderState => ({
  isUsable: false,
  reason: "failed",
  message,
  hint: "install this version of Chest again",
});

const rows: number[] = [];

/** A text as a vector of length 1. */
function vectorOf(text: string, { dimensions, index, scales, numbers }: Table): Float32Array {
  rows.length = 0;
  rowsOf(text, index, rows);
  const sum = new Float32Array(dimensions);
  for (const row of rows) {
    const scale = scales[row] as number;
    const from = row * dimensions;
    for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] as number) + scale * (numbers[from + at] as number);
  }
  return normalised(sum) ?? directionOf(text, dimensions);
}

/** Length of the vectors of what stands in any text: below it, a term tells nothing. */
const LEAST_LENGTH = 0.5;
/** A single syllable or sign says little about what a text is about. */
const LEAST_CHARACTERS = 2;

function tellingTermsOf(text: string, { dimensions, index, scales, numbers }: Table): number {
  rows.length = 0;
  rowsOf(text, index, rows, LEAST_CHARACTERS);
  const isTelling = (row: number) => {
    let square = 0;
    for (const x of numbers.subarray(row * dimensions, (row + 1) * dimensions)) square += x * x;
    return (scales[row] as number) * Math.sqrt(square) >= LEAST_LENGTH;
  };
  return rows.filter(isTelling).length;
}

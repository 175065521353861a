import { ChestError } from "@chest/contracts";
import { isObject } from "../../tool.ts";

/** Rows of an export: a list, a list under one of these keys, or one object per line. Throws for a truncated export. */
export function rowsOfExport(text: string, keys: readonly string[]): Readonly<Record<string, unknown>>[] {
  const whole = parsed(text);
  const list = whole === undefined ? linesOf(text) : listIn(whole, keys);
  return list.map((row) => (isObject(row) ? row : {}));
}

/** Parses JSON; undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** An object without such a list is the only line of a file with one object per line. */
function listIn(whole: unknown, keys: readonly string[]): readonly unknown[] {
  if (!isObject(whole)) return Array.isArray(whole) ? whole : [whole];
  const list = keys.map((key) => whole[key]).find(Array.isArray);
  return list ?? [whole];
}

function linesOf(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, at) => {
    const row = parsed(line);
    if (row !== undefined) return row;
    throw new ChestError("INVALID_INPUT", `the export is incomplete: line ${at + 1} is not JSON`, {
      hint: "export or copy it again: it was cut short, or is of another format; nothing was imported",
    });
  });
}

/** Text of the first of these fields that has one. */
export function textIn(row: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

export function numberIn(row: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = row[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

import { isDeepStrictEqual } from "node:util";
import { parse, patch } from "@decimalturn/toml-patch";
import { damaged, isRecord } from "./jsonc.ts";

/** Parses a TOML configuration. Throws `StartError` with the damaged place. */
export function readToml(text: string | undefined, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text ?? "");
    return isRecord(value) ? value : {};
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw damaged(path, line);
  }
}

/** Sets one entry of a table of tables, or removes it (undefined); everything else stays, comments included. */
export function setInToml(
  text: string | undefined,
  [table, name]: readonly [string, string],
  value: Readonly<Record<string, unknown>> | undefined,
  path: string,
): string {
  const before = readToml(text, path);
  const entries = isRecord(before[table]) ? before[table] : {};
  const { [name]: present, ...others } = entries;
  const wanted = { ...before, [table]: value === undefined ? others : { ...entries, [name]: value } };
  const given = text ?? "";
  const isNew = present === undefined && value !== undefined;
  const after = isNew
    ? given + inLinesOf(given, separator(given) + tablesOf(`${table}.${name}`, value))
    : withoutHead(patch(given, wanted), given, table);
  // Removing the last entry removes its table, too.
  const { [table]: rest = {}, ...elsewhere } = readToml(after, path);
  const { [table]: wantedRest, ...wantedElsewhere } = wanted;
  if (
    isDeepStrictEqual(plain(rest), plain(wantedRest)) &&
    isDeepStrictEqual(plain(elsewhere), plain(wantedElsewhere))
  ) {
    return after;
  }
  throw damaged(path, `\`${table}\` is written in a way that cannot be edited without touching the rest`);
}

/** Removes the head of an empty table that the user had not written. */
function withoutHead(text: string, input: string, table: string): string {
  const head = `[${table}]`;
  const isLine = (line: string) => line.trim() === head;
  if (input.split("\n").some(isLine)) return text;
  const lines = text.split("\n");
  const at = lines.findIndex(isLine);
  const next = lines.slice(at + 1).find((line) => line.trim() !== "");
  if (at < 0 || (next !== undefined && !next.startsWith("["))) return text;
  // The empty line before it goes, too.
  const from = at > 0 && lines[at - 1]?.trim() === "" ? at - 1 : at;
  return lines.toSpliced(from, at - from + 1).join("\n");
}

/** Lines that are added end as those of the file. */
const inLinesOf = (input: string, added: string): string =>
  input.includes("\r\n") ? added.replaceAll("\n", "\r\n") : added;

const separator = (text: string): string => (text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n");

/** Writes a table, and a subtable for each table in it. */
function tablesOf(name: string, value: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(value);
  const own = entries.filter(([, held]) => !isRecord(held)).map(([key, held]) => `${key} = ${JSON.stringify(held)}\n`);
  const below = entries.flatMap(([key, held]) => (isRecord(held) ? [`\n${tablesOf(`${name}.${key}`, held)}`] : []));
  return [`[${name}]\n`, ...own, ...below].join("");
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

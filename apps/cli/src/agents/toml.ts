import { isDeepStrictEqual } from "node:util";
import { parse, patch } from "@decimalturn/toml-patch";
import { damaged, isRecord } from "./jsonc.ts";

/** What a TOML configuration holds. Throws `StartError` with the damaged place. */
export function readToml(text: string | undefined, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text ?? "");
    return isRecord(value) ? value : {};
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw damaged(path, line);
  }
}

/** The text with one entry of a table of tables set, or taken out (undefined); the rest, comments included, stays. */
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
  const after = isNew ? given + separator(given) + tablesOf(`${table}.${name}`, value) : patch(given, wanted);
  // The last entry takes its table along.
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

const separator = (text: string): string => (text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n");

/** A table, and one below it for each table in it. */
function tablesOf(name: string, value: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(value);
  const own = entries.filter(([, held]) => !isRecord(held)).map(([key, held]) => `${key} = ${JSON.stringify(held)}\n`);
  const below = entries.flatMap(([key, held]) => (isRecord(held) ? [`\n${tablesOf(`${name}.${key}`, held)}`] : []));
  return [`[${name}]\n`, ...own, ...below].join("");
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

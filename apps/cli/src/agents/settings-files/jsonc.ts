import { StartError } from "@chest/runtime";
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

const LENIENT = { allowTrailingComma: true };

/**
 * Parses a JSON configuration, comments allowed; an absent file is empty. Throws `StartError` with the damaged line.
 */
export function readJsonc(text: string | undefined, path: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const plain = withoutMark(text ?? "");
  if (plain.trim() === "") return {};
  const value: unknown = parse(plain, errors, LENIENT);
  const [first] = errors;
  if (first) {
    const line = plain.slice(0, first.offset).split("\n").length;
    throw damaged(path, `line ${line}: ${printParseErrorCode(first.error)}`);
  }
  if (!isRecord(value)) throw damaged(path, "it is not an object");
  return value;
}

/** Whether a configuration is empty. An empty file may have been there before ours; by then nothing can tell. */
export const saysNothing = (text: string | undefined): boolean => /^\s*(?:\{\s*\}\s*)?$/.test(text ?? "");

/**
 * The text with one value set, or taken out (undefined); every other byte stays as it is. What is new is written over
 * lines of its own.
 */
export function setInJsonc(text: string | undefined, path: JSONPath, value: unknown): string {
  const given = text ?? "";
  const mark = given.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const plain = withoutMark(given).trim() === "" ? "{}\n" : withoutMark(given);
  return mark + (value === undefined ? without(plain, path) : withValue(plain, path, value));
}

function withValue(text: string, path: JSONPath, value: unknown): string {
  const root = parseTree(text, [], LENIENT);
  const parent = root && findNodeAtLocation(root, path.slice(0, -1));
  const key = path.at(-1);
  if (!parent && typeof key === "string") return withValue(text, path.slice(0, -1), { [key]: value });
  const style = styleOf(text);
  const isThere = root !== undefined && findNodeAtLocation(root, path) !== undefined;
  const isInsertion = typeof key === "number" && !isThere;
  const edits = modify(text, path, value, { isArrayInsertion: isInsertion });
  const line = (depth: number) => style.eol + style.unit.repeat(depth);
  const pretty = JSON.stringify(value, undefined, style.unit).replaceAll("\n", line(path.length));
  const added = typeof key === "string" ? `${JSON.stringify(key)}: ${pretty}` : pretty;
  const isFirst = !parent?.children?.length;
  return applyEdits(
    text,
    edits.map((edit) => {
      if (isThere) return { ...edit, content: pretty };
      const before = line(path.length);
      return { ...edit, content: isFirst ? before + added + line(path.length - 1) : `,${before}${added}` };
    }),
  );
}

/** The library leaves a character behind if a list ends without a space. */
function without(text: string, path: JSONPath): string {
  const root = parseTree(text, [], LENIENT);
  const parent = root && findNodeAtLocation(root, path.slice(0, -1));
  const value = root && findNodeAtLocation(root, path);
  const siblings = parent?.children ?? [];
  const at = siblings.findIndex((node) => node === value || node === value?.parent);
  const node = siblings[at];
  if (!parent || !node) return text;
  // Removing the last element removes the whitespace too.
  if (siblings.length === 1) return spliced(text, parent.offset + 1, parent.offset + parent.length - 1);
  const end = node.offset + node.length;
  const next = siblings[at + 1];
  if (next)
    return spliced(text, node.offset, end + (/^\s*,\s*/.exec(text.slice(end))?.[0].length ?? next.offset - end));
  const gap = /,\s*$/.exec(text.slice(0, node.offset))?.[0].length ?? 0;
  return spliced(text, node.offset - gap, end);
}

const spliced = (text: string, from: number, to: number): string => text.slice(0, from) + text.slice(to);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const damaged = (path: string, what: string): StartError =>
  new StartError(`\`${path}\` is damaged and was not changed: ${what}`, "correct it by hand, then run this again");

const BYTE_ORDER_MARK = "\ufeff";
const withoutMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);

/** Formatting of the file, so that new parts look like the rest. */
function styleOf(text: string): { readonly unit: string; readonly eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { unit: indent.startsWith("\t") ? "\t" : indent, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

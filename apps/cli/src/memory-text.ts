import wrapAnsi from "wrap-ansi";

/** A memory as tools and resources give it; either leaves some of it out. */
export interface ShownMemory {
  readonly id: number;
  readonly layer?: string;
  readonly content?: string;
  readonly content_truncated?: boolean;
  readonly entity?: string | { readonly name: string };
  readonly composite?: number;
  readonly pinned?: boolean;
  readonly tags?: readonly string[];
  readonly created_at?: number | string;
}

const INDENT = "    ";
const WIDEST = 100;

/** A memory for a person: a line about it, and what it says, wrapped to the terminal. */
export function memoryLines(memory: ShownMemory, columns = process.stdout.columns ?? 80): string[] {
  const { id, layer, entity, composite, pinned, tags = [], created_at, content = "" } = memory;
  const head = [
    `#${id}`,
    layer,
    typeof entity === "object" ? entity.name : entity,
    dayOf(created_at),
    composite === undefined ? undefined : composite.toFixed(2),
    pinned ? "pinned" : undefined,
    ...tags.map((tag) => `#${tag}`),
  ];
  return [
    onOneLine(head.filter((part) => part !== undefined && part !== "").join("  ")),
    ...wrapped(content, columns),
    ...(memory.content_truncated ? [`${INDENT}… \`chest-index show ${id}\` has the rest`] : []),
    "",
  ];
}

/** Wrapped by the columns that it takes: a character of Chinese, Japanese or Korean takes two. */
export function wrapped(text: string, columns: number): string[] {
  const width = Math.max(20, Math.min(columns, WIDEST) - INDENT.length);
  return wrapAnsi(harmless(text), width, { hard: true, trim: false, wordWrap: true })
    .split("\n")
    .map((line) => (INDENT + line).trimEnd());
}

/** Stored text, a name say, in a line of its own. */
export const onOneLine = (text: string): string => harmless(text).replaceAll("\n", " ");

/** Stored text cannot move a cursor, set a title or turn the line around. */
const harmless = (text: string): string =>
  text.replaceAll("\t", "  ").replace(/(?!\n)[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, "");

function dayOf(at: number | string | undefined): string | undefined {
  if (at === undefined) return undefined;
  return new Date(typeof at === "number" ? at * 1000 : at).toISOString().slice(0, 10);
}

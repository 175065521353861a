import wrapAnsi from "wrap-ansi";
import type { Output } from "../terminal/output.ts";
import { harmless, onOneLine } from "../terminal/strip-control-characters.ts";

/** A memory as tools and resources give it; either leaves some of it out. */
export interface ShownMemory {
  readonly id: number;
  readonly title?: string;
  readonly layer?: string;
  readonly category?: string;
  readonly content?: string;
  readonly content_truncated?: boolean;
  readonly entity?: string | { readonly name: string };
  /** How near it is to a question: strong, fair or weak. */
  readonly match?: string;
  readonly pinned?: boolean;
  readonly tags?: readonly string[];
  readonly created_at?: number | string;
  readonly match_reasons?: readonly string[];
  readonly contradicted_by?: readonly number[];
  /** Files that it comes from and that changed. */
  readonly stale?: readonly string[];
}

const INDENT = "    ";
const WIDEST = 100;

/** A memory for a person: a line about it, and what it says, wrapped to the terminal. */
export function memoryLines(memory: ShownMemory, columns = process.stdout.columns ?? 80): string[] {
  const { id, title, layer, category, entity, match, pinned, tags = [], created_at, content = "" } = memory;
  const { match_reasons = [], contradicted_by = [], stale = [] } = memory;
  const head = [
    `#${id}`,
    title,
    layer,
    category === layer ? undefined : category,
    typeof entity === "object" ? entity.name : entity,
    dayOf(created_at),
    match === undefined ? undefined : `${match} match`,
    match_reasons.includes("archive_explicit") ? "archived" : undefined,
    match_reasons.includes("superseded_explicit") ? "superseded" : undefined,
    pinned ? "pinned" : undefined,
    ...tags.map((tag) => `#${tag}`),
  ];
  const against = [
    contradicted_by.length > 0
      ? `contradicted by ${contradicted_by.map((other) => `#${other}`).join(", ")}: read both before use`
      : "",
    stale.length > 0 ? `changed since: ${stale.join(", ")}` : "",
  ].filter((line) => line !== "");
  return [
    onOneLine(head.filter((part) => part !== undefined && part !== "").join("  ")),
    ...against.map((line) => INDENT + onOneLine(line)),
    ...wrapped(content, columns),
  ];
}

/** Shows it, with the command that has the rest where there is more. */
export function showMemory(output: Output, memory: ShownMemory): void {
  for (const line of memoryLines(memory)) output.show(line);
  if (memory.content_truncated) output.say(`${INDENT}… \`chest-index show ${memory.id}\` has the rest`);
  output.show("");
}

/** Wrapped by the columns that it takes: a character of Chinese, Japanese or Korean takes two. */
export function wrapped(text: string, columns: number): string[] {
  const width = Math.max(20, Math.min(columns, WIDEST) - INDENT.length);
  return harmless(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .map((line) => (INDENT + line).trimEnd());
}

/** A line keeps its own indent; where it is broken, the blank that it is broken at goes. */
function wrapLine(line: string, width: number): string[] {
  const [first = "", ...rest] = wrapAnsi(line, width, { hard: true, trim: false, wordWrap: true }).split("\n");
  return [first, ...rest.map((part) => part.trimStart())];
}

function dayOf(at: number | string | undefined): string | undefined {
  if (at === undefined) return undefined;
  const date = new Date(typeof at === "number" ? at * 1000 : at);
  // As it was given: a backend of another release may write times in another way.
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().slice(0, 10);
}

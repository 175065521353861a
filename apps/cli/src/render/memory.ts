import { ChestError } from "@chest/contracts";
import wrapAnsi from "wrap-ansi";
import type { Output } from "../terminal/output.ts";
import { harmless, onOneLine } from "../terminal/strip-control-characters.ts";

/** A memory as tools and resources return it; each omits some fields. */
export interface ShownMemory {
  readonly id: number;
  readonly title?: string;
  readonly layer?: string;
  readonly category?: string;
  readonly content?: string;
  readonly content_truncated?: boolean;
  readonly entity?: string | { readonly name: string };
  /** Relevance for the query: strong, fair or weak. */
  readonly match?: string;
  readonly pinned?: boolean;
  readonly tags?: readonly string[];
  readonly created_at?: number | string;
  readonly match_reasons?: readonly string[];
  readonly contradicted_by?: readonly number[];
  /** Source files that have changed. */
  readonly stale?: readonly string[];
}

export const noMemory = (id: string): ChestError =>
  new ChestError("NOT_FOUND", `memory ${id} not found`, {
    hint: "`chest-index list` lists what is known, `chest-index recall WORDS` finds memories by words",
  });

const INDENT = "    ";
const WIDEST = 100;

/** Renders a memory: a line about it, and its text wrapped to the terminal's width. */
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

/** Renders a memory with the command that shows the rest of a shortened text. */
export function showMemory(output: Output, memory: ShownMemory): void {
  for (const line of memoryLines(memory)) output.show(line);
  if (memory.content_truncated) output.say(`${INDENT}… \`chest-index show ${memory.id}\` has the rest`);
  output.show("");
}

/** Wraps by columns, since a Chinese, Japanese or Korean character takes two. */
export function wrapped(text: string, columns: number): string[] {
  const width = Math.max(20, Math.min(columns, WIDEST) - INDENT.length);
  return harmless(text)
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .map((line) => (INDENT + line).trimEnd());
}

/** A line keeps its indentation; the blank at which it is broken is dropped. */
function wrapLine(line: string, width: number): string[] {
  const [first = "", ...rest] = wrapAnsi(line, width, { hard: true, trim: false, wordWrap: true }).split("\n");
  return [first, ...rest.map((part) => part.trimStart())];
}

function dayOf(at: number | string | undefined): string | undefined {
  if (at === undefined) return undefined;
  const date = new Date(typeof at === "number" ? at * 1000 : at);
  // An unreadable time is shown as received, since a backend of another release may format times differently.
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().slice(0, 10);
}

import { createHash } from "node:crypto";
import { z } from "zod";
import type { Part } from "../ports/files/outline.ts";
import { redact } from "../redaction/redact.ts";
import { parsedJson } from "../text/json.ts";

/** A run of whole lines of a file. Lines count from 1, both included. */
export interface Chunk {
  /** `kind:name`, with `#2`, `#3` for repeats: unique in its file. */
  readonly id: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Hash of its exact text. */
  readonly hash: string;
}

interface Span {
  readonly kind: string;
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

const MAX_CHUNKS = 5_000;
const MAX_NAME = 60;
const LONG = 200;
/** Neighbours that are small share a chunk: each chunk costs its reader some twenty tokens. */
const SMALL = 5;
const SHARED = 20;

/**
 * Cuts a file into chunks that cover every line exactly once.
 * @param parts where a grammar knows boundaries; without them, the text's own words decide.
 */
export function chunksOf(lines: readonly string[], parts: readonly Part[] | undefined): Chunk[] {
  const spans = shared(covering(parts ?? [], lines.length)).flatMap((span) => shortened(span, lines));
  return withNames(spans.length > MAX_CHUNKS ? windows(whole(lines.length), lines) : spans, lines);
}

const whole = (end: number): Span => ({ kind: "lines", name: undefined, start: 0, end });

/** Blank lines and comments between parts are added to the part below them; the last ones to the part above. */
function covering(parts: readonly Part[], length: number): Span[] {
  const spans: Span[] = [];
  let covered = 0;
  for (const { kind, name, start, end } of [...parts].sort((one, other) => one.start - other.start)) {
    const until = Math.min(end, length);
    if (until <= covered || start < 0) continue;
    spans.push({ kind, name, start: covered, end: until });
    covered = until;
  }
  if (covered === length) return spans;
  const last = spans.at(-1);
  if (!last || length - covered > SHARED) return [...spans, { ...whole(length), start: covered }];
  return [...spans.slice(0, -1), { ...last, end: length }];
}

function shared(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && isShareable(last, span)) merged.splice(-1, 1, { ...last, kind: kindOf(last, span), end: span.end });
    else merged.push(span);
  }
  return merged;
}

const SHAREABLE = new Set(["block", "const", "type"]);

function isShareable(last: Span, next: Span): boolean {
  if (next.end - last.start > SHARED || !SHAREABLE.has(last.kind) || !SHAREABLE.has(next.kind)) return false;
  const areSmall = next.end - next.start <= SMALL && (last.end - last.start <= SMALL || last.kind === "block");
  return areSmall || (last.kind === "block" && next.kind === "block");
}

const kindOf = (one: Span, other: Span): string => (one.kind === other.kind ? one.kind : "block");

const shortened = (span: Span, lines: readonly string[]): Span[] =>
  span.end - span.start > LONG || span.kind === "lines" ? windows(span, lines) : [span];

function windows({ start, end, ...rest }: Span, lines: readonly string[]): Span[] {
  const ends = windowEnds(lines.slice(start, end)).map((at) => at + start);
  return ends.map((at, index) => ({ ...rest, start: ends[index - 1] ?? start, end: at }));
}

function withNames(spans: readonly Span[], lines: readonly string[]): Chunk[] {
  const taken = new Map<string, number>();
  const ids = new Set<string>();
  return spans.map(({ kind, name, start, end }) => {
    const plain = name ? `${kind}:${shortName(name)}` : kind;
    let id = plain;
    // A name may itself end in `#2`.
    for (let at = (taken.get(plain) ?? 0) + 1; ; at++) {
      id = at === 1 ? plain : `${plain}#${at}`;
      taken.set(plain, at);
      if (!ids.has(id)) break;
    }
    ids.add(id);
    return { id, kind, startLine: start + 1, endLine: end, hash: hashOf(lines.slice(start, end)) };
  });
}

/** Ids are kept where the snapshot is: a name is no place for a secret. */
const shortName = (name: string): string => [...redact(name.replace(/\s+/g, " ").trim())].slice(0, MAX_NAME).join("");

const hashOf = (lines: readonly string[]): string =>
  createHash("sha256").update(lines.join("")).digest("hex").slice(0, 16);

const line = z.int().positive();
const stored = z.array(
  z.object({ id: z.string(), kind: z.string(), start_line: line, end_line: line, hash: z.string() }),
);

export const writeChunks = (chunks: readonly Chunk[]): string =>
  JSON.stringify(
    chunks.map(({ startLine, endLine, ...rest }) => ({ ...rest, start_line: startLine, end_line: endLine })),
  );

/** Parses stored chunks; undefined for a form that `writeChunks` did not write: the file is then treated as unknown. */
export function readChunks(text: string): Chunk[] | undefined {
  const { data } = stored.safeParse(parsedJson(text));
  const isWhole = data?.every(
    ({ start_line, end_line }, at) => start_line === (data[at - 1]?.end_line ?? 0) + 1 && end_line >= start_line,
  );
  if (!isWhole) return undefined;
  return data?.map(({ start_line: startLine, end_line: endLine, ...rest }) => ({ ...rest, startLine, endLine }));
}

const SHORTEST = 20;
const LONGEST = 200;
const MEAN = 80;
/** A file of any length ends in a number of chunks that a snapshot can hold. */
const MOST_WINDOWS = 4_000;
const LINES_LOOKED_AT = 4;

/**
 * Cuts lines where their own words say so, so that an insertion moves no boundary far below it.
 * @returns for each window the line after it; the last is `lines.length`.
 */
function windowEnds(lines: readonly string[]): number[] {
  const scale = Math.max(1, Math.ceil(lines.length / (MOST_WINDOWS * SHORTEST)));
  const [shortest, longest, odds] = [SHORTEST * scale, LONGEST * scale, (MEAN - SHORTEST) * scale];
  const hashes = lines.map(lineHash);
  const ends: number[] = [];
  let start = 0;
  for (let next = 1; next <= lines.length; next++) {
    const length = next - start;
    const isEnd =
      next === lines.length || length >= longest || (length >= shortest && mixed(hashes, next) % odds === 0);
    if (!isEnd) continue;
    ends.push(next);
    start = next;
  }
  return ends;
}

/** FNV-1a. */
function lineHash(line: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Hash of the lines before a place: braces and blank lines alone are alike everywhere. */
function mixed(hashes: readonly number[], next: number): number {
  let hash = 0;
  for (const line of hashes.slice(Math.max(0, next - LINES_LOOKED_AT), next)) {
    hash = Math.imul(hash ^ line, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** A text's lines, each with its end: joined, they are the text again. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const at = text.indexOf("\n", start);
    const end = at === -1 ? text.length : at + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

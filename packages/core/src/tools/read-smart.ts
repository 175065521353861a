import { createHash } from "node:crypto";
import { z } from "zod";
import { cited, counted, indented, noticedBlock } from "../answers/answer-text.ts";
import { framed, NOTICE } from "../answers/sanitize-for-prompt.ts";
import { changesBetween, type UnchangedRange } from "../files/changes.ts";
import { type Chunk, chunksOf, linesOf, readChunks, writeChunks } from "../files/chunk.ts";
import type { FileFact } from "../files/file-facts.ts";
import { readText as textOf } from "../files/text-file.ts";
import type { FileSnapshot } from "../ports/snapshots.ts";
import { wellFormed } from "../text/characters.ts";
import { estimateTokens } from "../text/tokens.ts";
import { defineFileTool } from "../tool.ts";

const input = z.object({
  path: z.string().min(1).max(4096).transform(wellFormed).describe("Absolute, or from the working directory"),
  force: z.boolean().default(false).describe("The whole file again"),
});

const span = { id: z.string(), start_line: z.int(), end_line: z.int() };

const output = z.looseObject({
  _notice: z.string().optional(),
  ok: z.literal(true),
  path: z.string(),
  status: z.enum(["first_read", "forced_full", "unchanged", "unchanged_content", "modified"]),
  content: z.string().optional(),
  chunks: z.array(z.looseObject(span)).optional(),
  changed_chunks: z
    .array(
      z.looseObject({
        ...span,
        status: z.string(),
        prev_lines: z.string().optional(),
        content: z.string().optional(),
      }),
    )
    .optional(),
  unchanged_chunks: z.array(z.looseObject({ lines: z.string(), prev_lines: z.string() })).optional(),
  removed_chunks: z.array(z.looseObject({ id: z.string(), prev_lines: z.string() })).optional(),
  full: z.literal(true).optional(),
  summary: z.looseObject({ tokens_saved: z.int() }).optional(),
  tokens_saved: z.int().optional(),
  file_facts: z
    .array(z.looseObject({ id: z.int(), layer: z.string(), preview: z.string() }))
    .optional()
    .describe("What is remembered about it"),
  cache: z.literal("unavailable").optional(),
  note: z.string().optional(),
});

/** State of the file in this call. */
interface FoundFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly chunks: readonly Chunk[];
}

export const readSmart = defineFileTool({
  name: "chest_read_smart",
  title: "chest: read smart",
  description:
    "Read a text file; a file this conversation already read costs only what changed since. Use to re-read files you edit or that others may have changed. `unchanged`: what you were given still stands. Not for images or binaries. If an earlier answer is no longer in view, pass `force`.",
  input,
  output,
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },

  text: readText,

  async run({ path: asked, force }, { workspace, outline, readings, signal }) {
    const { path, bytes, mtimeNs } = await workspace.read(asked, signal);
    const text = textOf(bytes, path);
    const contentHash = createHash("sha256").update(bytes).digest("hex");
    const { isKnown, snapshot, facts } = await readings.last(path);
    const before = snapshot && readChunks(snapshot.chunks);
    if (!force && snapshot && before && snapshot.contentHash === contentHash) {
      await readings.keepSeen(path, mtimeNs);
      return unchanged({ path, text, snapshot, chunks: before, mtimeNs, facts });
    }
    const lines = linesOf(text);
    const chunks = chunksOf(lines, await outline.partsOf(path, text));
    const isKept = await readings.keep(path, {
      contentHash,
      mtimeNs,
      sizeBytes: bytes.byteLength,
      chunks: writeChunks(chunks),
    });
    const isUnavailable = !isKnown || !isKept || (snapshot !== undefined && !before);
    const cache = isUnavailable ? ({ cache: "unavailable" } as const) : {};
    const found = { path, text, lines, chunks };
    const status = force ? "forced_full" : "first_read";
    const answer = force || !before ? whole(found, status, bytes.byteLength) : modified(found, before);
    return withFacts({ ...answer, ...cache }, facts);
  },
});

const whole = ({ path, text, chunks }: FoundFile, status: "first_read" | "forced_full", bytes: number) => ({
  ok: true as const,
  path,
  status,
  content: text,
  chunks: chunks.map(outlined),
  bytes,
  tokens_approx: estimateTokens(text),
  tokens_saved: 0,
});

interface Unchanged extends Omit<FoundFile, "lines"> {
  readonly snapshot: FileSnapshot;
  readonly mtimeNs: string;
  readonly facts: readonly FileFact[];
}

function unchanged({ path, text, snapshot, chunks, mtimeNs, facts }: Unchanged) {
  const since = snapshot.lastReadAt.toISOString();
  if (snapshot.mtimeNs !== mtimeNs) {
    const note = `written again with the same content: what you were given at ${since} still stands`;
    const again = { ok: true as const, path, status: "unchanged_content" as const, note, tokens_saved: 0 };
    return saving(text, withFacts(again, facts));
  }
  const answer = {
    ok: true as const,
    path,
    status: "unchanged" as const,
    last_read_at: since,
    chunk_count: chunks.length,
    chunks: chunks.map(outlined),
    tokens_saved: 0,
    note: "what you were given still stands; if it is no longer in view, call again with `force`",
  };
  return saving(text, withFacts(answer, facts));
}

/** Adds the memories about the file; the notice comes first. */
const withFacts = <A extends object>(answer: A, facts: readonly FileFact[]) => ({
  ...(facts.length > 0 ? { _notice: NOTICE } : {}),
  ...answer,
  file_facts: [...facts],
});

// Leaves out kind and hash: the id begins with the kind, and hashes are useless to an agent. Either would cost a tenth
// of the file's tokens.
const outlined = ({ id, startLine, endLine }: Chunk) => ({ id, start_line: startLine, end_line: endLine });

/** Tokens saved, minus those of the answer itself. */
function saving<A extends { readonly tokens_saved: number }>(text: string, answer: A): A {
  return { ...answer, tokens_saved: Math.max(0, estimateTokens(text) - costOf(answer)) };
}

function modified({ path, text, lines, chunks }: FoundFile, before: readonly Chunk[]) {
  const { changed, kept, removed, keptChunks } = changesBetween(before, chunks);
  const tokensFull = estimateTokens(text);
  const answer = {
    ok: true as const,
    path,
    status: "modified" as const,
    changed_chunks: changed.map(({ chunk: { id, kind, startLine, endLine }, before: old }) => ({
      id,
      kind,
      status: old ? "modified" : "added",
      start_line: startLine,
      end_line: endLine,
      ...(old ? { prev_lines: linesAs(old) } : {}),
      content: lines.slice(startLine - 1, endLine).join(""),
    })),
    unchanged_chunks: kept.map(keptAs),
    removed_chunks: removed.map((chunk) => ({ id: chunk.id, kind: chunk.kind, prev_lines: linesAs(chunk) })),
    summary: {
      changed: changed.length,
      unchanged: keptChunks,
      removed: removed.length,
      tokens_full: tokensFull,
      tokens_returned: tokensFull,
      tokens_saved: tokensFull,
      pct_saved: 100,
    },
  };
  const tokens = costOf(answer);
  if (tokens < tokensFull) return { ...answer, summary: { ...answer.summary, ...sums(tokensFull, tokens) } };
  // Most of the file has changed, so the whole file is shorter.
  const full = {
    ...answer,
    changed_chunks: answer.changed_chunks.map(({ content: _, ...chunk }) => chunk),
    full: true as const,
    content: text,
  };
  return { ...full, summary: { ...full.summary, ...sums(tokensFull, costOf(full)) } };
}

const costOf = (answer: object): number => estimateTokens(JSON.stringify(answer));

function sums(full: number, returned: number) {
  const saved = Math.max(0, full - returned);
  return { tokens_returned: returned, tokens_saved: saved, pct_saved: Math.round((100 * saved) / Math.max(1, full)) };
}

const linesAs = ({ startLine, endLine }: Pick<Chunk, "startLine" | "endLine">): string => `${startLine}-${endLine}`;

const keptAs = ({ startLine, endLine, oldStartLine, oldEndLine }: UnchangedRange) => ({
  lines: linesAs({ startLine, endLine }),
  prev_lines: linesAs({ startLine: oldStartLine, endLine: oldEndLine }),
});

type Read = z.output<typeof output>;

/** Renders an answer for the agent; the text of the file comes unchanged at the end. */
function readText({ path, status, content, file_facts: facts = [], cache, note, ...answer }: Read): string {
  const { tokens_saved: saved = answer.summary?.tokens_saved ?? 0 } = answer;
  return [
    `${framed(path)}: ${status}${saved > 0 ? `, ${counted(saved, "token")} saved` : ""}`,
    ...noticedBlock(
      facts.flatMap(({ id, layer, preview }) => [`${cited([id])} ${framed(layer)}`, ...indented(preview)]),
    ),
    ...(note === undefined ? [] : [note]),
    ...(cache === undefined
      ? []
      : ["what you were given before is not known: the store that would know does not answer"]),
    ...(status === "modified" ? changeLines(answer) : []),
    ...(content === undefined ? [] : ["", content]),
  ].join("\n");
}

function changeLines({
  full: isWhole,
  changed_chunks: changed = [],
  unchanged_chunks: kept = [],
  removed_chunks: removed = [],
}: Pick<Read, "full" | "changed_chunks" | "unchanged_chunks" | "removed_chunks">): string[] {
  if (isWhole) return ["most of it has changed, so it comes whole"];
  return [
    ...kept.map(({ lines, prev_lines: old }) => `lines ${lines} are unchanged${old === lines ? "" : `, were ${old}`}`),
    ...removed.map(({ id, prev_lines: old }) => `removed: ${id}, was ${old}`),
    ...changed.flatMap(({ id, status, start_line: from, end_line: to, prev_lines: old, content }) => [
      `lines ${from}-${to} are ${status}: ${id}${old === undefined ? "" : `, was ${old}`}`,
      ...(content === undefined ? [] : [content.replace(/\n$/, "")]),
    ]),
  ];
}

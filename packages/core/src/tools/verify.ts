import { z } from "zod";
import { noSuchMemory } from "../access/refusals.ts";
import { cited, counted, otherKeys, warningLines } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import {
  MAX_SOURCE_CHARS,
  SOURCE_STATUSES,
  type SourcePlace,
  type SourceStatus,
  sourceText,
} from "../memory/source.ts";
import type { SourceCheck, SourceOfMemory } from "../ports/sources.ts";
import type { Writes } from "../ports/store.ts";
import { defineTool, invalid } from "../tool.ts";
import * as field from "./fields.ts";
import { commit, hash, SOURCES_FEATURE } from "./sources.ts";

/** Most sources of one check. */
const MOST_CHECKED = 1000;

const input = z.object({
  ids: z.array(field.id()).min(1).max(200).optional(),
  path: z.string().min(1).max(4096).optional().describe("A file or a folder"),
  all: z.boolean().default(false).describe("All of the project, the longest unchecked first"),
  accept: z.boolean().default(false).describe("They still hold: note the files as they are"),
  found: z
    .array(
      z.strictObject({
        memory_id: field.id(),
        path: z.string().min(1).max(MAX_SOURCE_CHARS),
        hash: hash().nullable().describe("Null: the file is gone"),
        git_commit: commit().optional(),
      }),
    )
    .max(MOST_CHECKED)
    .optional()
    .meta({ ...field.FROM_CLIENTS, feature: SOURCES_FEATURE, description: "Files as a client has found them" }),
  accept_found: z
    .array(field.id())
    .min(1)
    .max(200)
    .optional()
    .meta({ ...field.FROM_CLIENTS, feature: SOURCES_FEATURE, description: "They still hold as a check found them" }),
});

const result = z.looseObject({
  memory_id: z.int(),
  path: z.string(),
  line: z.int().optional(),
  end_line: z.int().optional(),
  status: z.enum(SOURCE_STATUSES),
  message: z.string().optional(),
});

const output = z.looseObject({
  ok: z.literal(true),
  checked: z.int().optional(),
  total: z.int().optional().describe("Sources that were meant, at most 1,000 of which are checked at once"),
  counts: z.object({ ok: z.int(), stale: z.int(), missing: z.int(), unknown: z.int() }).optional(),
  results: z.array(result).optional(),
  accepted: z.int().optional(),
  to_check: z
    .array(z.looseObject({ memory_id: z.int(), path: z.string(), hash: z.string().nullable() }))
    .optional()
    .describe("For clients: what to read"),
  warnings: field.warnings,
  ...field.queued,
});

type FoundFile = NonNullable<z.output<typeof input>["found"]>[number];
export type VerifyResult = z.output<typeof result>;

export const verify = defineTool(
  {
    name: "chest_verify",
    title: "chest: verify",
    description:
      "Check whether the files that memories come from have changed since they were noted. Use when a recall marks one as stale, after a refactoring, before you rely on an old claim about code. `accept`: it still holds, so note the file as it is now. Where it does not hold, update the memory instead.",
    input,
    output,
    effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    readsOnly: ({ found, accept_found: ids }) => found === undefined && ids === undefined,

    async run({ ids, path, all, accept, found, accept_found: held }, { store }, caller) {
      if (held) return { ok: true as const, accepted: await store.write((tx) => acceptFound(tx, held)) };
      if (found) {
        const noted = await store.write((tx) => note(tx, found, accept));
        const results = noted.looked.map(({ at, status, line, end_line }): VerifyResult => {
          const { memory_id = 0, path = "" } = found[at] ?? {};
          return { memory_id, path, ...linesOf({ line, endLine: end_line }), ...said(status) };
        });
        return { ok: true as const, ...summed(results), accepted: noted.accepted };
      }
      const asked = [ids !== undefined, path !== undefined, all].filter(Boolean).length;
      if (asked !== 1) {
        throw invalid([
          { path: "ids", message: "is one of three ways to say which: give `ids`, a `path`, or `all: true`" },
        ]);
      }
      for (const id of ids ?? []) if (!(await store.memories.byId(id))) throw noSuchMemory(id);
      const meant = ids ? { ids } : { path: path ?? "", isHere: true as const };
      const listed = await store.sources.find({ reach: "everywhere", ...meant, limit: MOST_CHECKED });
      const results = listed.sources.map(
        (source): VerifyResult => ({
          memory_id: source.memoryId,
          path: source.path,
          ...linesOf(source),
          status: "unknown",
          message: source.isHere ? NO_FILES : elsewhere(caller.project),
        }),
      );
      return {
        ok: true as const,
        ...summed(results),
        checked: 0,
        total: listed.total,
        to_check: listed.sources.filter(({ isHere }) => isHere).map(toCheck),
      };
    },

    text({
      ok,
      checked = 0,
      counts,
      total,
      results = [],
      accepted = 0,
      to_check,
      warnings,
      queued,
      queue_id,
      note,
      ...others
    }) {
      const left = total !== undefined && total > results.length ? ` of ${total}` : "";
      const isNothing = checked + results.length + accepted + (to_check?.length ?? 0) === 0;
      const sums = counts ? Object.entries(counts).filter(([, count]) => count > 0) : [];
      return [
        queued
          ? field.queuedText({ queue_id, note })
          : isNothing
            ? "there is nothing to check: no memory that is meant comes from a file"
            : `checked ${counted(checked, "source")}${left}${sums.map(([status, count]) => `, ${count} ${status}`).join("")}`,
        ...results
          .filter(({ status }) => status !== "ok")
          .map(
            ({ memory_id, path, line, end_line: endLine, status, message }) =>
              `${status}: ${cited([memory_id])} ${framed(sourceText({ path, line, endLine }))}${message ? `: ${message}` : ""}`,
          ),
        ...(accepted > 0 ? [`noted as they are now: ${accepted}`] : []),
        ...warningLines(warnings),
        ...otherKeys(others),
      ].join("\n");
    },
  },
  "client",
);

const NO_FILES = "no file was read here: the stdio client `chest-memory` and `chest-index verify` read them";
const elsewhere = (project: string | undefined) =>
  `it comes from another project than ${project === undefined ? "this place, which is none" : "the current one"}: check it there`;

const toCheck = ({ memoryId, path, hash }: SourceOfMemory) => ({ memory_id: memoryId, path, hash: hash ?? null });

interface Judged {
  readonly status: SourceStatus;
  readonly isAnchored: boolean;
}

function judged({ hash }: FoundFile, noted: string | undefined, accept: boolean): Judged {
  if (hash === null) return { status: "missing", isAnchored: false };
  if (hash === noted) return { status: "ok", isAnchored: false };
  if (accept) return { status: "ok", isAnchored: true };
  return { status: noted === undefined ? "unknown" : "stale", isAnchored: false };
}

const MESSAGES: Readonly<Partial<Record<SourceStatus, string>>> = {
  stale: "changed since it was noted: read it, then update the memory, or `accept`",
  missing: "gone: name its new place in `source`, or archive the memory",
  unknown: "has no hash yet: `accept` notes the file as it is",
};

const said = (status: SourceStatus) => ({ status, ...(MESSAGES[status] ? { message: MESSAGES[status] } : {}) });

const linesOf = ({ line, endLine }: Omit<SourcePlace, "path">) => ({
  ...(line === undefined ? {} : { line }),
  ...(endLine === undefined ? {} : { end_line: endLine }),
});

/**
 * Compares the files that a client read with the recorded sources, and records the result. A source that was removed
 * meanwhile is skipped.
 */
async function note(tx: Writes, found: readonly FoundFile[], accept: boolean) {
  const looked: { at: number; status: SourceStatus; line?: number; end_line?: number }[] = [];
  let accepted = 0;
  const places = Map.groupBy(found.keys(), (at) => found[at]?.memory_id ?? 0);
  for (const [id, all] of places) {
    const memory = await tx.memories.byId(id);
    if (!memory) throw noSuchMemory(id);
    const known = new Map((await tx.sources.of(memory)).map((source) => [source.path, source]));
    const checks: SourceCheck[] = [];
    for (const at of all) {
      const file = found[at];
      const source = file && known.get(file.path);
      if (!file || !source) continue;
      const { status, isAnchored } = judged(file, source.hash, accept);
      const anchor = { hash: file.hash ?? undefined, gitCommit: file.git_commit };
      const foundHash = status === "stale" ? anchor.hash : undefined;
      checks.push({ path: file.path, status, anchor: isAnchored ? anchor : undefined, foundHash });
      looked.push({ at, status, ...linesOf(source) });
      accepted += Number(isAnchored);
    }
    if (checks.length > 0) await tx.sources.check(memory, checks);
  }
  return { looked, accepted };
}

/**
 * Records the hashes that the last check found, because a user confirmed that the memories still hold. A missing
 * source, or one without a result, is unchanged.
 * @returns how many were updated
 */
async function acceptFound(tx: Writes, ids: readonly number[]): Promise<number> {
  let accepted = 0;
  for (const id of new Set(ids)) {
    const memory = await tx.memories.byId(id);
    if (!memory) throw noSuchMemory(id);
    const checks = (await tx.sources.of(memory)).flatMap(({ path, status, foundHash }): SourceCheck[] =>
      status === "stale" && foundHash !== undefined
        ? [{ path, status: "ok", anchor: { hash: foundHash, gitCommit: undefined } }]
        : [],
    );
    if (checks.length > 0) await tx.sources.check(memory, checks);
    accepted += checks.length;
  }
  return accepted;
}

/** Totals of the results, for an answer. */
export function summed(results: readonly VerifyResult[]) {
  const counts = { ok: 0, stale: 0, missing: 0, unknown: 0 };
  for (const { status } of results) counts[status]++;
  return { checked: results.length, counts, results: [...results] };
}

import { type MemoryListRow, rowLine, rowsOf } from "../answers/row.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { sourceText } from "../memory/source.ts";
import type { MemorySource } from "../ports/sources.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { defineView, inPart, liveIn } from "./view.ts";

/** A source as answers show it. */
export const sourceOf = ({
  path,
  line,
  endLine,
  hash,
  gitCommit,
  status,
  checkedAt,
  checkedBy,
  foundHash,
}: MemorySource) => ({
  path,
  ...(line === undefined ? {} : { line }),
  ...(endLine === undefined ? {} : { end_line: endLine }),
  status,
  hash: hash ?? null,
  ...(gitCommit === undefined ? {} : { git_commit: gitCommit }),
  ...(checkedAt === undefined ? {} : { checked_at: seconds(checkedAt) }),
  ...(checkedBy === undefined ? {} : { checked_by: checkedBy }),
  ...(foundHash === undefined ? {} : { found_hash: foundHash }),
});

type StaleRow = MemoryListRow & { readonly sources: readonly ReturnType<typeof sourceOf>[] };

const HOUR_MS = 3_600_000;
/** The most sources that a page of memories can have. */
const MOST_SOURCES = 4000;

/**
 * Memories whose source had changed or was missing at its last check by any caller; with a time, also those not checked
 * since.
 */
export const stale = defineView({
  needs: [],
  limit: 20,
  line: ({ sources, ...row }: StaleRow) =>
    [
      rowLine(row),
      ...sources.map(
        ({ path, line, end_line: endLine, status }) => `  ${status}: ${framed(sourceText({ path, line, endLine }))}`,
      ),
    ].join("\n"),
  async read({ reach, part, limit, offset, thresholdHours }, { store, clock }) {
    const uncheckedSince =
      thresholdHours === undefined ? undefined : new Date(clock.now().getTime() - thresholdHours * HOUR_MS);
    const where = liveIn(reach, {
      ...{ isStale: true, uncheckedSince, withoutRules: JOURNAL_RULES },
      ...inPart("stale", part),
    });
    const { total, memories } = await store.memories.browse({ order: "newest", where, limit, offset });
    const ids = memories.map(({ id }) => id);
    const { sources } = await store.sources.find({ reach: "everywhere", ids, limit: MOST_SOURCES });
    const byMemory = Map.groupBy(sources, ({ memoryId }) => memoryId);
    const rows = await rowsOf(memories, store);
    return { total, items: rows.map((row) => ({ ...row, sources: (byMemory.get(row.id) ?? []).map(sourceOf) })) };
  },
});

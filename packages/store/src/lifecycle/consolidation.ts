import { SUMMARY_LAYER } from "@chest/core/lifecycle";
import { isProtected, type Memory, stateOf } from "@chest/core/memory";
import type { ConsolidationOptions, ConsolidationPlan, PassName, Plan } from "@chest/core/ports";
import type { CaptureRule } from "@chest/core/transcript";
import { toSeconds } from "../database/rows.ts";
import { link } from "../memories/versions.ts";
import { noteChange, opOf } from "./archiving.ts";
import type { Clusters, Merging } from "./clusters.ts";
import type { Where } from "./sweep-conditions.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

export async function consolidationPlan(
  sweeper: Sweeper,
  where: Where,
  options: ConsolidationOptions,
): Promise<ConsolidationPlan> {
  const asked = { ...where, memberId: sweeper.caller.member.id, options };
  const found = await sweeper.ask("consolidation", asked);
  return {
    ...mergingPlan(sweeper, "consolidation", found),
    clusters: found.mergings.map(({ entity, layer, members }) => ({
      entity: entity.name,
      layer,
      count: members.length,
    })),
  };
}

/** Plans to archive memories and replace them by summaries. */
export function mergingPlan(sweeper: Sweeper, pass: PassName, { scanned, mergings, hasMore }: Clusters): Plan {
  const archives = mergings.flatMap(({ members }) => members.map(({ id }) => id));
  return {
    scanned,
    due: archives.length,
    archives,
    hasMore,
    ...(hasMore ? { note: "more wait for the next run" } : {}),
    async apply({ signal, runId }) {
      const op = opOf(pass, runId);
      const outcomes = await inSlices(sweeper, mergings, { op, signal }, async (slice, merging) => {
        const members = await stillCold(slice, merging);
        if (!members) return undefined;
        const created = await merge(slice, merging, members);
        for (const { id } of members) noteChange(slice, pass, runId, id);
        return { created, archived: members.map(({ id }) => id) };
      });
      const merged = outcomes.filter((outcome) => outcome !== undefined);
      const archived = merged.flatMap((outcome) => outcome.archived);
      return { changed: archived.length, archived, created: merged.map(({ created }) => created) };
    },
  };
}

/** The present members of a summary; undefined if one was changed or is gone. */
async function stillCold({ memories }: Slice, { members }: Merging): Promise<readonly Memory[] | undefined> {
  const rows = await memories.byIds(members.map(({ id }) => id));
  const isUntouched = rows.every((row, at) => {
    const { id, hash, usedAtS } = members[at] ?? {};
    const isLoose = stateOf(row) === "live" && !isProtected(row);
    const isSame =
      row.id === id && row.contentHash === hash && toSeconds(row.lastAccessedAt ?? row.createdAt) === usedAtS;
    return isLoose && isSame;
  });
  return isUntouched && rows.length === members.length ? rows : undefined;
}

async function merge(slice: Slice, merging: Merging, members: readonly Memory[]): Promise<number> {
  const { entity, text, tags, importance, visibility, projectKey, layer, authorId, title, createdAt } = merging;
  // A summary of private memories belongs to their owner, others to the consolidating caller.
  const author = visibility === "private" ? slice.as({ id: authorId, name: "" }) : slice;
  const summary = await author.memories.add({
    entity: { ...entity, canonicalKey: undefined, momentum: 0 },
    layer: SUMMARY_LAYER,
    text,
    tags,
    importance,
    visibility,
    projectKey,
    expiresAt: undefined,
    hasOwnExpiry: false,
    metadata: { sourceType: "consolidation", title },
  });
  slice.tx.touch(summary.id);
  const { connection, nowS } = slice.tx;
  if (merging.rule !== undefined) putIntoJournal(slice.tx, summary.id, merging.rule);
  if (createdAt) connection.later("UPDATE memories SET created_at = ? WHERE id = ?", toSeconds(createdAt), summary.id);
  for (const member of members) {
    await slice.memories.archive(member, "cold");
    link(slice.tx, { from: summary.id, to: member.id, type: "summarises", origin: "auto" });
  }
  await slice.memories.takeFiles(summary, members);
  connection.later(
    "INSERT INTO consolidations (summary_id, replaced_ids, entity_id, original_layer, created_at) VALUES (?, ?, ?, ?, ?)",
    summary.id,
    members.map(({ id }) => id),
    entity.id,
    layer,
    nowS,
  );
  return summary.id;
}

/**
 * Turns a memory that was just added into a session note. Its id is its capture key, so no transcript captures it
 * again.
 */
function putIntoJournal({ connection }: Slice["tx"], id: number, rule: CaptureRule): void {
  connection.later(
    "UPDATE memories SET capture_key = ?, source = ?, embedding_status = 'none' WHERE id = ?",
    `${rule}:${id}`,
    rule,
    id,
  );
}

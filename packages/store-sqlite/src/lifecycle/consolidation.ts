import {
  type ConsolidationOptions,
  type ConsolidationPlan,
  isProtected,
  type Memory,
  type PassName,
  type Plan,
  SUMMARY_LAYER,
  stateOf,
} from "@chest/core";
import { toSeconds } from "../database/row-mapping.ts";
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
  const found = await sweeper.thread.ask("consolidation", asked);
  return {
    ...mergingPlan(sweeper, "consolidation", found),
    clusters: found.mergings.map(({ entity, layer, members }) => ({
      entity: entity.name,
      layer,
      count: members.length,
    })),
  };
}

/** Plans to put memories out of sight behind summaries of them. */
export function mergingPlan(sweeper: Sweeper, pass: PassName, { scanned, mergings, hasMore }: Clusters): Plan {
  const archives = mergings.flatMap(({ members }) => members.map(({ id }) => id));
  return {
    scanned,
    due: archives.length,
    archives,
    hasMore,
    ...(hasMore ? { note: "more wait for the next run" } : {}),
    async apply({ signal, runId }) {
      const archived: number[] = [];
      const created: number[] = [];
      const op = opOf(pass, runId);
      await inSlices(sweeper, mergings, { op, signal }, async (slice, merging) => {
        const members = await stillCold(slice, merging);
        if (!members) return;
        created.push(await merge(slice, merging, members));
        for (const { id } of members) noteChange(slice, pass, runId, id);
        archived.push(...members.map(({ id }) => id));
      });
      return { changed: archived.length, archived, created };
    },
  };
}

/** The members as they are now; undefined when one of them was touched since, or is no longer to be had. */
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
  // Private memories stay their owner's; the others belong to the caller that consolidates.
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
  const { sync: connection, nowS, caller } = slice.tx;
  if (createdAt) connection.run("UPDATE memories SET created_at = ? WHERE id = ?", toSeconds(createdAt), summary.id);
  const ids = members.map(({ id }) => id);
  for (const member of members) {
    await slice.memories.archive(member, "cold");
    connection.run(
      "INSERT OR IGNORE INTO memory_links (from_id, to_id, type, origin, author_id, created_at) VALUES (?, ?, 'summarises', 'auto', ?, ?)",
      summary.id,
      member.id,
      caller.member.id,
      nowS,
    );
    connection.run(
      "INSERT OR IGNORE INTO memory_files (memory_id, path, role) SELECT ?, path, role FROM memory_files WHERE memory_id = ?",
      summary.id,
      member.id,
    );
  }
  connection.run(
    "INSERT INTO consolidations (summary_id, replaced_ids, entity_id, original_layer, created_at) VALUES (?, ?, ?, ?, ?)",
    summary.id,
    JSON.stringify(ids),
    entity.id,
    layer,
    nowS,
  );
  return summary.id;
}

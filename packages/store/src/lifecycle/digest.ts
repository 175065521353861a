import {
  DIGEST_AFTER_DAYS,
  DIGEST_BELOW,
  DIGEST_IMPORTANCE,
  type Digestible,
  type DigestLimits,
  digestsOf,
} from "@chest/core/lifecycle";
import { derived, type Layer } from "@chest/core/memory";
import type { Plan } from "@chest/core/ports";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { listIn } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";
import { type Clusters, type Merging, placeOf } from "./clusters.ts";
import { mergingPlan } from "./consolidation.ts";
import { inPlace, NO_SUMMARY, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import type { Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;

interface Row {
  readonly id: number;
  readonly space: string;
  readonly project_id: number | null;
  readonly entity_id: number;
  readonly layer: Layer;
  readonly title: string | null;
  readonly content: string;
  readonly content_hash: string;
  readonly created_at: number;
  readonly tags: readonly string[] | string;
}

/**
 * Finds unimportant session notes that were never opened, to join into digests. Imported notes count from their import.
 */
export async function readDigests(connection: Reading, where: Where & DigestLimits): Promise<Clusters> {
  const d = connection.dialect;
  const { sql, values } = inPlace(d, where);
  const before = where.nowS - DIGEST_AFTER_DAYS * DAY_S;
  const rows = await connection.all<Row>(
    `SELECT m.id, m.space, m.project_id, m.entity_id, m.layer, m.title, m.content, m.content_hash, m.created_at,
       ${d.listOf("tag", "memory_tags g WHERE g.memory_id = m.id")} AS tags
     FROM memories m WHERE m.archived_at IS NULL AND ${isOfJournal("m")} AND m.importance <= ${DIGEST_BELOW}
       AND m.last_accessed_at IS NULL AND m.created_at <= ? AND coalesce(m.known_at, 0) <= ?
       AND ${UNPROTECTED} AND ${NO_SUMMARY} AND ${sql}`,
    before,
    before,
    ...values,
  );
  const without = new Set(where.without);
  const notes = rows.flatMap((row) => (without.has(row.id) ? [] : [{ ...row, ...noteOf(row) }]));
  const { digests, hasMore } = digestsOf(notes, toDate(where.nowS), where);
  const mergings: Merging[] = [];
  for (const { members, content, ...digest } of digests) {
    const [first] = members;
    if (!first) continue;
    mergings.push({
      ...(await placeOf(connection, first)),
      ...digest,
      layer: first.layer,
      text: derived(content),
      importance: DIGEST_IMPORTANCE,
      rule: "digest",
      members: members.map((each) => ({ id: each.id, hash: each.content_hash, usedAtS: each.created_at })),
    });
  }
  return { scanned: rows.length, mergings, hasMore };
}

const noteOf = ({
  space,
  project_id,
  entity_id,
  title,
  created_at,
  tags,
}: Row): Omit<Digestible, "id" | "content"> => ({
  place: `${space} ${project_id} ${entity_id}`,
  title: title ?? undefined,
  createdAt: toDate(created_at),
  tags: [...listIn(tags)],
});

export async function digestPlan(sweeper: Sweeper, where: Where, limits: DigestLimits): Promise<Plan> {
  return mergingPlan(sweeper, "digest", await sweeper.ask("digest", { ...where, ...limits }));
}

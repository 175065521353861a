import {
  type CanonicalText,
  type Clusterable,
  type ConsolidationOptions,
  type ConsolidationPlan,
  clustersOf,
  derived,
  type EntityKind,
  isProtected,
  type Layer,
  type Memory,
  type PassName,
  type Plan,
  SUMMARY_LAYER,
  stateOf,
  summariesOf,
  tellsTextsApart,
  type Visibility,
  wordPrints,
} from "@chest/core";
import { toDate, toSeconds } from "@chest/store/database/rows";
import { link } from "@chest/store/memories/versions";
import type { Reading, Value } from "../database/connection.ts";
import { readIdentities } from "../embedding/identities.ts";
import { noteChange, opOf } from "./archiving.ts";
import { heatOf, USE_COLUMNS, type UseRow, useSince } from "./fading.ts";
import { activeId } from "./supersession.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

const DAY_S = 86_400;
const COLD_BELOW = 30;
const LAYERS_THAT_COOL = "'context', 'emotion', 'implementation'";

/** One summary to be made, and what it would stand for. */
export interface Merging {
  readonly members: readonly { readonly id: number; readonly hash: string; readonly usedAtS: number }[];
  readonly entity: { readonly id: number; readonly name: string; readonly kind: EntityKind };
  readonly layer: Layer;
  readonly visibility: Visibility;
  readonly authorId: number;
  readonly projectKey: string | undefined;
  readonly text: CanonicalText;
  readonly importance: number;
  readonly tags: readonly string[];
  readonly title?: string | undefined;
  /** When it counts as made; undefined for now. */
  readonly createdAt?: Date | undefined;
}

export interface Clusters {
  readonly scanned: number;
  readonly mergings: readonly Merging[];
  readonly hasMore: boolean;
}

interface Cold extends UseRow {
  readonly id: number;
  readonly space: string;
  readonly entity_id: number;
  readonly layer: Layer;
}

type Outlined = Cold & Clusterable;

/** Which cold memories belong together, and the summary of each group. */
async function readClusters(
  connection: Reading,
  where: Where,
  memberId: number,
  options: ConsolidationOptions,
): Promise<Clusters> {
  const cold = await readCold(connection, where, memberId, options);
  // A model that does not tell texts apart is not asked: words group.
  const identityId = tellsTextsApart((await readIdentities(connection)).active) ? await activeId(connection) : -1;
  const mergings: Merging[] = [];
  let replaced = 0;
  const groups = [...Map.groupBy(cold, ({ space, entity_id, layer }) => `${space}\n${entity_id}\n${layer}`).values()];
  for (const group of groups) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    for (const cluster of clustersOf(await outlined(connection, identityId, group))) {
      const bodies = await readBodies(connection, cluster);
      for (const { members, content, importance, tags } of summariesOf(bodies, options.maxChars)) {
        if (replaced > 0 && replaced + members.length > options.cap)
          return { scanned: cold.length, mergings, hasMore: true };
        replaced += members.length;
        const of = members.map(({ id, hash, usedAtS }) => ({ id, hash, usedAtS }));
        const place = await placeOf(connection, first);
        mergings.push({ ...place, members: of, layer: first.layer, text: derived(content), importance, tags });
      }
    }
  }
  return { scanned: cold.length, mergings, hasMore: false };
}

async function readCold(
  connection: Reading,
  where: Where,
  memberId: number,
  { minAgeDays, onlyCaptured, areVectorsComing, session }: ConsolidationOptions,
): Promise<readonly Cold[]> {
  const { sql, values } = inPlace(where);
  const { nowS } = where;
  const written =
    session === undefined
      ? []
      : await connection.ids(
          "SELECT DISTINCT entity_id FROM memories WHERE session_id = ? AND author_id = ?",
          session,
          memberId,
        );
  const before = nowS - minAgeDays * DAY_S;
  const conditions = [
    ...(onlyCaptured ? ["(m.capture_key IS NOT NULL OR m.source_type = 'import')"] : []),
    ...(areVectorsComing ? ["m.embedding_status <> 'pending'"] : []),
    ...(written.length === 0 ? [] : ["m.entity_id = ANY (?)"]),
  ];
  const more: Value[] = written.length === 0 ? [] : [written];
  const rows = await connection.all<Cold>(
    `SELECT m.id, m.space, m.entity_id, m.layer, ${USE_COLUMNS} FROM memories m
     WHERE m.archived_at IS NULL AND m.layer IN (${LAYERS_THAT_COOL}) AND ${UNPROTECTED}
       AND m.created_at <= ? AND coalesce(m.last_accessed_at, m.created_at) <= ? AND ${sql}
       ${conditions.map((condition) => `AND ${condition}`).join(" ")}
     ORDER BY m.space, m.entity_id, m.layer, m.created_at, m.id`,
    ...useSince(nowS),
    before,
    before,
    ...values,
    ...more,
  );
  const without = new Set(where.without);
  const now = toDate(nowS);
  return rows.filter((row) => !without.has(row.id) && heatOf(row, now) < COLD_BELOW);
}

interface OutlineRow {
  readonly id: number;
  readonly words: string | null;
  readonly vector: readonly number[] | null;
}

const BARE = { words: wordPrints(""), vector: undefined };

/** A group with what its members are compared by; the rest of a memory is read where it is merged. */
async function outlined(connection: Reading, identityId: number, group: readonly Cold[]): Promise<Outlined[]> {
  const found = await connection.all<OutlineRow>(
    `SELECT m.id, t.words, v.vector::real[] AS vector FROM memories m LEFT JOIN memory_text t ON t.memory_id = m.id
       LEFT JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
     WHERE m.id = ANY (?)`,
    identityId,
    group.map(({ id }) => id),
  );
  const outlines = new Map(
    found.map(({ id, words, vector }) => [
      id,
      { words: wordPrints(words ?? ""), vector: vector === null ? undefined : Float32Array.from(vector) },
    ]),
  );
  return group.map((row) => ({ ...row, ...(outlines.get(row.id) ?? BARE) }));
}

interface Body {
  readonly id: number;
  readonly content: string;
  readonly content_hash: string;
  readonly importance: number;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
  readonly tags: readonly string[];
}

/** In the order given. */
async function readBodies(connection: Reading, group: readonly Outlined[]) {
  const [{ layer } = { layer: SUMMARY_LAYER }] = group;
  const words = new Map(group.map((row) => [row.id, row.words]));
  const rows = await connection.all<Body>(
    `SELECT m.id, m.content, m.content_hash, m.importance, m.created_at, m.last_accessed_at,
       ARRAY(SELECT tag FROM memory_tags g WHERE g.memory_id = m.id ORDER BY tag) AS tags
     FROM unnest(?::bigint[]) WITH ORDINALITY AS l (id, nth) JOIN memories m ON m.id = l.id ORDER BY l.nth`,
    group.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    content: row.content,
    hash: row.content_hash,
    importance: row.importance,
    layer,
    createdAt: toDate(row.created_at),
    usedAtS: row.last_accessed_at ?? row.created_at,
    tags: [...row.tags],
    words: words.get(row.id) ?? BARE.words,
  }));
}

/** Place of a memory that a summary takes. */
export async function placeOf(connection: Reading, { id, entity_id }: Pick<Cold, "id" | "entity_id">) {
  const row = await connection.get<{
    entity: string;
    kind: EntityKind;
    visibility: Visibility;
    author_id: number;
    project_key: string | null;
  }>(
    `SELECT e.name AS entity, e.kind, m.visibility, m.author_id, p.key AS project_key
     FROM memories m JOIN entities e ON e.id = m.entity_id LEFT JOIN projects p ON p.id = m.project_id WHERE m.id = ?`,
    id,
  );
  if (!row) throw new Error(`memory ${id} vanished while it was read`);
  return {
    entity: { id: entity_id, name: row.entity, kind: row.kind },
    visibility: row.visibility,
    authorId: row.author_id,
    projectKey: row.project_key ?? undefined,
  };
}

export async function consolidationPlan(
  sweeper: Sweeper,
  where: Where,
  options: ConsolidationOptions,
): Promise<ConsolidationPlan> {
  const { id: memberId } = sweeper.caller.member;
  const found = await readClusters(sweeper.reader, where, memberId, options);
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
  const { connection, nowS } = slice.tx;
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

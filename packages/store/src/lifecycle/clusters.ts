import type { Visibility } from "@chest/core/access";
import { tellsTextsApart } from "@chest/core/embedding";
import { type Clusterable, clustersOf, summariesOf, wordPrints } from "@chest/core/lifecycle";
import { type CanonicalText, derived, type EntityKind, type Layer } from "@chest/core/memory";
import type { ConsolidationOptions } from "@chest/core/ports";
import type { CaptureRule } from "@chest/core/transcript";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";
import { findIdentity, readIdentities } from "../embedding/identities.ts";
import { vectorIn } from "../embedding/vectors.ts";
import { heatOf, USE_COLUMNS, type UseRow, useSince } from "./forgetting.ts";
import { inPlace, UNPROTECTED, type Where } from "./sweep-conditions.ts";

const DAY_S = 86_400;
const COLD_BELOW = 30;
const LAYERS_THAT_COOL = "'context', 'emotion', 'implementation'";

/** A summary to create, with its members. */
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
  /** Set for a session note. */
  readonly rule?: CaptureRule | undefined;
  /** Creation time; undefined for now. */
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

interface Body {
  readonly id: number;
  readonly content: string;
  readonly content_hash: string;
  readonly importance: number;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
  readonly tags: readonly string[] | string;
}

export interface ClusterQuery extends Where {
  /** Member of the session in the options. */
  readonly memberId: number;
  readonly options: ConsolidationOptions;
}

/** Groups cold memories by topic, and writes the summary of each group. */
export async function readClusters(connection: Reading, where: ClusterQuery): Promise<Clusters> {
  const { options } = where;
  const cold = await readCold(connection, where);
  const mergings: Merging[] = [];
  let replaced = 0;
  for await (const group of outlined(connection, groupsOf(cold))) {
    const [first] = group;
    if (!first) continue;
    for (const cluster of clustersOf(group)) {
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

async function readCold(connection: Reading, where: ClusterQuery): Promise<readonly Cold[]> {
  const d = connection.dialect;
  const { sql, values } = inPlace(d, where);
  const { nowS, memberId, options } = where;
  const { minAgeDays, onlyCaptured, areVectorsComing, session } = options;
  // Entities that the member wrote about in a session.
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
    ...(written.length === 0 ? [] : [d.isOneOf("m.entity_id")]),
  ];
  const rows = await connection.all<Cold>(
    `SELECT m.id, m.space, m.entity_id, m.layer, ${USE_COLUMNS} FROM memories m
     WHERE m.archived_at IS NULL AND m.layer IN (${LAYERS_THAT_COOL}) AND ${UNPROTECTED}
       AND m.created_at <= ? AND coalesce(m.last_accessed_at, m.created_at) <= ? AND NOT ${isOfJournal("m")} AND ${sql}
       ${conditions.map((condition) => `AND ${condition}`).join(" ")}
     ORDER BY m.space, m.entity_id, m.layer, m.created_at, m.id`,
    ...useSince(nowS),
    before,
    before,
    ...values,
    ...(written.length === 0 ? [] : [written]),
  );
  const without = new Set(where.without);
  const now = toDate(nowS);
  return rows.filter((row) => !without.has(row.id) && heatOf(row, now) < COLD_BELOW);
}

const groupsOf = (cold: readonly Cold[]): readonly Cold[][] => [
  ...Map.groupBy(cold, ({ space, entity_id, layer }) => `${space}\n${entity_id}\n${layer}`).values(),
];

// Rows per query: most groups have two or three.
const ROWS_AT_ONCE = 500;

interface OutlineRow {
  readonly id: number;
  readonly words: string | null;
  readonly vector: Uint8Array | readonly number[] | null;
}

type Outlined = Cold & Clusterable;

/** Reads what is needed to compare groups of two or more; the rest is read on merging. */
async function* outlined(connection: Reading, groups: readonly Cold[][]): AsyncGenerator<Outlined[]> {
  const { active } = await readIdentities(connection);
  // A model that cannot distinguish similar statements is not used: words decide.
  const identityId = tellsTextsApart(active) ? ((await findIdentity(connection, active)) ?? -1) : -1;
  let waiting: Cold[][] = [];
  let rows = 0;
  const flush = async () => {
    const outlines = await readOutlines(connection, identityId, waiting.flat());
    const together = waiting.map((group) => group.map((row) => ({ ...row, ...(outlines.get(row.id) ?? BARE) })));
    [waiting, rows] = [[], 0];
    return together;
  };
  for (const group of groups) {
    if (group.length < 2) continue;
    waiting.push(group);
    rows += group.length;
    if (rows >= ROWS_AT_ONCE) yield* await flush();
  }
  yield* await flush();
}

const BARE = { words: wordPrints(""), vector: undefined };

const sqlOf = statements((d) => ({
  outlines: `SELECT m.id, t.words, ${d.vector("v.vector")} AS vector FROM memories m
      LEFT JOIN memory_text t ON t.memory_id = m.id
      LEFT JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
    WHERE ${d.isOneOf("m.id")}`,
  bodies: `SELECT m.id, m.content, m.content_hash, m.importance, m.created_at, m.last_accessed_at,
      ${d.listOf("tag", "memory_tags g WHERE g.memory_id = m.id")} AS tags
    FROM memories m WHERE ${d.isOneOf("m.id")}`,
}));

async function readOutlines(connection: Reading, identityId: number, rows: readonly Cold[]) {
  const ids = rows.map(({ id }) => id);
  const found = await connection.all<OutlineRow>(sqlOf(connection.dialect).outlines, identityId, ids);
  return new Map(
    found.map(({ id, words, vector }) => [
      id,
      { words: wordPrints(words ?? ""), vector: vector === null ? undefined : vectorIn(vector) },
    ]),
  );
}

/** In the given order. */
async function readBodies(connection: Reading, group: readonly Outlined[]) {
  const ids = group.map(({ id }) => id);
  const rows = await connection.all<Body>(sqlOf(connection.dialect).bodies, ids);
  const bodies = new Map(rows.map((row) => [row.id, row]));
  return group.flatMap(({ id, layer, words }) => {
    const row = bodies.get(id);
    if (!row) return [];
    return {
      id,
      content: row.content,
      hash: row.content_hash,
      importance: row.importance,
      layer,
      createdAt: toDate(row.created_at),
      usedAtS: row.last_accessed_at ?? row.created_at,
      tags: [...listIn(row.tags)],
      words,
    };
  });
}

/** Place of a memory, which its summary takes over. */
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

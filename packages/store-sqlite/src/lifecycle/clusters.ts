import {
  type CanonicalText,
  type Clusterable,
  clustersOf,
  derived,
  type EntityKind,
  type Layer,
  SUMMARY_LAYER,
  summariesOf,
  tellsTextsApart,
  type Visibility,
  wordPrints,
} from "@chest/core";
import type { Connection } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import { readIdentities } from "../embedding/identities.ts";
import { heatOf, USE_COLUMNS, type UseRow, useSince } from "./forgetting.ts";
import type { Questions } from "./questions.ts";
import { activeId } from "./supersession.ts";
import { inPlace, UNPROTECTED } from "./sweep-conditions.ts";
import { vectorOf } from "./vector-of.ts";

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

interface Body {
  readonly id: number;
  readonly content: string;
  readonly content_hash: string;
  readonly importance: number;
  readonly created_at: number;
  readonly last_accessed_at: number | null;
  readonly tags: string | null;
}

/** Runs in the thread: groups cold memories on one topic, and makes the summary of each group. */
export function readClusters(connection: Connection, where: Questions["consolidation"]["given"]): Clusters {
  const { options } = where;
  const cold = readCold(connection, where);
  const mergings: Merging[] = [];
  let replaced = 0;
  for (const group of outlined(connection, groupsOf(cold))) {
    const [first] = group;
    if (!first) continue;
    for (const cluster of clustersOf(group)) {
      for (const { members, content, importance, tags } of summariesOf(
        readBodies(connection, cluster),
        options.maxChars,
      )) {
        if (replaced > 0 && replaced + members.length > options.cap)
          return { scanned: cold.length, mergings, hasMore: true };
        replaced += members.length;
        const of = members.map(({ id, hash, usedAtS }) => ({ id, hash, usedAtS }));
        const text = derived(content);
        mergings.push({ ...placeOf(connection, first), members: of, layer: first.layer, text, importance, tags });
      }
    }
  }
  return { scanned: cold.length, mergings, hasMore: false };
}

function readCold(connection: Connection, where: Questions["consolidation"]["given"]): readonly Cold[] {
  const { sql, values } = inPlace(where);
  const { nowS, memberId, options } = where;
  const { minAgeDays, onlyCaptured, areVectorsComing } = options;
  const written = options.session === undefined ? [] : writtenIn(connection, memberId, options.session);
  const before = nowS - minAgeDays * DAY_S;
  const conditions = [
    ...(onlyCaptured ? ["(m.capture_key IS NOT NULL OR m.source_type = 'import')"] : []),
    ...(areVectorsComing ? ["m.embedding_status <> 'pending'"] : []),
    ...(written.length === 0 ? [] : ["m.entity_id IN (SELECT value FROM json_each(?))"]),
  ];
  const rows = connection.all<Cold>(
    `SELECT m.id, m.space, m.entity_id, m.layer, ${USE_COLUMNS} FROM memories m
     WHERE m.archived_at IS NULL AND m.layer IN (${LAYERS_THAT_COOL}) AND ${UNPROTECTED}
       AND m.created_at <= ? AND coalesce(m.last_accessed_at, m.created_at) <= ? AND ${sql}
       ${conditions.map((condition) => `AND ${condition}`).join(" ")}
     ORDER BY m.space, m.entity_id, m.layer, m.created_at, m.id`,
    ...useSince(nowS),
    before,
    before,
    ...values,
    ...(written.length === 0 ? [] : [JSON.stringify(written)]),
  );
  const without = new Set(where.without);
  const now = toDate(nowS);
  return rows.filter((row) => !without.has(row.id) && heatOf(row, now) < COLD_BELOW);
}

/** The entities that a member wrote of in a session. */
const writtenIn = (connection: Connection, memberId: number, session: string): number[] =>
  connection.ids("SELECT DISTINCT entity_id FROM memories WHERE session_id = ? AND author_id = ?", session, memberId);

function groupsOf(cold: readonly Cold[]): Cold[][] {
  const groups: Cold[][] = [];
  let last: Cold | undefined;
  for (const row of cold) {
    const isSamePlace =
      last && last.space === row.space && last.entity_id === row.entity_id && last.layer === row.layer;
    if (isSamePlace) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = row;
  }
  return groups;
}

// One question for so many rows: most groups are of two or three.
const ROWS_AT_ONCE = 500;

interface OutlineRow {
  readonly id: number;
  readonly words: string | null;
  readonly vector: Buffer | null;
}

type Outlined = Cold & Clusterable;

/** Groups of two and more with what they are compared by; the rest of a memory is read where it is merged. */
function* outlined(connection: Connection, groups: readonly Cold[][]): Generator<Outlined[]> {
  // A model that does not tell texts apart is not asked: words group.
  const identityId = tellsTextsApart(readIdentities(connection).active) ? activeId(connection) : -1;
  let waiting: Cold[][] = [];
  let rows = 0;
  const flush = () => {
    const outlines = readOutlines(connection, identityId, waiting.flat());
    const together = waiting.map((group) => group.map((row) => ({ ...row, ...(outlines.get(row.id) ?? BARE) })));
    [waiting, rows] = [[], 0];
    return together;
  };
  for (const group of groups) {
    if (group.length < 2) continue;
    waiting.push(group);
    rows += group.length;
    if (rows >= ROWS_AT_ONCE) yield* flush();
  }
  yield* flush();
}

const BARE = { words: wordPrints(""), vector: undefined };

function readOutlines(connection: Connection, identityId: number, rows: readonly Cold[]) {
  const found = connection.all<OutlineRow>(
    `SELECT m.id, t.words, v.vector FROM memories m LEFT JOIN memory_text t ON t.memory_id = m.id
       LEFT JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
     WHERE m.id IN (SELECT value FROM json_each(?))`,
    identityId,
    JSON.stringify(rows.map(({ id }) => id)),
  );
  return new Map(
    found.map(({ id, words, vector }) => [
      id,
      { words: wordPrints(words ?? ""), vector: vector === null ? undefined : vectorOf(vector) },
    ]),
  );
}

/** In the order given. */
function readBodies(connection: Connection, group: readonly Outlined[]) {
  const [{ layer } = { layer: SUMMARY_LAYER }] = group;
  const words = new Map(group.map((row) => [row.id, row.words]));
  return connection
    .all<Body>(
      `SELECT m.id, m.content, m.content_hash, m.importance, m.created_at, m.last_accessed_at,
         (SELECT group_concat(tag, char(10)) FROM memory_tags g WHERE g.memory_id = m.id) AS tags
       FROM json_each(?) l CROSS JOIN memories m ON m.id = l.value ORDER BY l.key`,
      JSON.stringify(group.map(({ id }) => id)),
    )
    .map((row) => ({
      id: row.id,
      content: row.content,
      hash: row.content_hash,
      importance: row.importance,
      layer,
      createdAt: toDate(row.created_at),
      usedAtS: row.last_accessed_at ?? row.created_at,
      tags: row.tags?.split("\n") ?? [],
      words: words.get(row.id) ?? BARE.words,
    }));
}

/** Place of a memory that a summary takes. */
export function placeOf(connection: Connection, { id, entity_id }: Pick<Cold, "id" | "entity_id">) {
  const row = connection.get<{
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

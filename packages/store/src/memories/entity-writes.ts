import { randomUUIDv7 } from "node:crypto";
import { type Space, spaceOf } from "@chest/core/access";
import { momentum } from "@chest/core/lifecycle";
import { normaliseName, subjectOfPlace } from "@chest/core/memory";
import type { EntityName, EntityWrites, FoundEntity } from "@chest/core/ports";
import type { Statements } from "../database/connection.ts";
import { type EntityRow, toEntity } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

const DAY_S = 86_400;
const COLUMNS = "id, name, kind, canonical_key, momentum_score";

/** An entity with its event counts. */
export interface NotedEntity extends EntityRow {
  readonly events_total: number;
  readonly first_event_at: number;
  /** Events of a week and a day, and the mean importance of a week's memories; null if they were not recounted. */
  readonly week: number | null;
  readonly day: number | null;
  readonly mean: number | null;
}

// Recounting takes time in proportion to the week's events: above this number, once a minute is enough.
export const FEW_EVENTS = 100;
export const RECOUNT_S = 60;

/** @param note records an event and counts it, in the fewest statements of each engine */
export function entityWrites(
  tx: Transaction,
  note: (...event: Parameters<EntityWrites["noteEvent"]>) => Promise<NotedEntity | undefined>,
): EntityWrites {
  const { caller } = tx;
  return {
    async findOrAdd({ visibility, projectKey, ...named }) {
      return findOrAddIn(tx, spaceOf(visibility, caller.member, await tx.projectId(projectKey)), named);
    },
    async subjectOf(place) {
      const { projectKey } = place;
      return subjectOfPlace(place, projectKey === undefined ? undefined : (await tx.places()).find(projectKey));
    },
    async noteEvent(entityId, kind, payload) {
      const row = await note(entityId, kind, payload);
      if (!row) throw new Error(`entity ${entityId} vanished inside its transaction`);
      return toEntity(keepMomentum(tx, row));
    },
  };
}

/** Stores an entity's momentum if it was recomputed. */
export function keepMomentum({ connection, nowS }: Transaction, row: NotedEntity): EntityRow {
  if (row.week === null) return row;
  const score = momentum({
    lastDay: row.day ?? 0,
    lastWeek: row.week,
    total: row.events_total,
    days: (nowS - row.first_event_at) / DAY_S,
    meanImportance: row.mean ?? undefined,
  });
  connection.later("UPDATE entities SET momentum_score = ?, momentum_at = ? WHERE id = ?", score, nowS, row.id);
  return { ...row, momentum_score: score };
}

type NameRow = Pick<EntityName, "name" | "kind" | "key">;

const BY_KEY = `SELECT ${COLUMNS} FROM entities WHERE space = ? AND canonical_key = ?`;
// A name matches before an alias.
const BY_NAME = `SELECT ${COLUMNS}, 0 AS nth FROM entities WHERE space = ? AND kind = ? AND normalised_name = ?
  UNION ALL SELECT ${COLUMNS}, 1 FROM entities
    WHERE id = (SELECT entity_id FROM entity_aliases WHERE space = ? AND kind = ? AND normalised_name = ?)
  ORDER BY nth LIMIT 1`;

/** Finds an entity of a space by key, or by kind and name; otherwise creates it. */
export async function findOrAddIn(tx: Transaction, space: Space, { name, kind, key }: NameRow): Promise<FoundEntity> {
  const { connection, nowS } = tx;
  const place = placeOf(space, { name, kind });
  for (;;) {
    const [keyed, named] = await Promise.all([
      key === undefined ? undefined : connection.get<EntityRow>(BY_KEY, space, key),
      connection.get<EntityRow>(BY_NAME, ...place, ...place),
    ]);
    if (keyed) {
      const entity = toEntity(keyed);
      return named?.id === keyed.id ? { entity } : { entity, isKnownOtherwise: true };
    }
    if (!named) {
      const made = await add(tx, space, { name, kind, key }, place[2]);
      // Undefined: another transaction has just created it.
      if (!made) continue;
      tx.noteEntity(place, made.id);
      return { entity: toEntity(made), isNew: true };
    }
    const found = toEntity(named);
    tx.noteEntity(place, found.id);
    if (key === undefined) return { entity: found };
    if (found.canonicalKey !== undefined) return { entity: found, keyConflict: found.canonicalKey };
    const { changes } = await connection.run(
      "UPDATE entities SET canonical_key = ?, updated_at = ? WHERE id = ? AND canonical_key IS NULL",
      key,
      nowS,
      found.id,
    );
    if (changes === 1) return { entity: { ...found, canonicalKey: key } };
  }
}

/** Lookup key of an entity: its space, kind and normalised name. */
const placeOf = (space: Space, { name, kind }: Pick<NameRow, "name" | "kind">) =>
  [space, kind, normaliseName(name) || name.toLowerCase()] as const;

/** Sends the queries of `findOrAddIn` in advance, and returns its lookup key. */
export function findAhead(ahead: Statements["later"], space: Space, named: NameRow): readonly string[] {
  const place = placeOf(space, named);
  if (named.key !== undefined) ahead(BY_KEY, space, named.key);
  ahead(BY_NAME, ...place, ...place);
  return place;
}

const add = ({ connection, nowS }: Transaction, space: Space, { name, kind, key }: NameRow, normal: string) =>
  connection.get<EntityRow>(
    `INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, canonical_key, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    randomUUIDv7(),
    space,
    kind,
    name,
    normal,
    name.toLowerCase(),
    key ?? null,
    nowS,
    nowS,
  );

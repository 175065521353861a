import { type Reach, type Space, type Standing, spacesFor } from "../access/space.ts";
import { LAYERS } from "../memory/layer.ts";
import { isPinned, type Memory, stateOf } from "../memory/memory.ts";
import type { Clock } from "../ports/clock.ts";
import type { Filter, Hit, SearchIndex } from "../ports/search.ts";
import type { EntitySummary, Reads } from "../ports/store.ts";
import { segment } from "../text/segment.ts";
import { type Row, type State, vectorKey } from "./memory-state.ts";

const DAY_MS = 86_400_000;
const FIELD_WEIGHTS = { title: 2, tags: 1.5, words: 1, grams: 0.5 } as const;

type ReadsOf = Reads & { spaces(reach: Reach): readonly Space[] };

export function reads(state: () => State, standing: () => Standing, now: Clock["now"]): ReadsOf {
  const spaces = (reach: Reach) =>
    spacesFor(standing(), reach, typeof reach === "object" ? state().projects.get(reach.projectKey) : undefined);
  const byId = async (id: number) => {
    const row = state().memories.get(id);
    return row && spaces("everywhere").includes(row.space) ? plain(row, state()) : undefined;
  };
  return {
    spaces,
    memories: {
      byId,
      async byIds(ids) {
        const found = await Promise.all([...new Set(ids)].map(byId));
        return found.filter((memory) => memory !== undefined);
      },
      async newest(where, limit) {
        return passing(state(), spaces(where.reach), where)
          .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id)
          .slice(0, limit)
          .map((row) => plain(row, state()));
      },
      async accesses(ids, now, until = now) {
        const open = spaces("everywhere");
        return new Map(
          ids.flatMap((id) => {
            const row = state().memories.get(id);
            const at = (state().accesses.get(id) ?? []).filter((each) => each <= until);
            if (!row || !open.includes(row.space) || at.length === 0) return [];
            const within = (days: number) => at.filter((each) => each.getTime() > now.getTime() - days * DAY_MS).length;
            return [[id, { within30Days: within(30), within90Days: within(90), total: at.length, lastAt: at.at(-1) }]];
          }),
        );
      },
      async countPending(reach, identity) {
        const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
        if (!identity)
          return rows.filter(({ id }) => ![...state().vectors.values()].some((v) => v.memoryId === id)).length;
        return rows.filter(({ id }) => !state().vectors.has(vectorKey(id, identity))).length;
      },
    },
    entities: {
      async list({ reach, kind, minMemories, limit, offset }) {
        const open = spaces(reach);
        const everyRow = [...state().memories.values()];
        const summaries = [...state().entities.values()]
          .filter((entity) => kind === undefined || entity.kind === kind)
          .flatMap((entity): EntitySummary[] => {
            const all = everyRow.filter((row) => row.entity.id === entity.id);
            const rows = all.filter((row) => open.includes(row.space) && stateOf(row) === "live");
            // An entity shows through a memory the caller may open, live or not; one without any was never told of.
            if (!all.some((row) => open.includes(row.space)) || rows.length < minMemories) return [];
            const last = rows
              .flatMap(({ lastAccessedAt }) => lastAccessedAt ?? [])
              .sort((a, b) => Number(b) - Number(a))[0];
            const layers = Object.fromEntries(
              LAYERS.map((layer) => [layer, rows.filter((row) => row.layer === layer).length]),
            ) as EntitySummary["layers"];
            const { id, name, canonicalKey, momentum } = entity;
            const pinnedCount = rows.filter(isPinned).length;
            return [
              {
                id,
                name,
                kind: entity.kind,
                canonicalKey,
                momentum,
                memoryCount: rows.length,
                pinnedCount,
                layers,
                lastMemoryAccessAt: last,
              },
            ];
          })
          .sort((a, b) => activityOf(b, now()) - activityOf(a, now()) || a.id - b.id);
        return { total: summaries.length, entities: summaries.slice(offset, offset + limit) };
      },
    },
  };
}

/** Momentum, how much is known, how lately it was asked for. */
function activityOf({ momentum, memoryCount, lastMemoryAccessAt }: EntitySummary, now: Date): number {
  const days = lastMemoryAccessAt && (now.getTime() - lastMemoryAccessAt.getTime()) / DAY_MS;
  return 10 * momentum + 0.5 * Math.min(memoryCount, 40) + (days === undefined ? 0 : 20 * 2 ** (-days / 30));
}

export function searches(state: () => State, spaces: ReadsOf["spaces"]): SearchIndex {
  return {
    async matchWords({ words, grams }, where, limit) {
      const rows = passing(state(), spaces(where.reach), where).map((row) => ({ row, fields: fieldsOf(row) }));
      const idf = (term: string) => {
        const holding = rows.filter(({ fields }) =>
          Object.values(fields).some((tokens) => tokens.includes(term)),
        ).length;
        return Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5));
      };
      const terms = [...words, ...grams].map((term) => ({ term, idf: idf(term) }));
      return ranked(
        rows.map(({ row, fields }) => {
          let score = 0;
          for (const { term, idf } of terms) {
            for (const [field, weight] of Object.entries(FIELD_WEIGHTS)) {
              const tokens = fields[field as keyof typeof FIELD_WEIGHTS];
              const count = tokens.filter((token) => token === term).length;
              score += (weight * idf * count * 2.2) / (count + 1.2 * (0.25 + 0.75 * (tokens.length / 50)));
            }
          }
          return { id: row.id, score };
        }),
        limit,
      );
    },
    async matchVector(vector, identity, where, limit) {
      if (![...state().vectors.keys()].some((key) => key.endsWith(vectorKey(0, identity).slice(1)))) return undefined;
      const rows = passing(state(), spaces(where.reach), where);
      return ranked(
        rows.flatMap((row) => {
          const stored = state().vectors.get(vectorKey(row.id, identity));
          return stored
            ? [{ id: row.id, score: stored.vector.reduce((sum, x, i) => sum + x * (vector[i] ?? 0), 0) }]
            : [];
        }),
        limit,
        Number.NEGATIVE_INFINITY,
      );
    },
  };
}

function ranked(rows: readonly { id: number; score: number }[], limit: number, above = 0): Hit[] {
  return rows
    .filter(({ score }) => score > above)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map((row, at) => ({ ...row, rank: at + 1 }));
}

function fieldsOf(row: Row): Record<keyof typeof FIELD_WEIGHTS, readonly string[]> {
  return {
    title: segment(row.entity.name).words.split(" "),
    tags: segment(row.tags.join(" ")).words.split(" "),
    words: row.text.words.split(" "),
    grams: row.text.grams.split(" "),
  };
}

function passing(state: State, open: readonly Space[], where: Filter): Row[] {
  return [...state.memories.values()].filter((row) => {
    const condition = stateOf(row);
    if (condition === "archived" && !where.withArchived) return false;
    if (condition === "superseded" && !where.withSuperseded) return false;
    if (where.layer && row.layer !== where.layer) return false;
    if (where.entityName && !row.entity.name.toLowerCase().includes(where.entityName.toLowerCase())) return false;
    return open.includes(row.space) && (where.tags ?? []).every((tag) => row.tags.includes(tag));
  });
}

export function plain({ text: _, ...memory }: Row, { entities }: State): Memory {
  const momentum = entities.get(memory.entity.id)?.momentum ?? memory.entity.momentum;
  return { ...memory, entity: { ...memory.entity, momentum } };
}

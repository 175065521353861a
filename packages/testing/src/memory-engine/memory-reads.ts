import {
  type Browse,
  type BrowsePlace,
  borrowedBy,
  type Caller,
  type CallerPlace,
  type Clock,
  checkedVector,
  type Entity,
  type EntitySummary,
  type Hit,
  heat,
  isMeantBy,
  isPinned,
  isWordUnit,
  LAYERS,
  LENT_BY_AFTER,
  LENT_BY_BEFORE,
  normaliseName,
  type Overview,
  pathKeyOf,
  placeOf,
  type Reach,
  type Reads,
  rarity,
  type SearchIndex,
  type Space,
  type SteadyOrder,
  segment,
  spaceOf,
  spacesFor,
  stateOf,
  tellingOf,
  type Unit,
  type Visibility,
  wholeWeight,
  withMeant,
} from "@chest/core";
import { conflictReads } from "./memory-conflicts.ts";
import { conversationReads, triggerReads } from "./memory-conversations.ts";
import { fileReads } from "./memory-files.ts";
import { passing } from "./memory-filter.ts";
import { gapReads } from "./memory-gaps.ts";
import { listings } from "./memory-listings.ts";
import { promotionReads } from "./memory-promotions.ts";
import { sessionOf, sessionReads } from "./memory-sessions.ts";
import { sourceReads } from "./memory-sources.ts";
import {
  plain,
  projectIdOf,
  type State,
  type StoredMemory,
  sessionKey,
  snapshotKey,
  vectorKey,
} from "./memory-state.ts";
import { workReads } from "./memory-work.ts";

const DAY_MS = 86_400_000;
const FIELD_WEIGHTS = { title: 2, tags: 1.5, words: 1, grams: 0.5 } as const;
// Saturation and length of BM25F (Robertson and Zaragoza 2009).
const [K1, B] = [1.2, 0.75];

type ReadsOf = Reads & { spaces(reach: Reach): readonly Space[] };

export function reads(
  state: () => State,
  standing: () => CallerPlace,
  now: Clock["now"],
  { member, client, project, scopes }: Pick<Caller, "member" | "client" | "project" | "scopes">,
  every?: () => readonly Space[],
): ReadsOf {
  const spaces = (reach: Reach) =>
    every?.() ??
    spacesFor(standing(), reach, typeof reach === "object" ? projectIdOf(state(), reach.projectKey) : undefined);
  const byId = async (id: number) => {
    const row = state().memories.get(id);
    return row && spaces("everywhere").includes(row.space) ? plain(row, state()) : undefined;
  };
  /** Earlier versions of a memory that the caller may open, by whether it could open them then. */
  const versionsOf = async (id: number) => {
    const memory = await byId(id);
    const spaceThen = (visibility: Visibility): string | undefined =>
      memory && spaceOf(visibility, { id: memory.authorId, name: "" }, memory.projectId);
    const within: readonly (string | undefined)[] = spaces("everywhere");
    const wasOpen = ({ visibility }: { visibility?: Visibility | undefined }) =>
      visibility === undefined || within.includes(spaceThen(visibility));
    const past = (memory && state().pastVersions.get(id)) ?? [];
    return { open: past.filter(wasOpen), closed: past.filter((version) => !wasOpen(version)) };
  };
  return {
    spaces,
    conflicts: conflictReads(state, spaces),
    promotions: promotionReads(state, { member, scopes }, spaces),
    gaps: gapReads(state, () => spaces("everywhere")),
    memories: {
      byId,
      contentOf: async (id) => (await byId(id))?.content,
      async byIds(ids, reach = "everywhere") {
        const within = new Set(spaces(reach));
        const found = await Promise.all([...new Set(ids)].map(byId));
        return found.filter((memory) => memory !== undefined).filter(({ space }) => within.has(space));
      },
      async newest(where, limit) {
        return passing(state(), spaces(where.reach), where)
          .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id)
          .slice(0, limit)
          .map((row) => plain(row, state()));
      },
      async browse({ order, usedWithinDays, where, after, limit, offset }) {
        const since = usedWithinDays === undefined ? undefined : now().getTime() - usedWithinDays * DAY_MS;
        const rows = passing(state(), spaces(where.reach), where)
          .filter(({ lastAccessedAt }) => since === undefined || (lastAccessedAt && lastAccessedAt.getTime() >= since))
          .sort((a, b) => ORDERS[order](b, state(), now()) - ORDERS[order](a, state(), now()) || newest(a, b));
        const later = after ? rows.filter((row) => comesAfter(placeOf(order as SteadyOrder, row), after)) : rows;
        const memories = later.slice(offset, offset + limit).map((row) => plain(row, state()));
        return { total: rows.length, memories };
      },
      async around(anchor, where, { before, after }) {
        const rows = passing(state(), spaces(where.reach), where).sort((a, b) => -newest(a, b));
        const isEarlier = (row: StoredMemory) =>
          row.createdAt < anchor.createdAt ||
          (Number(row.createdAt) === Number(anchor.createdAt) && row.id < anchor.id);
        const others = rows.filter(({ id }) => id !== anchor.id);
        const earlier = others.filter(isEarlier);
        const shown = (some: readonly StoredMemory[]) => some.map((row) => plain(row, state()));
        return {
          before: shown(before === 0 ? [] : earlier.slice(-before)),
          after: shown(others.slice(earlier.length, earlier.length + after)),
        };
      },
      async activity(reach, since) {
        const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
        const days = rows.flatMap(({ createdAt }) =>
          createdAt >= since ? [createdAt.toISOString().slice(0, 10)] : [],
        );
        const counts = Map.groupBy(days.toSorted(), (day) => day);
        return [...counts].map(([day, { length }]) => ({ day, memories: length }));
      },
      async pastVersions({ id, limit, offset }) {
        const { open: past } = await versionsOf(id);
        return { total: past.length, versions: past.toReversed().slice(offset, offset + limit) };
      },
      async closedUntil(ids) {
        const until = new Map<number, Date>();
        for (const id of ids) {
          const { closed } = await versionsOf(id);
          const last = closed.at(-1)?.changedAt;
          if (last) until.set(id, last);
        }
        return until;
      },
      async overview(reach) {
        const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
        return {
          layers: rows.map((row) => ({
            layer: row.layer,
            kind: row.entity.kind,
            memories: 1,
            pinned: Number(isPinned(row)),
          })),
          entities: [...new Map(rows.map(({ entity }) => [subjectOf(entity), entity.kind])).values()].map((kind) => ({
            kind,
            entities: 1,
          })),
          made: madeBetween(rows),
          edits: editsIn(state(), spaces(reach)),
          ...leftIn(state(), spaces(reach), rows),
        };
      },
      async pending(identity, cursor, limit) {
        const where = { reach: "everywhere", withArchived: false, withSuperseded: false } as const;
        const rows = passing(state(), spaces("everywhere"), where).filter(
          ({ id }) => !state().vectors.has(vectorKey(id, identity)),
        );
        const page = rows.filter(({ id }) => id > cursor).sort((a, b) => a.id - b.id);
        return { memories: page.slice(0, limit).map((row) => plain(row, state())), remaining: rows.length };
      },
      async accesses(ids, now, earlier) {
        const open = spaces("everywhere");
        const upTo = (until: Date, id: number) => {
          const at = (state().accesses.get(id) ?? []).filter((each) => each <= until);
          const within = (days: number) => at.filter((each) => each.getTime() > now.getTime() - days * DAY_MS).length;
          if (at.length === 0) return undefined;
          return { within30Days: within(30), within90Days: within(90), total: at.length, lastAt: at.at(-1) };
        };
        return new Map(
          ids.flatMap((id) => {
            const row = state().memories.get(id);
            const all = upTo(now, id);
            return row && all && open.includes(row.space) ? [[id, { ...all, earlier: upTo(earlier, id) }]] : [];
          }),
        );
      },
      async countPending(reach, identity) {
        const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
        return rows.filter(({ id }) => !state().vectors.has(vectorKey(id, identity))).length;
      },
    },
    conversations: conversationReads(state, () => spaces("here")),
    triggers: triggerReads(state, spaces),
    snapshots: {
      async find(key) {
        const found = state().snapshots.get(snapshotKey(member, key));
        return found && now().getTime() - found.lastReadAt.getTime() < 30 * DAY_MS ? found : undefined;
      },
    },
    sessions: sessionReads(
      state,
      member,
      now,
      () => spaces("everywhere"),
      () => standing().projectId,
      () => sessionOf(state(), { member, client }),
    ),
    listings: listings(state, spaces),
    sources: sourceReads(state, spaces, { project }),
    files: fileReads(state, spaces),
    work: workReads(state, () => spaces("everywhere")),
    entities: {
      async named(name, reach) {
        const normal = normaliseName(name) || name.toLowerCase();
        const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
        const found = [...state().entities.values()].filter(
          (entity) => entity.names.includes(normal) && rows.some((row) => row.entity.id === entity.id),
        );
        return found[0] && { name: found[0].name, ids: found.map(({ id }) => id) };
      },
      async list({ reach, kind, minMemories, limit, offset }) {
        const open = spaces(reach);
        const inSight = [...state().memories.values()].filter(
          (row) => open.includes(row.space) && (minMemories === 0 || stateOf(row) === "live"),
        );
        const shown = [...state().entities.values()].filter(
          (entity) =>
            (kind === undefined || entity.kind === kind) && inSight.some((row) => row.entity.id === entity.id),
        );
        const summaries = [...Map.groupBy(shown, subjectOf).values()]
          .flatMap((subject): EntitySummary[] => {
            const [first] = subject;
            const ids = subject.map(({ id }) => id);
            const rows = inSight.filter((row) => ids.includes(row.entity.id) && stateOf(row) === "live");
            if (!first || rows.length < minMemories) return [];
            const last = rows
              .flatMap(({ lastAccessedAt }) => lastAccessedAt ?? [])
              .sort((a, b) => Number(b) - Number(a))[0];
            const layers = Object.fromEntries(
              LAYERS.map((layer) => [layer, rows.filter((row) => row.layer === layer).length]),
            ) as EntitySummary["layers"];
            const { id, name } = first;
            const keys = subject.flatMap(({ canonicalKey }) => canonicalKey ?? []).toSorted();
            return [
              {
                id,
                name,
                kind: first.kind,
                canonicalKey: first.canonicalKey ?? keys[0],
                momentum: Math.max(...subject.map(({ momentum }) => momentum)),
                memoryCount: rows.length,
                pinnedCount: rows.filter(isPinned).length,
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

/** Key under which a reader of several spaces sees one entity. */
const subjectOf = ({ kind, name }: Pick<Entity, "kind" | "name">): string =>
  `${kind}\n${normaliseName(name) || name.toLowerCase()}`;

const newest = (a: StoredMemory, b: StoredMemory): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id;

/** Orders go from the largest down. */
function comesAfter(place: BrowsePlace, other: BrowsePlace): boolean {
  const at = place.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (place[at] ?? 0) < (other[at] ?? 0);
}

const ORDERS: Readonly<Record<Browse["order"], (row: StoredMemory, state: State, now: Date) => number>> = {
  newest: ({ createdAt }) => createdAt.getTime(),
  used: ({ lastAccessedAt }) => lastAccessedAt?.getTime() ?? 0,
  important: ({ importance }) => importance,
  archived: ({ archivedAt }) => archivedAt?.getTime() ?? 0,
  hot: (row, { accesses }, now) => {
    const ages = (accesses.get(row.id) ?? []).map((at) => now.getTime() - at.getTime());
    const within = (days: number) => ages.filter((age) => age < days * DAY_MS).length;
    return heat(row, { within30Days: within(30), within90Days: within(90) }, now);
  },
};

/** Momentum, how much is known, how lately it was asked for. */
function activityOf({ momentum, memoryCount, lastMemoryAccessAt }: EntitySummary, now: Date): number {
  const days = lastMemoryAccessAt && (now.getTime() - lastMemoryAccessAt.getTime()) / DAY_MS;
  return 10 * momentum + 0.5 * Math.min(memoryCount, 40) + (days === undefined ? 0 : 20 * 2 ** (-days / 30));
}

export function searches(state: () => State, spaces: ReadsOf["spaces"]): SearchIndex {
  return {
    async matchWords({ units }, where, limit) {
      const { reach, withArchived, withSuperseded } = where;
      const inSight = passing(state(), spaces(reach), { reach, withArchived, withSuperseded });
      const rows = inSight.map((row) => ({ row, fields: fieldsOf(row) }));
      const asksFor = new Set(passing(state(), spaces(reach), where));
      const idf = (term: string) => {
        const holding = rows.filter(({ fields }) =>
          Object.values(fields).some((tokens) => tokens.includes(term)),
        ).length;
        return rarity(holding, rows.length);
      };
      const idfOf = ({ alternatives: [first], weight }: Unit) =>
        weight * Math.min(...(first?.terms ?? []).map(({ text }) => idf(text)));
      const isKnown = (unit: Unit) => rows.some(({ fields }) => holds(fields, unit));
      const weighed = (unit: Unit) => ({ weight: idfOf(unit), isWord: isWordUnit(unit), isSought: unit.isSought });
      const isUnheardOf = (unit: Unit) => !isKnown(unit);
      const whole = wholeWeight(units.filter(isKnown).map(weighed), units.filter(isUnheardOf).map(weighed));
      const words = units.filter(isWordUnit);
      const things = words.length > 0 ? words : units;
      const terms = new Set(rows.flatMap(({ fields }) => Object.values(fields).flat()));
      const near = (typed: string) => [...terms].filter((term) => isMeantBy(term, typed));
      const sought = units.map((unit) => (isKnown(unit) ? unit : withMeant(unit, near)));
      const asked = sought.map((unit) => {
        const rarities = unit.alternatives.map(({ terms }) => Math.min(...terms.map(({ text }) => idf(text))));
        const telling = tellingOf(unit, rarities);
        return unit.alternatives.map(({ terms }, at) => ({ terms, idf: telling[at] ?? 0 }));
      });
      const usualLength = sum(rows.map(({ fields }) => fields.words.length)) / rows.length;
      const fieldsById = new Map(rows.map(({ row, fields }) => [row.id, fields]));
      const own = (row: StoredMemory) => {
        const fields = fieldsOf(row);
        const words = fields.words.length;
        const share = borrowedBy(words);
        const beside = neighboursOf(row, inSight).map((each) => ({
          fields: fieldsById.get(each.id) ?? fieldsOf(each.row),
          weight: share * each.weight,
        }));
        const length = words + sum(beside.map(({ fields, weight }) => weight * fields.words.length));
        const least = K1 * (1 - B + (B * length) / usualLength);
        const frequencyIn = ({ terms }: Way, of: Fields) =>
          Math.min(...terms.map(({ text }) => weightedFrequency(text, of)));
        const score = sum(
          asked.map((ways) =>
            Math.max(
              ...ways.map((way) => {
                const lent = sum(beside.map(({ fields, weight }) => weight * frequencyIn(way, fields)));
                const frequency = frequencyIn(way, fields) + lent;
                return (way.idf * (K1 + 1) * frequency) / (frequency + least);
              }),
            ),
          ),
        );
        const told = sought.map((unit) => (holds(fields, unit) ? idfOf(unit) : 0));
        const lent = sought.map((unit, at) =>
          (told[at] ?? 0) > 0
            ? 0
            : idfOf(unit) * Math.max(0, ...beside.map(({ fields, weight }) => (holds(fields, unit) ? weight : 0))),
        );
        return {
          score,
          said: units.length === 0 ? 0 : sum(told) / whole,
          lent: units.length === 0 ? 0 : sum(lent) / whole,
          isWhole: things.length > 0 && things.every((unit) => holds(fields, unit)),
        };
      };
      return ranked(
        inSight
          .filter((row) => asksFor.has(row))
          .map((row) => {
            const { score: sum, said, lent, isWhole } = own(row);
            const coverage = Math.min(1, said + lent);
            const score = sum * Math.sqrt(coverage);
            return {
              id: row.id,
              score,
              ofBest: Math.min(1, score / ((K1 + 1) * whole)),
              coverage,
              ...(lent > 0 && { lent }),
              ...(isWhole && { isWhole: true as const }),
            };
          }),
        limit,
      );
    },
    async matchVector(given, identity, where, limit) {
      const vector = checkedVector(given, identity, "vector");
      const open = spaces(where.reach);
      const hasVector = ({ id, space }: StoredMemory) =>
        open.includes(space) && state().vectors.has(vectorKey(id, identity));
      if (![...state().memories.values()].some(hasVector)) return undefined;
      const rows = passing(state(), open, where);
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

/** How often a row says a term, by where it stands. */
function weightedFrequency(term: string, fields: Fields): number {
  return sum(
    Object.entries(FIELD_WEIGHTS).map(([field, weight]) => {
      const tokens = fields[field as keyof typeof FIELD_WEIGHTS];
      return weight * tokens.filter((token) => token === term).length;
    }),
  );
}

type Fields = Readonly<Record<keyof typeof FIELD_WEIGHTS, readonly string[]>>;

interface Way {
  readonly terms: readonly { readonly text: string }[];
  readonly idf: number;
}

/** Rows beside a row in its session that share its space and state, each with the share of it that is lent. */
function neighboursOf(
  { id, session, authorId, space, turn, captureKey, ...row }: StoredMemory,
  all: readonly StoredMemory[],
): { readonly id: number; readonly row: StoredMemory; readonly weight: number }[] {
  const context = contextOf({ session, authorId, turn, captureKey });
  if (context === undefined) return [];
  const beside = all.filter(
    (each) => contextOf(each) === context && each.space === space && stateOf(each) === stateOf(row),
  );
  const [before, after] = [beside.filter((each) => each.id < id).toReversed(), beside.filter((each) => each.id > id)];
  const lent = (rows: readonly StoredMemory[], weights: readonly number[]) =>
    rows.slice(0, weights.length).map((each, at) => ({ id: each.id, row: each, weight: weights[at] ?? 0 }));
  return [...lent(before, LENT_BY_BEFORE), ...lent(after, LENT_BY_AFTER)];
}

const contextOf = ({
  session,
  authorId,
  turn,
  captureKey,
}: Pick<StoredMemory, "session" | "authorId" | "turn" | "captureKey">): string | undefined =>
  turn?.conversationId ??
  (session === undefined || captureKey === undefined ? undefined : sessionKey(authorId, session));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Grams repeat what words say. */
const holds = (fields: Readonly<Record<string, readonly string[]>>, { alternatives }: Unit): boolean =>
  alternatives.some(({ terms }) =>
    terms.every(({ text }) => Object.values(fields).some((tokens) => tokens.includes(text))),
  );

function ranked<H extends Omit<Hit, "rank">>(rows: readonly H[], limit: number, above = 0): (H & Pick<Hit, "rank">)[] {
  return rows
    .filter(({ score }) => score > above)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
    .map((row, at) => ({ ...row, rank: at + 1 }));
}

function fieldsOf(row: StoredMemory): Record<keyof typeof FIELD_WEIGHTS, readonly string[]> {
  return {
    title: segment(`${row.entity.name} ${row.title ?? ""}`).words.split(" "),
    tags: segment(row.tags.join(" ")).words.split(" "),
    words: row.text.words.split(" "),
    grams: row.text.grams.split(" "),
  };
}

function madeBetween(rows: readonly StoredMemory[]): Overview["made"] {
  const [oldest, ...others] = rows.map(({ createdAt }) => createdAt).sort((a, b) => a.getTime() - b.getTime());
  return oldest && { oldest, newest: others.at(-1) ?? oldest };
}

const MOST_FILES = 10;

function leftIn({ touches, consolidations }: State, open: readonly Space[], rows: readonly StoredMemory[]) {
  const uses = [...touches.values()].filter(({ space }) => open.includes(space));
  const files = Map.groupBy(
    uses.filter(({ operation }) => operation === "edit" || operation === "write"),
    ({ path }) => pathKeyOf(path),
  );
  const topFiles = [...files.values()]
    .map((edits) => ({
      path:
        edits
          .map(({ path }) => path)
          .toSorted()
          .at(-1) ?? "",
      edits: edits.length,
    }))
    .sort((a, b) => b.edits - a.edits || (a.path < b.path ? -1 : 1));
  const sessions = [
    ...rows.flatMap(({ session, authorId }) => (session === undefined ? [] : [sessionKey(authorId, session)])),
    ...uses.map(({ session, memberId }) => sessionKey(memberId, session)),
  ];
  return {
    topFiles: topFiles.slice(0, MOST_FILES),
    sessions: new Set(sessions).size,
    consolidations: rows.filter(({ id }) => consolidations.get(id)?.isUndone === false).length,
  };
}

function editsIn({ touches }: State, open: readonly Space[]): Overview["edits"] {
  const edits = [...touches.values()].filter(
    ({ operation, space }) => (operation === "edit" || operation === "write") && open.includes(space),
  );
  const count = (values: readonly string[]) => new Set(values).size;
  return {
    edits: edits.length,
    files: count(edits.map(({ path }) => pathKeyOf(path))),
    sessions: count(edits.map(({ session, memberId }) => sessionKey(memberId, session))),
  };
}

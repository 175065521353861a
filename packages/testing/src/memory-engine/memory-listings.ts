import {
  type CategorySummary,
  isPinned,
  type Link,
  type Listings,
  MAINTENANCE,
  type Reach,
  type SessionSummary,
  type Share,
  type Space,
  stateOf,
  type TagCount,
} from "@chest/core";
import { nameOf, passing } from "./memory-filter.ts";
import { plain, type State, type StoredMemory } from "./memory-state.ts";

export function listings(state: () => State, spaces: (reach: Reach) => readonly Space[]): Listings {
  const open = (id: number): StoredMemory | undefined => {
    const row = state().memories.get(id);
    return row && spaces("everywhere").includes(row.space) ? row : undefined;
  };
  return {
    async tags({ where, limit, offset }) {
      const counts = tagsOf(passing(state(), spaces(where.reach), where));
      return { total: counts.length, tags: counts.slice(offset, offset + limit) };
    },
    async categories({ where, tags, sample }) {
      const byCategory = Map.groupBy(passing(state(), spaces(where.reach), where), ({ category }) => category);
      return [...byCategory]
        .map(([category, rows]): CategorySummary => {
          const best = rows.toSorted(
            (a, b) => b.importance - a.importance || b.confidence - a.confidence || newest(a, b),
          );
          return {
            category,
            total: rows.length,
            tags: tagsOf(rows).slice(0, tags),
            sample: best.slice(0, sample).map((row) => plain(row, state())),
          };
        })
        .sort((a, b) => b.total - a.total || ((a.category ?? "") < (b.category ?? "") ? -1 : 1));
    },
    async statistics(reach) {
      const within = [...state().memories.values()].filter(({ space }) => spaces(reach).includes(space));
      const count = (wanted: string) => within.filter((row) => stateOf(row) === wanted).length;
      return {
        shares: within
          .filter((row) => stateOf(row) === "live")
          .map((row) => shareOf(state(), row, spaces("everywhere"))),
        archived: count("archived"),
        superseded: count("superseded"),
      };
    },
    async links(ids) {
      return state()
        .links.map(
          ({ from, to, type, note, isManual, author = MAINTENANCE.name, at = new Date(0) }): Link => ({
            from,
            to,
            type,
            note,
            isManual,
            author,
            createdAt: at,
          }),
        )
        .filter(({ from, to }) => (ids.includes(from) || ids.includes(to)) && open(from) && open(to))
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.from - a.from || b.to - a.to);
    },
    async sessions({ reach, limit, offset }) {
      const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
      const left = rows.filter(({ session }) => session !== undefined);
      const sessions = [...Map.groupBy(left, ({ session, authorId }) => `${authorId} ${session}`).values()].map((of) =>
        sessionSummary(of.toSorted(newest), state(), { open: spaces(reach), opened: spaces("everywhere") }),
      );
      const sorted = sessions.sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
      return { total: sorted.length, sessions: sorted.slice(offset, offset + limit) };
    },
    async openings(reach, since) {
      const rows = passing(state(), spaces(reach), { reach, withArchived: false, withSuperseded: false });
      const days = rows
        .flatMap(({ id }) => state().readers.get(id) ?? [])
        .flatMap(({ at }) => (at >= since ? [at.toISOString().slice(0, 10)] : []));
      const counts = Map.groupBy(days.toSorted(), (day) => day);
      return [...counts].map(([day, { length }]) => ({ day, openings: length }));
    },
    async names(memories) {
      const opened = spaces("everywhere");
      return {
        authors: new Map(memories.map(({ authorId }) => [authorId, nameOf(state(), authorId)])),
        projects: new Map(
          memories.flatMap(({ projectId }) => {
            const key = keyOf(state(), projectId, opened);
            return projectId === undefined || key === undefined ? [] : [[projectId, key]];
          }),
        ),
      };
    },
    async readings(id, limit) {
      if (!open(id)) return [];
      const readers = state().readers.get(id) ?? [];
      return readers.toReversed().slice(0, limit);
    },
    async parts(id) {
      const row = open(id);
      if (!row) return undefined;
      const paths = (row.files ?? []).toSorted();
      return {
        client: row.client,
        files: paths.map((path) => ({ path, role: "about" })),
        sources: row.sources ?? [],
      };
    },
  };
}

const newest = (a: StoredMemory, b: StoredMemory): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id;

/** A session as its memories tell of it, the newest of them first. */
function sessionSummary(
  [last, ...others]: readonly StoredMemory[],
  state: State,
  { open, opened }: { readonly open: readonly Space[]; readonly opened: readonly Space[] },
): SessionSummary {
  if (!last) throw new Error("a session without a memory");
  const edits = [...state.touches.values()].filter(
    ({ session, memberId, operation, space }) =>
      session === last.session &&
      memberId === last.authorId &&
      (operation === "edit" || operation === "write") &&
      open.includes(space),
  );
  return {
    id: last.session ?? "",
    author: nameOf(state, last.authorId),
    project: keyOf(state, last.projectId, opened),
    memories: 1 + others.length,
    edits: edits.length,
    firstAt: (others.at(-1) ?? last).createdAt,
    lastAt: last.createdAt,
  };
}

function tagsOf(rows: readonly StoredMemory[]): TagCount[] {
  const byTag = Map.groupBy(
    rows.flatMap(({ tags }) => tags),
    (tag) => tag,
  );
  return [...byTag]
    .map(([tag, { length }]) => ({ tag, count: length }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
}

/** Key of a project that is among the open ones. */
const keyOf = ({ projects }: State, projectId: number | undefined, opened: readonly Space[]): string | undefined =>
  opened.includes(`p${projectId}`) ? [...projects].find(([, id]) => id === projectId)?.[0] : undefined;

function shareOf(state: State, row: StoredMemory, opened: readonly Space[]): Share {
  return {
    layer: row.layer,
    category: row.category,
    author: nameOf(state, row.authorId),
    project: keyOf(state, row.projectId, opened),
    memories: 1,
    pinned: Number(isPinned(row)),
    titled: Number(row.title !== undefined),
    tagged: Number(row.tags.length > 0),
    sourced: Number((row.sources ?? []).length > 0),
    stale: Number(row.sources?.some(({ status }) => status === "stale" || status === "missing") ?? false),
    verified: Number(row.lastVerifiedAt !== undefined),
    shown: 0,
    useful: 0,
    bytes: Buffer.byteLength(row.content),
  };
}

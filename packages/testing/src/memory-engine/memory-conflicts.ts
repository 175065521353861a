import {
  type Clock,
  type ConflictReads,
  type ConflictWrites,
  fingerprintOf,
  type Memory,
  type NewMemory,
  nearPairs,
  placedFor,
  type Reach,
  type Space,
  sharedBits,
  stateOf,
  withoutSettled,
} from "@chest/core";
import { plain, type State, type StoredMemory } from "./memory-state.ts";

const isPair = (link: { readonly from: number; readonly to: number }, one: number, other: number): boolean =>
  (link.from === one && link.to === other) || (link.from === other && link.to === one);

const isSettling = ({ type, isManual }: State["links"][number]): boolean => type === "related_to" && isManual;

export function conflictReads(state: () => State, spaces: (reach: Reach) => readonly Space[]): ConflictReads {
  const open = (reach: Reach) =>
    state()
      .links.filter(({ type }) => type === "contradicts")
      .flatMap((link) => {
        const [newer, older] = [state().memories.get(link.from), state().memories.get(link.to)];
        if (!newer || !older || stateOf(newer) !== "live" || stateOf(older) !== "live") return [];
        const isOpen = spaces(reach).includes(newer.space) && spaces(reach).includes(older.space);
        return isOpen ? [{ ...link, newer, older }] : [];
      });
  return {
    async opponents(ids) {
      const found = new Map<number, number[]>();
      const add = (id: number, other: number) => {
        if (ids.includes(id))
          found.set(
            id,
            [...new Set([...(found.get(id) ?? []), other])].sort((a, b) => a - b),
          );
      };
      for (const { from, to } of open("everywhere")) {
        add(from, to);
        add(to, from);
      }
      return found;
    },
    async conflicts({ reach, limit, offset }) {
      const all = open(reach).sort((a, b) => Number(b.at ?? 0) - Number(a.at ?? 0) || b.from - a.from || b.to - a.to);
      const pairs = all.slice(offset, offset + limit).map(({ newer, older, note, at = new Date(0) }) => ({
        newer: plain(newer, state()),
        older: plain(older, state()),
        note,
        notedAt: at,
      }));
      return { total: all.length, pairs };
    },
    async duplicates({ reach, tagLikeness, limit, offset }) {
      const rows = [...state().memories.values()].filter(
        (row) => stateOf(row) === "live" && spaces(reach).includes(row.space),
      );
      const all = withoutSettled(
        nearPairs(rows, tagLikeness),
        state()
          .links.filter((link) => link.type === "contradicts" || isSettling(link))
          .map(({ from, to }) => [from, to]),
      );
      const pairs = all.slice(offset, offset + limit).map(({ ids, ...found }) => {
        const [newer, older] = ids.map((id) => plain(state().memories.get(id) as StoredMemory, state())) as [
          Memory,
          Memory,
        ];
        return { newer, older, ...found };
      });
      return { total: all.length, pairs };
    },
  };
}

interface Bound {
  readonly reads: Pick<ConflictReads, "opponents">;
  readonly clock: Clock;
  readonly author: string;
  /** Keeps a version of a memory. */
  version(id: number, op: string, reason?: string): void;
  /** Tells where a memory that is to be stored will lie. */
  spaceOfDraft(draft: NewMemory): Space;
}

export function conflictWrites(state: State, { reads, clock, author, version, spaceOfDraft }: Bound): ConflictWrites {
  const link = (from: Memory, to: Memory, type: string, note: string, isManual: boolean) =>
    state.links.push({ from: from.id, to: to.id, type, note, isManual, author, at: clock.now() });
  const unlink = (isMeant: (link: State["links"][number]) => boolean): number => {
    const kept = state.links.filter((each) => !isMeant(each));
    return state.links.splice(0, state.links.length, ...kept).length - kept.length;
  };
  return {
    opponents: reads.opponents,
    async alike(memory, limit) {
      const placed = placedFor(memory, spaceOfDraft);
      const own = fingerprintOf(placed.content);
      return [...state.memories.values()]
        .filter((row) => row.entity.id === placed.entity.id && row.space === placed.space && row.id !== placed.id)
        .filter((row) => stateOf(row) === "live")
        .map((row) => ({ row, share: sharedBits(own, fingerprintOf(row.content)) }))
        .filter(({ share }) => share > 0)
        .sort((a, b) => b.share - a.share || b.row.id - a.row.id)
        .slice(0, limit)
        .map(({ row }) => plain(row, state));
    },
    async note(newer, older, reason) {
      const isSaid = state.links.some(
        (each) =>
          isPair(each, newer.id, older.id) &&
          (each.type === "contradicts" || (each.type === "related_to" && each.isManual)),
      );
      if (!isSaid) link(newer, older, "contradicts", reason, false);
      return !isSaid;
    },
    async annotate(one, other, remark) {
      for (const [at, each] of state.links.entries()) {
        const { note = "" } = each;
        if (each.type !== "contradicts" || !isPair(each, one.id, other.id) || note.includes(remark)) continue;
        state.links[at] = { ...each, note: note === "" ? remark : `${note}; ${remark}` };
      }
    },
    async withdraw({ id }) {
      unlink(({ from, to, type, isManual }) => type === "contradicts" && !isManual && (from === id || to === id));
    },
    async settle(one, other, reason) {
      for (const { id } of [one, other]) version(id, "settle", reason);
      unlink((each) => each.type === "contradicts" && isPair(each, one.id, other.id));
      link(one, other, "related_to", reason, true);
    },
    async settled(one, other) {
      const link = state.links.find((each) => isSettling(each) && isPair(each, one.id, other.id));
      return link && (link.note ?? "");
    },
    async reopen(one, other, as) {
      unlink((each) => each.type === "related_to" && isPair(each, one.id, other.id));
      for (const { id } of [one, other]) version(id, "reopen");
      if (as === "alike") return;
      unlink((each) => each.type === "contradicts" && isPair(each, one.id, other.id));
      const [older, newer] = one.id < other.id ? [one, other] : [other, one];
      link(newer, older, "contradicts", "reopened", true);
    },
  };
}

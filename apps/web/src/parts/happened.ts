import type { Get } from "../api/queries.ts";

type Event = Get<"/events">["events"][number];

/** Changes of one kind by one member, made close together and shown as one sentence. */
export interface Happened {
  readonly seq: string;
  readonly at: string;
  readonly op: string;
  readonly member: string | null;
  /** Ids of the changed memories, each once, the last changed one first. */
  readonly ids: readonly number[];
}

/** Operation of writes that Chest makes by itself: vectors, and results of maintenance. */
const OWN_WORK = "write";

/** Whether an event is worth showing. Chest's own writes change nothing that a member reads. */
export const isTold = ({ op }: Pick<Event, "op">): boolean => op !== OWN_WORK;

const TOGETHER_MS = 30 * 60_000;

/** Groups events, newest first, so that each group can be shown as one sentence. */
export function gather(events: readonly Event[]): readonly Happened[] {
  const groups: { seq: string; at: string; until: string; op: string; member: string | null; ids: number[] }[] = [];
  for (const { seq, at, op, member, memory_ids } of events) {
    const last = groups.at(-1);
    const isSame =
      last?.op === op &&
      last.member === member &&
      new Date(last.at).toDateString() === new Date(at).toDateString() &&
      Date.parse(last.until) - Date.parse(at) < TOGETHER_MS;
    if (!isSame) {
      groups.push({ seq, at, until: at, op, member, ids: [...new Set(memory_ids)] });
      continue;
    }
    last.until = at;
    last.ids.push(...memory_ids.filter((id) => !last.ids.includes(id)));
  }
  return groups;
}

import type { Get } from "../api/queries.ts";

type Event = Get<"/events">["events"][number];

/** Changes of one kind by one member, close to each other: one sentence. */
export interface Happened {
  readonly seq: string;
  readonly at: string;
  readonly op: string;
  readonly member: string | null;
  /** Each once, the last changed first. */
  readonly ids: readonly number[];
}

/** Operation of writes that no call asked for: vectors, and what maintenance works out. */
const OWN_WORK = "write";

/** Whether an event tells a reader something: what Chest works out by itself changes nothing that is read. */
export const isTold = ({ op }: Pick<Event, "op">): boolean => op !== OWN_WORK;

const TOGETHER_MS = 30 * 60_000;

/** Gathers events, the newest first, into what is told in one sentence each. */
export function gather(events: readonly Event[]): readonly Happened[] {
  const told: { seq: string; at: string; until: string; op: string; member: string | null; ids: number[] }[] = [];
  for (const { seq, at, op, member, memory_ids } of events) {
    const last = told.at(-1);
    const isSame =
      last?.op === op &&
      last.member === member &&
      new Date(last.at).toDateString() === new Date(at).toDateString() &&
      Date.parse(last.until) - Date.parse(at) < TOGETHER_MS;
    if (!isSame) {
      told.push({ seq, at, until: at, op, member, ids: [...new Set(memory_ids)] });
      continue;
    }
    last.until = at;
    last.ids.push(...memory_ids.filter((id) => !last.ids.includes(id)));
  }
  return told;
}

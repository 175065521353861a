import { noSuchMemory } from "../access/refusals.ts";
import { dayOf } from "../answers/answer-text.ts";
import { type MemoryListRow, rowLine, rowsOf } from "../answers/row.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { changeWords } from "../memory/past-version.ts";
import type { Link } from "../ports/listings.ts";
import { historyOf } from "../resources/history.ts";
import { cut } from "../text/cut.ts";
import { defineView } from "./view.ts";

export type ShownVersion = {
  readonly version: number;
  readonly content: string;
  readonly until?: string;
  readonly ended_by?: string;
  readonly changed_by?: string;
  readonly reason?: string;
  readonly moved_from?: string;
  readonly moved_to?: string;
  readonly trigger?: unknown;
  readonly written_by?: string;
  readonly model?: string;
};

const MAX_LINE = 300;

/** Versions of one memory, newest first, with the present one. */
export const history = defineView({
  needs: ["id"],
  limit: 20,
  line({
    version,
    content,
    until,
    ended_by: op,
    changed_by: by,
    reason,
    moved_from: from,
    moved_to: to,
    trigger,
    written_by: writer,
    model,
  }: ShownVersion) {
    const end =
      until === undefined
        ? "now"
        : `until ${dayOf(until)}, ${changeWords(op, from, to)} by ${by}${reason ? ` (${reason})` : ""}`;
    const on = trigger === undefined ? "" : `, shown on ${cut(JSON.stringify(trigger), MAX_LINE)}`;
    const written = writer === undefined ? "" : `, written by ${model ?? writer}`;
    return framed(`version ${version}, ${end}${written}${on}: ${cut(content, MAX_LINE)}`);
  },
  async read({ id = 0, limit, offset }, { store }) {
    const found = await historyOf({ id, limit, offset }, store);
    if (!found) throw noSuchMemory(id);
    return { total: found.total, items: found.versions as readonly ShownVersion[], facts: { ...found.fields } };
  },
});

/** Memories with a direct link from or to one memory. */
export const related = defineView({
  needs: ["id"],
  limit: 20,
  line({ type, direction, note, memory }: RelatedMemory) {
    const arrow = direction === "to" ? `${type} →` : `← ${type}`;
    return `${framed(arrow)} ${rowLine(memory)}${note === undefined ? "" : framed(` (${note})`)}`;
  },
  async read({ id = 0, limit, offset }, { store }) {
    if (!(await store.memories.byId(id))) throw noSuchMemory(id);
    const links = await store.listings.links([id]);
    const shown = links.slice(offset, offset + limit);
    const others = await store.memories.byIds(shown.map((link) => otherEnd(link, id)));
    const rows = new Map((await rowsOf(others, store)).map((row) => [row.id, row]));
    return { total: links.length, items: shown.flatMap((link) => relatedOf(link, id, rows)) };
  },
});

const otherEnd = ({ from, to }: Link, id: number): number => (from === id ? to : from);

export type RelatedMemory = {
  readonly type: string;
  /** Whether the link points to the requested memory, or from it. */
  readonly direction: "to" | "from";
  readonly note?: string;
  readonly origin: "manual" | "auto";
  readonly author: string;
  readonly created_at: number;
  readonly memory: MemoryListRow;
};

/** A link as seen from one end; undefined if the other end no longer exists. */
export function relatedOf(link: Link, id: number, rows: ReadonlyMap<number, MemoryListRow>): RelatedMemory[] {
  const memory = rows.get(otherEnd(link, id));
  if (!memory) return [];
  return [
    {
      type: link.type,
      direction: link.from === id ? "to" : "from",
      ...(link.note === undefined ? {} : { note: link.note }),
      origin: link.isManual ? "manual" : "auto",
      author: link.author,
      created_at: seconds(link.createdAt),
      memory,
    },
  ];
}

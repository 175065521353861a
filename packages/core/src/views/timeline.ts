import { noSuchMemory } from "../access/refusals.ts";
import { counted } from "../answers/answer-text.ts";
import { type MemoryListRow, rowLine, rowsOf } from "../answers/row.ts";
import { tiersOf } from "../continuity/tiers.ts";
import { timelineOf } from "../continuity/timeline.ts";
import { defineView, type ViewPorts, type ViewRequest } from "./view.ts";

const AROUND = 5;
/** Most rows before, most rows after, and the anchor. */
const MOST_AROUND = 101;

/** Memories of one project around one of them, or around the best hit of a query, in order of time. */
export const timeline = defineView({
  needs: [],
  limit: MOST_AROUND,
  line: (row: MemoryListRow & { readonly anchor?: true }) => `${row.anchor ? "→ " : ""}${rowLine(row)}`,
  async read({ reach, id, query, before = AROUND, after = AROUND, limit, offset }, ports) {
    const { anchor, memories, movedFrom } = await timelineOf(
      { reach, project: projectOf(reach, ports), id, query, before, after },
      ports,
    );
    if (!anchor && id !== undefined && !(await ports.store.memories.byId(id))) throw noSuchMemory(id);
    const rows = await rowsOf(memories.slice(offset, offset + limit), ports.store);
    return {
      total: memories.length,
      items: rows.map((row) => (row.id === anchor?.id ? { ...row, anchor: true as const } : row)),
      facts: {
        ...(anchor ? { anchor: anchor.id } : {}),
        ...(movedFrom === undefined ? {} : { moved_from: movedFrom }),
      },
    };
  },
});

interface Tier {
  readonly tier: "working" | "active" | "archive";
  /** First memories of the two nearer tiers; the last tier has only a count. */
  readonly memories?: readonly MemoryListRow[];
  readonly count?: number;
}

/** Memories by how near they are to the current work: current, recent, and archive. */
export const tiers = defineView({
  needs: [],
  limit: 3,
  line: ({ tier, memories = [], count }: Tier) =>
    [
      count === undefined ? `${tier}:` : `${tier}: ${counted(count, "memory", "memories")}`,
      ...memories.map((row) => `  ${rowLine(row)}`),
    ].join("\n"),
  async read({ reach, session, limit, offset }, ports) {
    const { store, clock } = ports;
    const { working, active, archive } = await tiersOf(
      { reach, project: projectOf(reach, ports), session: session ?? (await store.sessions.current()) },
      store,
      clock.now(),
    );
    const items: Tier[] = [
      { tier: "working", memories: await rowsOf(working, store) },
      { tier: "active", memories: await rowsOf(active, store) },
      { tier: "archive", count: archive },
    ];
    return { total: items.length, items: items.slice(offset, offset + limit) };
  },
});

/** The project of the request, the caller's own by default; undefined for all in reach. */
const projectOf = (reach: ViewRequest["reach"], { caller }: ViewPorts): string | undefined =>
  typeof reach === "object" ? reach.projectKey : reach === "here" ? caller.project : undefined;

import type { Reach } from "../access/space.ts";
import { type Memory, stateOf } from "../memory/memory.ts";
import { candidatesByQuery } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import type { ToolPorts } from "../tool.ts";

/** Anchor of a timeline, and how many memories to show before and after it. */
export interface TimelineQuery {
  readonly reach: Reach;
  /** Key of the project whose memories are shown; undefined: all in reach. */
  readonly project: string | undefined;
  readonly id?: number | undefined;
  /** If no id is given, the best hit of this query is the anchor. */
  readonly query?: string | undefined;
  readonly before: number;
  readonly after: number;
}

export interface Timeline {
  /** Undefined if nothing is stored. */
  readonly anchor: Memory | undefined;
  /** In order of time, including the anchor. */
  readonly memories: readonly Memory[];
  /** The memory that the caller named, if its successor is shown instead. */
  readonly movedFrom?: number;
}

const MOST_STEPS = 20;

/** Memories of a project around one of them in order of time; without an anchor, the newest. */
export async function timelineOf(request: TimelineQuery, ports: ToolPorts): Promise<Timeline> {
  const { memories } = ports.store;
  const found = await anchorOf(request, ports);
  if (found === "missing") return { anchor: undefined, memories: [] };
  const { reach, project, before, after } = request;
  const where = { reach, fromProject: project, withArchived: false, withSuperseded: false } as const;
  const [newest] = found === undefined ? await memories.newest(where, 1) : [];
  const anchor = found ?? newest;
  if (!anchor) return { anchor: undefined, memories: [] };
  const around = await memories.around(anchor, where, { before, after });
  const moved = request.id !== undefined && request.id !== anchor.id ? { movedFrom: request.id } : {};
  return { anchor, memories: [...around.before, anchor, ...around.after], ...moved };
}

/** Finds the anchor by id or query; for a superseded memory, its successor. */
async function anchorOf(request: TimelineQuery, ports: ToolPorts): Promise<Memory | undefined | "missing"> {
  if (request.id === undefined) return request.query === undefined ? undefined : bestOf(request, request.query, ports);
  let memory = await ports.store.memories.byId(request.id);
  for (let step = 0; step < MOST_STEPS && memory && stateOf(memory) === "superseded"; step++) {
    memory = await ports.store.memories.byId(memory.supersededById ?? 0);
  }
  if (!memory) return "missing";
  return stateOf(memory) === "live" ? memory : undefined;
}

async function bestOf({ reach, project }: TimelineQuery, query: string, ports: ToolPorts) {
  const { ranking, clock, store } = ports;
  const filter = { reach, fromProject: project, withArchived: false, withSuperseded: false };
  const { candidates } = await candidatesByQuery(
    {
      query: readQuery(query, ranking.synonyms),
      filter,
      band: undefined,
      sort: "relevance",
      maxTokens: 1000,
      limit: 1,
      offset: 0,
      ignoreDecay: false,
      active: (await store.identities()).active,
      ranking,
      now: clock.now(),
    },
    ports,
  );
  for await (const { memory } of candidates) return memory;
  return undefined;
}

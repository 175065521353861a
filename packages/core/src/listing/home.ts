import { endpoints } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { Reach } from "../access/space.ts";
import { rowsOf } from "../answers/row.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { workId } from "../continuity/work-reference.ts";
import { defineOperation } from "../operation.ts";
import type { Clock } from "../ports/clock.ts";
import { type Gap, MOST_GAPS } from "../ports/gaps.ts";
import type { Store } from "../ports/store.ts";
import { waitingCounts } from "./inbox.ts";

const HOME_FIELDS = {
  read: z.strictObject({
    since: z
      .enum(["look", "day", "week"])
      .default("look")
      .describe("Since the member last looked, or for a day or a week"),
  }),
  look: z.strictObject({ until: z.int().min(0).describe("Moment up to which all was seen, as an answer gave it") }),
} as const;

const HOUR_MS = 3_600_000;
const SPAN_MS = { day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
const [MOST_WORK, MOST_HANDOFFS, MOST_GAPS_TOLD] = [5, 20, 5] as const;
const MOST_NEWS = { mostNewest: 40, mostRules: 5, mostOpened: 5 } as const;

export interface HomePorts {
  readonly caller: Pick<Caller, "member" | "scopes">;
  readonly clock: Clock;
  /** Questions that found nothing are kept. */
  readonly keepsGaps?: boolean | undefined;
}

/** Everything that the first view of the page tells: what was learned, what helped, what waits, since the member looked. */
export const homeView = defineOperation({
  endpoint: endpoints.home,
  query: HOME_FIELDS.read,
  isPlaced: true,
  async run({ query: { since: asked } }, { store, caller, clock, keepsGaps }) {
    const now = clock.now();
    const looked = await store.home.lookedAt();
    const since =
      asked === "look" ? (looked ?? new Date(now.getTime() - SPAN_MS.day)) : new Date(now.getTime() - SPAN_MS[asked]);
    const [facts, waiting, work, handoffs] = await Promise.all([
      newsSince(since, "everywhere", store, { caller, keepsGaps }),
      waitingCounts("everywhere", store),
      store.work.open(undefined),
      store.sessions.handoffs(MOST_HANDOFFS),
    ]);
    return {
      _notice: NOTICE,
      ok: true as const,
      since: seconds(since),
      until: seconds(now),
      ...(looked === undefined ? {} : { looked_at: seconds(looked) }),
      ...facts,
      waiting,
      work: {
        total: work.length,
        items: work.slice(0, MOST_WORK).map(({ id, title, priority, author }) => ({
          ...{ id: workId(id), title, priority, author },
        })),
      },
      handoffs: handoffs
        .filter(({ takenBy }) => takenBy === undefined)
        .map(({ session, createdAt, text }) => ({ session_id: session, at: seconds(createdAt), text })),
    };
  },
});

/** Facts of a span of time, for the first view of the page and for a digest: learned, rules of colleagues, helped, unanswered. */
export async function newsSince(
  since: Date,
  reach: Reach,
  store: Pick<Store, "gaps" | "home" | "listings" | "memories">,
  { caller, keepsGaps }: Omit<HomePorts, "clock">,
) {
  const mayAskGaps = keepsGaps && caller.scopes.has("operate");
  const [news, gaps] = await Promise.all([
    store.home.news(reach, { since, ...MOST_NEWS }),
    mayAskGaps ? store.gaps.list(MOST_GAPS) : undefined,
  ]);
  const ids = new Set([...news.newest, ...news.rules, ...news.mostOpened.map(({ id }) => id)]);
  const rows = new Map((await rowsOf(await store.memories.byIds([...ids]), store)).map((row) => [row.id, row]));
  const listed = (request: readonly number[]) => request.flatMap((id) => rows.get(id) ?? []);
  const times = new Map(news.mostOpened.map(({ id, times: count }) => [id, count]));
  const isAsked = ({ lastAt, project }: Gap) =>
    lastAt >= since && (typeof reach !== "object" || project === reach.projectKey);
  return {
    learned: {
      total: news.projects.reduce((sum, { memories }) => sum + memories, 0),
      projects: news.projects.map(({ key, memories }) => ({
        ...(key === undefined ? {} : { project: key }),
        memories,
      })),
      memories: listed(news.newest),
    },
    rules: listed(news.rules),
    helped: {
      opened: news.opened,
      memories: listed(news.mostOpened.map(({ id }) => id)).map((row) => ({ ...row, times: times.get(row.id) ?? 0 })),
    },
    ...(gaps
      ? {
          gaps: gaps
            .filter(isAsked)
            .slice(0, MOST_GAPS_TOLD)
            .map(({ question, times: n }) => ({ question, times: n })),
        }
      : {}),
  };
}

/** Notes that a member has seen what was new. A moment that is still to come counts as now. */
export const noteLook = defineOperation({
  endpoint: endpoints.look,
  body: HOME_FIELDS.look,
  isPlaced: true,
  async run({ body: { until } }, { store, clock }) {
    const at = new Date(Math.min(until * 1000, clock.now().getTime()));
    await store.write(async (tx) => tx.home.look(at));
    return { ok: true as const, looked_at: seconds(at) };
  },
});

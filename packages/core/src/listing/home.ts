import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { Reach } from "../access/space.ts";
import { rowsOf } from "../answers/row.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { workId } from "../continuity/work-reference.ts";
import type { Clock } from "../ports/clock.ts";
import { type Gap, MOST_GAPS } from "../ports/gaps.ts";
import type { Store } from "../ports/store.ts";
import { readFields } from "../tool.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { liveIn } from "../views/view.ts";
import { waitingCounts } from "./inbox.ts";

export const HOME_FIELDS = {
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
const [MOST_LEARNED, MOST_RULES, MOST_WORK, MOST_HANDOFFS, MOST_GAPS_TOLD] = [40, 5, 5, 20, 5] as const;
/** Rules among which those of colleagues are looked for. */
const MOST_LOOKED = 30;

export interface HomePorts {
  readonly caller: Pick<Caller, "member" | "scopes">;
  readonly clock: Clock;
  /** Questions that found nothing are kept. */
  readonly keepsGaps: boolean;
}

/** Everything that the first view of the page tells: what was learned, what helped, what waits, since the member looked. */
export async function homeView(given: unknown, store: Store, { caller, clock, keepsGaps }: HomePorts) {
  const { since: asked } = readFields(HOME_FIELDS.read, given);
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
}

/** Facts of a span of time, for the first view of the page and for a digest: learned, rules of colleagues, helped, unanswered. */
export async function newsSince(
  since: Date,
  reach: Reach,
  store: Pick<Store, "gaps" | "home" | "listings" | "memories">,
  { caller, keepsGaps }: Omit<HomePorts, "clock">,
) {
  const where = liveIn(reach, { since, withoutRules: JOURNAL_RULES });
  const page = { order: "newest" as const, offset: 0 };
  const mayAskGaps = keepsGaps && caller.scopes.has("operate");
  const [news, fresh, rules, gaps] = await Promise.all([
    store.home.news(reach, since),
    store.memories.browse({ ...page, where, limit: MOST_LEARNED }),
    store.memories.browse({ ...page, where: { ...where, layers: ["realize"] }, limit: MOST_LOOKED }),
    mayAskGaps ? store.gaps.list(MOST_GAPS) : undefined,
  ]);
  const opened = await store.memories.byIds(news.mostOpened.map(({ id }) => id));
  const [learned, colleagues, helpful] = await Promise.all([
    rowsOf(fresh.memories, store),
    rowsOf(rules.memories.filter(({ authorId }) => authorId !== caller.member.id).slice(0, MOST_RULES), store),
    rowsOf(opened, store),
  ]);
  const times = new Map(news.mostOpened.map(({ id, times: count }) => [id, count]));
  const isAsked = ({ lastAt, project }: Gap) =>
    lastAt >= since && (typeof reach !== "object" || project === reach.projectKey);
  return {
    learned: {
      total: fresh.total,
      projects: news.projects.map(({ key, memories }) => ({
        ...(key === undefined ? {} : { project: key }),
        memories,
      })),
      memories: learned,
    },
    rules: colleagues,
    helped: {
      opened: news.opened,
      memories: helpful
        .map((row) => ({ ...row, times: times.get(row.id) ?? 0 }))
        .sort((a, b) => b.times - a.times || b.id - a.id),
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
export async function noteLook(given: unknown, store: Store, clock: Clock) {
  const { until } = readFields(HOME_FIELDS.look, given);
  const at = new Date(Math.min(until * 1000, clock.now().getTime()));
  await store.write(async (tx) => tx.home.look(at));
  return { ok: true as const, looked_at: seconds(at) };
}

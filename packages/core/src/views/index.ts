import { archived, conversations, flagged, important, promotions, recent, session, tag, triggers } from "./lists.ts";
import { history, related } from "./of-one.ts";
import { contradictions, duplicates } from "./pairs.ts";
import { stale } from "./stale.ts";
import { categories, stats, tags } from "./sums.ts";
import { tiers, timeline } from "./timeline.ts";
import type { AnyView } from "./view.ts";

/** All views by name. To add one, add a value in a file here and a line below. */
export const VIEWS = {
  recent,
  important,
  timeline,
  session,
  related,
  history,
  archived,
  contradictions,
  duplicates,
  flagged,
  promotions,
  stale,
  tags,
  tag,
  categories,
  tiers,
  stats,
  conversations,
  triggers,
} as const satisfies Readonly<Record<string, AnyView>>;

export type ViewName = keyof typeof VIEWS;

/** Item of a view, as it answers. */
export type ViewItem<Name extends ViewName> = Awaited<ReturnType<(typeof VIEWS)[Name]["read"]>>["items"][number];

export const VIEW_NAMES = Object.keys(VIEWS) as [ViewName, ...ViewName[]];

export { sessionReplay } from "./session-replay.ts";

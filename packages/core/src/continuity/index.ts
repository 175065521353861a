export type { GitState } from "./git-state.ts";
export { tiersOf } from "./tiers.ts";
export { type TimelineQuery, timelineOf } from "./timeline.ts";

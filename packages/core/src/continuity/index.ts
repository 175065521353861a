export type { GitState } from "./git-state.ts";
export { tiersOf } from "./tiers.ts";
export { type TimelineAsked, timelineOf } from "./timeline.ts";

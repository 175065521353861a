import type { Caller } from "./caller.ts";
import type { Space, Visibility } from "./space.ts";

/** Members who let others' memories through to the team, and whose own need no review. */
export const isReviewer = ({ scopes }: Pick<Caller, "scopes">): boolean => scopes.has("admin");

/** Whether the visibility that a caller wants waits for a reviewer, where there is a review. */
export const waitsForReview = (wanted: Visibility, hasReview: boolean | undefined, caller: Caller): boolean =>
  hasReview === true && wanted === "team" && !isReviewer(caller);

/** Projects that lie in some spaces. What waits in one is private, in a space that no reviewer opens. */
export function placesOf(spaces: readonly Space[]): {
  readonly projectIds: readonly number[];
  readonly isAtLarge: boolean;
} {
  const projectIds = spaces.flatMap((space) => (/^p\d+$/.test(space) ? [Number(space.slice(1))] : []));
  return { projectIds, isAtLarge: spaces.includes("team") };
}

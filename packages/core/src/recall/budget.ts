import { estimateTokens } from "../text/tokens.ts";

/** Fewer tokens than this left are not worth another item. */
const CRUMB = 40;

export interface Packed<T> {
  readonly taken: readonly T[];
  /** Looked at, but too long for what was left. */
  readonly passedOver: readonly T[];
  /** How many were looked at: the next page starts after them. */
  readonly seen: number;
  readonly stoppedBy: "tokens" | "limit" | "end";
}

/** Takes items in order while they fit; what does not fit is passed over and the next is tried. One always comes. */
export function pack<T>(items: readonly T[], maxTokens: number, limit: number): Packed<T> {
  const taken: T[] = [];
  const passedOver: T[] = [];
  let left = maxTokens;
  let seen = 0;
  for (const item of items) {
    if (taken.length >= limit) return { taken, passedOver, seen, stoppedBy: "limit" };
    if (left < CRUMB) return { taken, passedOver, seen, stoppedBy: "tokens" };
    seen += 1;
    const cost = estimateTokens(JSON.stringify(item));
    if (cost <= left) {
      taken.push(item);
      left -= cost;
    } else {
      passedOver.push(item);
    }
  }
  const [first, ...others] = passedOver;
  if (taken.length > 0 || first === undefined) {
    return { taken, passedOver, seen, stoppedBy: passedOver.length > 0 ? "tokens" : "end" };
  }
  return { taken: [first], passedOver: others, seen, stoppedBy: others.length > 0 ? "tokens" : "end" };
}

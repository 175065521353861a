import { estimateTokens } from "../text/tokens.ts";

/** Fewer tokens than this left are not worth another item. */
const CRUMB = 40;
/** So many that do not fit, one after the other, and the page is full: they begin the next one. */
const PATIENCE = 20;

export interface Packed<T> {
  readonly taken: readonly T[];
  /** Looked at, but too long for what was left. */
  readonly passedOver: readonly T[];
  /** How many were looked at: the next page starts after them. */
  readonly seen: number;
  readonly stoppedBy: "tokens" | "limit" | "end";
}

/** Takes items in order while they fit; what does not fit is passed over and the next is tried. One always comes. */
export async function pack<T>(
  items: AsyncIterable<T> | Iterable<T>,
  maxTokens: number,
  limit: number,
): Promise<Packed<T>> {
  const looked: Looked<T>[] = [];
  let left = maxTokens;
  let count = 0;
  let misses = 0;
  for await (const item of items) {
    if (count >= limit) return packed(looked, "limit");
    if (left < CRUMB) return packed(looked, "tokens");
    if (misses >= PATIENCE) return full(looked, count, "tokens");
    const cost = estimateTokens(JSON.stringify(item));
    const isTaken = cost <= left;
    looked.push({ item, isTaken, fitsPage: cost <= maxTokens });
    misses = isTaken ? 0 : misses + 1;
    if (isTaken) {
      left -= cost;
      count += 1;
    }
  }
  return full(looked, count, "end");
}

interface Looked<T> {
  readonly item: T;
  readonly isTaken: boolean;
  readonly fitsPage: boolean;
}

/** The page when no more of what was looked at fits: what another page has room for begins that one. */
function full<T>(looked: readonly Looked<T>[], count: number, after: "tokens" | "end"): Packed<T> {
  const [first, ...others] = looked;
  if (first && count === 0)
    return packed([{ ...first, isTaken: true }, ...others], others.length > 0 ? "tokens" : after);
  const lastTaken = looked.findLastIndex(({ isTaken }) => isTaken);
  const next = looked.findIndex(({ fitsPage }, at) => at > lastTaken && fitsPage);
  if (next >= 0) return packed(looked.slice(0, next), "tokens");
  return packed(looked, looked.length > count ? "tokens" : after);
}

function packed<T>(looked: readonly Looked<T>[], stoppedBy: Packed<T>["stoppedBy"]): Packed<T> {
  const which = (isTaken: boolean) => looked.filter((each) => each.isTaken === isTaken).map(({ item }) => item);
  return { taken: which(true), passedOver: which(false), seen: looked.length, stoppedBy };
}

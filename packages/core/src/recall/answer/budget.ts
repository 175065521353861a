import { estimateTokens } from "../../text/tokens.ts";

/** Fewer tokens than this left are not worth another item. */
const CRUMB = 40;
/** After so many in a row that do not fit, the page is full: they begin the next one. */
const PATIENCE = 20;

/** Something that may come on a page. */
export interface Offer<T> {
  /** It costs no less than this: what surely does not fit is not made. */
  readonly leastTokens: number;
  make(): T;
}

export interface Packed<T> {
  readonly taken: readonly T[];
  /** How many were looked at: the next page starts after them. Those not taken were too long for what was left. */
  readonly seen: number;
  readonly stoppedBy: "tokens" | "limit" | "end";
}

/**
 * Takes items in order while they fit; what does not fit is passed over and the next is tried. One always comes.
 * @param leastItem tokens that any item takes: with fewer left no other is looked at
 */
export async function pack<T>(
  offers: AsyncIterable<Offer<T>> | Iterable<Offer<T>>,
  maxTokens: number,
  limit: number,
  leastItem = CRUMB,
): Promise<Packed<T>> {
  const looked: Looked<T>[] = [];
  let left = maxTokens;
  let count = 0;
  let misses = 0;
  for await (const offer of offers) {
    if (count >= limit) return packed(looked, "limit");
    if (count > 0 && left < leastItem) return packed(looked, "tokens");
    if (misses >= PATIENCE) return full(looked, count, maxTokens, "tokens");
    const item = offer.leastTokens <= left ? offer.make() : undefined;
    const cost = item === undefined ? Number.POSITIVE_INFINITY : tokensOf(item);
    const isTaken = cost <= left;
    looked.push({ offer, item, isTaken });
    misses = isTaken ? 0 : misses + 1;
    if (isTaken) {
      left -= cost;
      count += 1;
    }
  }
  return full(looked, count, maxTokens, "end");
}

interface Looked<T> {
  readonly offer: Offer<T>;
  readonly item: T | undefined;
  readonly isTaken: boolean;
}

const tokensOf = (item: unknown): number => estimateTokens(JSON.stringify(item));

/** The page when no more of what was looked at fits: what another page has room for begins that one. */
function full<T>(looked: readonly Looked<T>[], count: number, maxTokens: number, after: "tokens" | "end"): Packed<T> {
  const [first, ...others] = looked;
  if (first && count === 0)
    return packed([{ ...first, isTaken: true }, ...others], others.length > 0 ? "tokens" : after);
  const lastTaken = looked.findLastIndex(({ isTaken }) => isTaken);
  const fitsPage = ({ offer, item }: Looked<T>) =>
    offer.leastTokens <= maxTokens && tokensOf(item ?? offer.make()) <= maxTokens;
  const next = looked.findIndex((each, at) => at > lastTaken && fitsPage(each));
  if (next >= 0) return packed(looked.slice(0, next), "tokens");
  return packed(looked, looked.length > count ? "tokens" : after);
}

function packed<T>(looked: readonly Looked<T>[], stoppedBy: Packed<T>["stoppedBy"]): Packed<T> {
  const taken = looked.filter(({ isTaken }) => isTaken).map(({ offer, item }) => item ?? offer.make());
  return { taken, seen: looked.length, stoppedBy };
}

import { estimateTokens } from "../../text/tokens.ts";

/** If fewer tokens than this are left, no other item is tried. */
const CRUMB = 40;
/** After this many items in a row that do not fit, the page is full; they start the next page. */
const PATIENCE = 20;

/** An item that may be put on a page. */
export interface Offer<T> {
  /** Lower bound of its cost, so that items that cannot fit are not rendered. */
  readonly leastTokens: number;
  make(): T;
}

export interface Packed<T> {
  readonly selected: readonly T[];
  /**
   * Number of items examined: the next page starts after them. Examined items that are not on the page were too long.
   */
  readonly examined: number;
  readonly stoppedBy: "tokens" | "limit" | "end";
}

/** Share of a page that a first item which is too long for it gets, beside others. */
export const FIRST_SHARE = 0.5;

/**
 * Takes items in order while they fit and skips those that do not. The first always comes if it may be cut; else only
 * if no other fits.
 * @param leastItem least tokens of any item: with fewer left, no other is tried
 */
export async function pack<T>(
  offers: AsyncIterable<Offer<T>> | Iterable<Offer<T>>,
  maxTokens: number,
  limit: number,
  { leastItem = CRUMB, mayCut = false }: { readonly leastItem?: number | undefined; readonly mayCut?: boolean } = {},
): Promise<Packed<T>> {
  const looked: Looked<T>[] = [];
  let left = maxTokens;
  let count = 0;
  let misses = 0;
  for await (const offer of offers) {
    if (count >= limit) return packed(looked, "limit");
    if (count > 0 && left < leastItem) return packed(looked, "tokens");
    if (misses >= PATIENCE) return full(looked, count, maxTokens, "tokens");
    const isCut = mayCut && looked.length === 0;
    const item = isCut || offer.leastTokens <= left ? offer.make() : undefined;
    const whole = item === undefined ? Number.POSITIVE_INFINITY : tokensOf(item);
    const cost = isCut && whole > left ? FIRST_SHARE * left : whole;
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

/** Builds a full page; items that did not fit start the next page. */
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
  const selected = looked.filter(({ isTaken }) => isTaken).map(({ offer, item }) => item ?? offer.make());
  return { selected, examined: looked.length, stoppedBy };
}

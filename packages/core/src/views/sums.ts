import { counted } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { round } from "../answers/wire.ts";
import { LAYERS } from "../memory/layer.ts";
import { titleOf } from "../memory/summary-text.ts";
import type { CategorySummary, Share, Statistics } from "../ports/listings.ts";
import { defineView, liveIn } from "./view.ts";

/** Every tag with its number of memories, the most frequent first. */
export const tags = defineView({
  needs: [],
  limit: 50,
  line: ({ tag, count }: { tag: string; count: number }) => framed(`${tag}: ${count}`),
  async read({ reach, category, limit, offset }, { store }) {
    const { total, tags } = await store.listings.tags({ where: liveIn(reach, { category }), limit, offset });
    return { total, items: tags };
  },
});

const TOP_TAGS = 5;
const SAMPLES = 10;

/** Categories with their totals, their tags and the best of each. */
export const categories = defineView({
  needs: [],
  limit: 20,
  line: (item: ReturnType<typeof categoryItem>) =>
    [
      framed(`${item.category ?? "no category"}: ${counted(item.total, "memory", "memories")}`),
      ...(item.tags.length > 0
        ? [framed(`  tags ${item.tags.map(({ tag, count }) => `${tag} ${count}`).join(", ")}`)]
        : []),
      ...item.sample.map(({ id, title }) => `  [memory:${id}] ${framed(title)}`),
    ].join("\n"),
  async read({ reach, category, limit, offset }, { store }) {
    const all = await store.listings.categories({
      where: liveIn(reach, { category }),
      tags: TOP_TAGS,
      sample: SAMPLES,
    });
    return { total: all.length, items: all.slice(offset, offset + limit).map(categoryItem) };
  },
});

const categoryItem = ({ category, total, tags, sample }: CategorySummary) => ({
  category: category ?? null,
  total,
  tags: [...tags],
  sample: sample.map((memory) => ({
    id: memory.id,
    title: titleOf(memory),
    importance: memory.importance,
    confidence: round(memory.confidence, 3),
  })),
});

const DAY_MS = 86_400_000;
/** Days in `by_day`; `GET /stats?series=day` goes back further. */
const DAYS = 14;

type CreatedOnDay = { readonly day: string; readonly memories: number };

/** Totals of what the caller may see here, with the number of new memories per day. */
export const stats = defineView({
  needs: [],
  limit: 1,
  line: (item: ReturnType<typeof statsOf>) =>
    Object.entries(item)
      .map(([name, value]) => framed(`${name}: ${typeof value === "object" ? sharesOf(value) : value}`))
      .join("\n"),
  async read({ reach }, { store, clock }) {
    const since = new Date(clock.now().getTime() - DAYS * DAY_MS);
    const [{ active }, sums, days] = await Promise.all([
      store.identities(),
      store.listings.statistics(reach),
      store.memories.activity(reach, since),
    ]);
    const pending = await store.memories.countPending(reach, active);
    return { total: 1, items: [statsOf(sums, pending, days)] };
  },
});

const sharesOf = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

function statsOf({ shares, archived, superseded }: Statistics, pending: number, days: readonly CreatedOnDay[]) {
  const sum = (of: keyof { [K in keyof Share as Share[K] extends number ? K : never]: 1 }) =>
    shares.reduce((total, share) => total + share[of], 0);
  const by = (key: (share: Share) => string) => {
    const counts = new Map<string, number>();
    for (const share of shares) counts.set(key(share), (counts.get(key(share)) ?? 0) + share.memories);
    return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
  };
  const memories = sum("memories");
  const share = (part: number) => (memories === 0 ? 0 : round(part / memories, 3));
  const layers = by(({ layer }) => layer);
  return {
    memories,
    pinned: sum("pinned"),
    archived,
    superseded,
    pending,
    stale: sum("stale"),
    content_bytes: sum("bytes"),
    by_layer: Object.fromEntries(LAYERS.map((layer) => [layer, layers[layer] ?? 0])),
    by_category: by(({ category }) => category ?? "none"),
    by_author: by(({ author }) => author),
    by_project: by(({ project }) => project ?? "none"),
    by_day: Object.fromEntries(days.map(({ day, memories }) => [day, memories])),
    quality: {
      with_title: share(sum("titled")),
      with_tags: share(sum("tagged")),
      with_source: share(sum("sourced")),
      verified: share(sum("verified")),
    },
    shown: sum("shown"),
    useful: sum("useful"),
  };
}

import { LAYERS, type Layer } from "../memory/layer.ts";
import { isPinned, type Memory } from "../memory/memory.ts";
import type { Category } from "../memory/metadata.ts";
import { summaryText } from "../memory/summary-text.ts";
import type { Filter } from "../ports/search.ts";
import type { Store } from "../ports/store.ts";
import { estimateTokens } from "../text/tokens.ts";
import { JOURNAL_RULES, RETELLING_RULES, type SourceRule, TURN_RULE } from "../transcript/candidate.ts";
import { decayedValue } from "./decayed-value.ts";

/** Layers that a briefing shows: emotions are shown only on request. */
export const SHOWN_LAYERS: readonly Layer[] = LAYERS.filter((layer) => layer !== "emotion");

/** Category that a briefing never shows: skills are found by searching. */
export const NOT_UNASKED: Category = "skill";

/** Rules of captured rows that describe work, or list a session's edits. */
export const WORK_LOG_RULES: readonly SourceRule[] = [...RETELLING_RULES, "file_edit"];

/** Rules of captured rows that no briefing shows: the session journal and conversation turns. */
export const NEVER_UNASKED: readonly SourceRule[] = [...JOURNAL_RULES, TURN_RULE];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_OF_A_LAYER = 3;
// Most rows read from each group, so that notes of one busy day do not push out older lessons.
const LOOKED_AT = 60;
// Below this number of recent rows, older rows are shown as well: an idle project still has knowledge.
const FEW = 5;
const HEAD_TOKENS = 30;
const WIDTH = 300;

/** Days to look back for rows of importance below .5, below .75 and above, by the number of rows stored per day. */
const WINDOWS = [
  { perDay: 10, ages: [12 * HOUR_MS, 3 * DAY_MS, 14 * DAY_MS] },
  { perDay: 3, ages: [24 * HOUR_MS, 7 * DAY_MS, 30 * DAY_MS] },
  { perDay: 0, ages: [48 * HOUR_MS, 14 * DAY_MS, 60 * DAY_MS] },
] as const;

export interface BriefingScope {
  /** Only rows of this project; undefined: of all projects that the caller may see. */
  readonly project: string | undefined;
  /** Ids that are not to be shown. */
  readonly shown: readonly number[];
  readonly now: Date;
}

/**
 * Chooses rows for the start of a session, by value per length, at most three of each layer. Recent rows come first; if
 * there are few, the best older rows follow.
 */
export async function briefingRows({ memories }: Store, { project, shown, now }: BriefingScope): Promise<Memory[]> {
  const where: Filter = {
    reach: "here",
    fromProject: project,
    // The fix of one failure is shown when that failure happens again.
    withoutRules: [...NEVER_UNASKED, "fix"],
    withoutCategory: NOT_UNASKED,
    withArchived: false,
    withSuperseded: false,
    isFlagged: false,
  };
  const week = new Date(now.getTime() - 7 * DAY_MS);
  const groups: readonly (readonly Layer[])[] = [["goal"], ["learning", "realize"], ["implementation", "context"]];
  const [recent, ...found] = await Promise.all([
    memories.newest({ ...where, since: week }, 7 * WINDOWS[0].perDay + 1),
    ...groups.map((layers) => memories.newest({ ...where, layers }, LOOKED_AT)),
  ]);
  const ages = (WINDOWS.find(({ perDay }) => recent.length / 7 > perDay) ?? WINDOWS[2]).ages;
  const ranked = fullest(found.flat())
    .filter(({ id }) => !shown.includes(id))
    .map((memory) => ({ memory, value: decayedValue(memory, now) / Math.sqrt(costOf(memory)) }))
    .sort((a, b) => rankOf(a.memory) - rankOf(b.memory) || b.value - a.value || b.memory.id - a.memory.id)
    .map(({ memory }) => memory);
  const fresh = ranked.filter((memory) => isWithin(memory, ages, now));
  const older = ranked.filter((memory) => !fresh.includes(memory) && memory.importance >= 0.5);
  return [...capped(fresh), ...capped(older).slice(0, Math.max(0, FEW - fresh.length))];
}

/** Keeps the longest of the rows that begin with the same line, as several fixes of one failure do. */
function fullest(memories: readonly Memory[]): Memory[] {
  const best = new Map<string, Memory>();
  for (const memory of memories) {
    const [first = ""] = memory.content.split("\n", 1);
    const before = best.get(first);
    if (!before || memory.content.length > before.content.length) best.set(first, memory);
  }
  return [...best.values()];
}

/** Goals come first, because the other rows serve them. */
const rankOf = ({ layer }: Memory): number => (layer === "goal" ? 0 : 1);

/** Tokens of a row as shown, including its heading. */
const costOf = ({ content }: Memory): number => HEAD_TOKENS + estimateTokens(summaryText(content).slice(0, WIDTH));

function isWithin(memory: Memory, [low, middle, high]: readonly [number, number, number], now: Date): boolean {
  if (memory.layer === "goal" || isPinned(memory)) return true;
  const age = now.getTime() - memory.createdAt.getTime();
  return age <= (memory.importance < 0.5 ? low : memory.importance < 0.75 ? middle : high);
}

function capped(memories: readonly Memory[]): Memory[] {
  const counts = new Map<Layer, number>();
  return memories.filter(({ layer }) => {
    const before = counts.get(layer) ?? 0;
    counts.set(layer, before + 1);
    return before < MOST_OF_A_LAYER;
  });
}

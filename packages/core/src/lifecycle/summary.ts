import type { Layer } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import { MAX_TAGS } from "../memory/tags.ts";
import { jaccard, type WordPrints } from "./cluster.ts";

/** Fields that a summary is made from. */
export type Summarised = Pick<Memory, "id" | "content" | "createdAt" | "importance" | "layer" | "tags"> & {
  readonly words: WordPrints;
};

export interface Summary<T> {
  readonly members: readonly T[];
  readonly content: string;
  readonly importance: number;
  readonly tags: readonly string[];
}

export const SUMMARY_LAYER: Layer = "learning";
const LEAST_IMPORTANCE = 0.55;
const PATTERN_CHARS = 300;
// A full stop before a blank, a CJK one anywhere, and every line.
const SENTENCES = /(?<=[.!?]["')\]]?)\s+|(?<=[。！？])|[\r\n]+/u;

/**
 * One summary per cluster, or several if one would exceed the limit of a memory. A memory that would be alone in a
 * summary is left as it is.
 */
export function summariesOf<T extends Summarised>(cluster: readonly T[], maxChars: number): Summary<T>[] {
  const summaries: Summary<T>[] = [];
  let members: T[] = [];
  const finish = () => {
    if (members.length >= 2) summaries.push(summaryOf(members));
    members = [];
  };
  for (const member of cluster) {
    if (members.length > 0 && contentOf([...members, member]).length > maxChars) finish();
    members.push(member);
  }
  finish();
  return summaries;
}

function summaryOf<T extends Summarised>(members: readonly T[]): Summary<T> {
  const mean = members.reduce((sum, { importance }) => sum + importance, 0) / members.length;
  return {
    members,
    content: contentOf(members),
    importance: Math.max(LEAST_IMPORTANCE, Math.round(mean * 1000) / 1000),
    tags: [...new Set(members.flatMap(({ tags }) => tags))].slice(0, MAX_TAGS),
  };
}

/** Every member in full, repeated sentences once: a question that finds one of them finds this. */
function contentOf(members: readonly Summarised[]): string {
  const times = members.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)).sort();
  const said = new Set<string>();
  const exemplars = members.flatMap(({ content }) =>
    sentencesOf(content).filter((sentence) => !said.has(sentence) && said.add(sentence)),
  );
  const summary = {
    source: "consolidation",
    original_layer: members[0]?.layer,
    count: members.length,
    period: `${times[0]}/${times.at(-1)}`,
    pattern: patternOf(members),
    exemplars,
    replaced_ids: members.map(({ id }) => id),
  };
  return JSON.stringify(summary, undefined, 1);
}

/** The first sentence of the one that has most in common with the others. */
function patternOf(members: readonly Summarised[]): string {
  const common = (one: Summarised) => members.reduce((sum, other) => sum + jaccard(one.words, other.words), 0);
  const typical = members.reduce((best, member) => (common(member) > common(best) ? member : best));
  const [first = ""] = sentencesOf(typical.content);
  return Array.from(first).slice(0, PATTERN_CHARS).join("");
}

/** Split by lines and sentences; a line break inside a JSON string would stick to the word after it. */
const sentencesOf = (content: string): string[] =>
  content.split(SENTENCES).flatMap((sentence) => sentence.replace(/[\t\v\f]+/g, " ").trim() || []);

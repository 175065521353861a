import type { Clock } from "../../ports/clock.ts";

/**
 * Rows that the pages of a question have looked at, in order. The next page leaves out just these, instead of counting
 * rows: what was written or archived meanwhile makes it neither repeat nor skip.
 */
export interface Pages {
  /** Returns the first rows that a question looked at; undefined when the pages are forgotten. */
  lookedAt(question: string, count: number): readonly number[] | undefined;
  note(question: string, ids: readonly number[]): void;
}

const KEPT_MS = 15 * 60_000;
const MOST_QUESTIONS = 500;

/** Remembers the latest questions for a while, in this process: without it, pages go by the count. */
export function recentPages({ now }: Clock): Pages {
  const known = new Map<string, { readonly ids: readonly number[]; readonly at: number }>();
  return {
    lookedAt(question, count) {
      const page = known.get(question);
      if (!page || now().getTime() - page.at > KEPT_MS || page.ids.length < count) return undefined;
      return page.ids.slice(0, count);
    },
    note(question, ids) {
      known.delete(question);
      known.set(question, { ids, at: now().getTime() });
      const [oldest] = known.keys();
      if (known.size > MOST_QUESTIONS && oldest !== undefined) known.delete(oldest);
    },
  };
}

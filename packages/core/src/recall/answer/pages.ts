import type { Clock } from "../../ports/clock.ts";

/**
 * Ids of the rows that earlier pages of a question examined. The next page leaves out exactly these, so that rows
 * written or archived in between cause neither repeats nor gaps.
 */
export interface Pages {
  /** The first rows that a question examined; undefined if they are no longer remembered. */
  lookedAt(question: string, count: number): readonly number[] | undefined;
  note(question: string, ids: readonly number[]): void;
}

const KEPT_MS = 15 * 60_000;
const MOST_QUESTIONS = 500;

/** Remembers the pages of recent questions for a while, in this process; otherwise pages are counted by offset. */
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

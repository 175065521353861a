import { diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { text } from "../../i18n/index.ts";

/** Longer texts are compared only in their first part, because comparing two long texts would block the page. */
const MOST = 50_000;

interface WordDiffProps {
  readonly before: string;
  readonly after: string;
  /** The text may scroll, so the keyboard must be able to reach it. */
  readonly isRegion?: true;
}

/** Wordings side by side in one text: added and removed words marked, also for those who see no colour. */
export function WordDiff({ before, after, isRegion }: WordDiffProps) {
  const parts = useMemo(
    () => diffWordsWithSpace(before.slice(0, MOST), after.slice(0, MOST), { intlSegmenter: segmenter }),
    [before, after],
  );
  return (
    <div
      className="stored"
      dir="auto"
      {...(isRegion && { tabIndex: 0, role: "region", "aria-label": text.memory.content })}
    >
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index} ${added ? "+" : removed ? "-" : ""}`;
        if (added) return <ins key={key}>{value}</ins>;
        if (removed) return <del key={key}>{value}</del>;
        return <span key={key}>{value}</span>;
      })}
    </div>
  );
}

// Chinese and Japanese have no spaces between words.
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

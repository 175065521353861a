import { beginningsMeant, isMeantBy } from "@chest/core/text";
import type { Connection } from "../database/connection.ts";
import { bytesOfTerm, checked, termsOn, Unreadable } from "./fts5/pages.ts";
import { asParameter, PAGE_ID, PAGE_OF_TERM, segmentsOf } from "./fts5/segments.ts";

/** Takes a character of a term more or less. */
const BYTES_OF_ONE = 3;

/**
 * All terms of the text index that a typo may stand for, in no order. They are not filtered or cut here: which of them
 * the caller may know of is decided later, and a cut must not depend on the others.
 */
export function nearTerms(connection: Connection, typed: string): string[] {
  const beginnings = beginningsMeant(typed);
  if (beginnings.length === 0) return [];
  try {
    return connection.snapshot(() => {
      const segments = asParameter(segmentsOf(connection) ?? []);
      const terms = beginnings.flatMap((beginning) => [...termsFrom(connection, segments, beginning, typed)]);
      return [...new Set(terms)];
    });
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return [];
    throw error;
  }
}

function* termsFrom(connection: Connection, segments: string, beginning: string, typed: string): Generator<string> {
  const least = bytesOfTerm(beginning);
  const past = Buffer.concat([least, Buffer.of(0xff)]); // No byte of a text in UTF-8.
  const bytes = bytesOfTerm(typed).length;
  const pages = connection.all<{ block: Buffer }>(PAGES, least, segments, least, past);
  for (const { block } of pages)
    for (const term of termsOn(checked(block))) {
      if (Math.abs(term.length - bytes) > BYTES_OF_ONE) continue;
      const text = term.toString("utf8", 1);
      if (text.startsWith(beginning) && isMeantBy(text, typed)) yield text;
    }
}

/** Selects, for each segment, the page on which a term would begin, and the pages of later terms. */
const PAGES = `WITH begun AS (${PAGE_OF_TERM}),
  pages AS (
    SELECT segment, page FROM begun
    UNION ALL
    SELECT segment, pgno >> 1 FROM begun CROSS JOIN memory_fts_idx ON segid = segment AND term > ? AND term < ?)
  SELECT block FROM pages CROSS JOIN memory_fts_data ON id = ${PAGE_ID}`;

import type { Memory } from "../memory/memory.ts";
import { titleOf } from "../memory/summary-text.ts";
import { MAX_TAGS } from "../memory/tags.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday in a count of milliseconds that begins with a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Most importance of a captured memory that a digest takes. */
export const DIGEST_BELOW = 0.35;
export const DIGEST_IMPORTANCE = 0.6;
/** A week is summarised this many days after its end: a session that continues later adds nothing to it. */
export const DIGEST_AFTER_DAYS = 21;
const FEWEST = 3;
const BULLET_CHARS = 200;

/** Fields that a digest is made from. */
export interface Digestible extends Pick<Memory, "id" | "createdAt" | "title" | "content" | "tags"> {
  /** Notes of one place alone are put together: those of the same readers, project and entity. */
  readonly place: string;
}

export interface Digest<T> {
  readonly members: readonly T[];
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** The median of its members. */
  readonly createdAt: Date;
}

export interface DigestLimits {
  /** Longest content of one digest, in UTF-16 units. */
  readonly maxChars: number;
  /** Most notes that are replaced at once, but for one digest that has more by itself. */
  readonly cap: number;
}

/** Puts notes of one place and one ISO week together by their titles, where there are three or more. */
export function digestsOf<T extends Digestible>(
  rows: readonly T[],
  now: Date,
  { maxChars, cap }: DigestLimits,
): { readonly digests: readonly Digest<T>[]; readonly hasMore: boolean } {
  const over = rows.filter(({ createdAt }) => now.getTime() - endOfWeek(createdAt) >= DIGEST_AFTER_DAYS * DAY_MS);
  const inOrder = over.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
  const weeks = Map.groupBy(inOrder, ({ place, createdAt }) => `${place}\n${endOfWeek(createdAt)}`);
  const all = [...weeks.values()].flatMap((week) => parts(week, maxChars).map(digestOf));
  let replaced = 0;
  const first = all.findIndex(({ members }, at) => {
    replaced += members.length;
    return at > 0 && replaced > cap;
  });
  return { digests: first < 0 ? all : all.slice(0, first), hasMore: first >= 0 };
}

/** A week in one part, or in several where its list would be longer than a memory may be; a rest of two stays. */
function parts<T extends Digestible>(week: readonly T[], maxChars: number): T[][] {
  const found: T[][] = [];
  let members: T[] = [];
  for (const row of week) {
    if (members.length > 0 && contentOf([...members, row]).length > maxChars) {
      found.push(members);
      members = [];
    }
    members.push(row);
  }
  return [...found, members].filter(({ length }) => length >= FEWEST);
}

function digestOf<T extends Digestible>(members: readonly T[]): Digest<T> {
  return {
    members,
    title: headOf(members),
    content: contentOf(members),
    tags: [...new Set(members.flatMap(({ tags }) => tags))].slice(0, MAX_TAGS),
    createdAt: members[Math.floor((members.length - 1) / 2)]?.createdAt ?? new Date(0),
  };
}

const headOf = ([first, ...more]: readonly Digestible[]): string =>
  `${more.length + 1} notes from sessions of week ${isoWeek(first?.createdAt ?? new Date(0))}`;

function contentOf(members: readonly Digestible[]): string {
  const bullets = members.map((member) => `- ${Array.from(titleOf(member)).slice(0, BULLET_CHARS).join("")}`);
  return [`${headOf(members)}:`, ...bullets].join("\n");
}

const endOfWeek = (at: Date): number =>
  FIRST_MONDAY_MS + (Math.floor((at.getTime() - FIRST_MONDAY_MS) / WEEK_MS) + 1) * WEEK_MS;

/** Year and week as in ISO 8601: a week belongs to the year of its Thursday. */
function isoWeek(at: Date): string {
  const thursday = new Date(endOfWeek(at) - 4 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

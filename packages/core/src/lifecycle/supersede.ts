import { isProtected, type Memory } from "../memory/memory.ts";
import { conflictOf } from "../statements/merge-guard.ts";
import { isOneStatement } from "../statements/one-statement.ts";

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 90;
const RELATED_FROM = 0.95;

/** Number of newest memories in the same place that a memory is compared with. */
export const MOST_PEERS = 200;

export const DEFAULT_SUPERSEDE_COSINE = 0.97;

/** Relation of two memories of one place: the newer replaces the older, contradicts it, or is near it. */
export type Relation = "supersedes" | "contradicts" | "related_to";

type Compared = Pick<Memory, "id" | "content" | "createdAt" | "importance" | "layer">;

/** Undefined where nothing is to be noted: too far apart in meaning or in time, protected, or of one form only. */
export function relationOf(older: Compared, newer: Compared, cosine: number, from: number): Relation | undefined {
  // Two spellings of one statement are recognised without comparing vectors.
  if (isOneStatement(older.content, newer.content)) return isProtected(older) ? undefined : "supersedes";
  if (cosine < Math.min(RELATED_FROM, from)) return undefined;
  if (newer.createdAt.getTime() - older.createdAt.getTime() > WINDOW_DAYS * DAY_MS) return undefined;
  if (isProtected(older) || isSameForm(older.content, newer.content)) return undefined;
  if (conflictOf(older.content, newer.content) !== undefined) return cosine >= from ? "contradicts" : undefined;
  return cosine >= from ? "supersedes" : "related_to";
}

/** Records of one form have near vectors by their form alone. */
function isSameForm(a: string, b: string): boolean {
  const keys = keysOf(a);
  return keys !== "" && keys === keysOf(b);
}

function keysOf(content: string): string {
  if (!content.trimStart().startsWith("{")) return "";
  try {
    return Object.keys(JSON.parse(content)).sort().join("\n");
  } catch {
    return ""; // Text that only begins like an object.
  }
}

/** Which of two is the older: by creation, then by id. */
export const isOlder = (a: Pick<Memory, "id" | "createdAt">, b: Pick<Memory, "id" | "createdAt">): boolean =>
  a.createdAt.getTime() < b.createdAt.getTime() || (a.createdAt.getTime() === b.createdAt.getTime() && a.id < b.id);

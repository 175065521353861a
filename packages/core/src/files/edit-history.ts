import type { FileHistory, FileHistoryQuery } from "../ports/files/file-history.ts";

/** One change of one file. */
export interface FileEdit {
  /** Key of its path. */
  readonly key: string;
  readonly path: string;
  readonly operation: "edit" | "write";
  /** Id of the session together with its member, because two members may use the same id. */
  readonly session: string;
  readonly atMs: number;
  readonly intent: string | undefined;
  /** Memory that the edit led to. */
  readonly memoryId: number | undefined;
}

/** Shorter ones say nothing. */
const MIN_INTENT = 21;

interface Group {
  edits: number;
  lastMs: number;
  /** Spelling of the path in its newest edit. */
  path: string;
}

/** Sums up edits in one pass: there may be hundreds of thousands, of which a few lines are shown. */
export function editHistory(edits: Iterable<FileEdit>, most: FileHistoryQuery["most"]) {
  const files = new Map<string, Group>();
  const days = new Map<number, Group>();
  const intents = new Map<string, Group>();
  const sessions = new Set<string>();
  const memoryIds = new Set<number>();
  let [count, firstMs, lastMs] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const edit of edits) {
    count += 1;
    firstMs = Math.min(firstMs, edit.atMs);
    lastMs = Math.max(lastMs, edit.atMs);
    sessions.add(edit.session);
    if (edit.memoryId !== undefined) memoryIds.add(edit.memoryId);
    add(files, edit.key, edit);
    add(days, dayOf(edit), edit);
    if (edit.intent !== undefined && edit.intent.length >= MIN_INTENT) add(intents, edit.intent, edit);
  }
  const history: Omit<FileHistory, "match" | "matched" | "memories"> = {
    files: files.size,
    edits: count,
    sessions: sessions.size,
    firstAt: count === 0 ? undefined : new Date(firstMs),
    lastAt: count === 0 ? undefined : new Date(lastMs),
    paths: [...files]
      .sort(([a, one], [b, other]) => other.edits - one.edits || byText(a, b))
      .slice(0, most.paths)
      .map(([, { path, edits }]) => ({ path, edits })),
    days: [...days]
      .sort(([a], [b]) => a - b)
      .slice(-most.days)
      .map(([key, { edits }]) => ({ ...readDay(key), edits })),
    intents: [...intents]
      .sort(([a, one], [b, other]) => other.lastMs - one.lastMs || byText(a, b))
      .slice(0, most.intents)
      .map(([text, { lastMs, edits }]) => ({ text, lastAt: new Date(lastMs), edits })),
  };
  return { history, memoryIds: [...memoryIds] };
}

function add<K>(groups: Map<K, Group>, key: K, { atMs, path }: FileEdit): void {
  const group = groups.get(key);
  if (!group) {
    groups.set(key, { edits: 1, lastMs: atMs, path });
    return;
  }
  group.edits += 1;
  if (atMs < group.lastMs) return;
  group.lastMs = atMs;
  group.path = path;
}

const DAY_MS = 86_400_000;

/** A number, since edits come by the thousand a day and a date is slow to write out. */
const dayOf = ({ atMs, operation }: FileEdit): number => 2 * Math.floor(atMs / DAY_MS) + Number(operation === "write");

const readDay = (day: number): Pick<FileHistory["days"][number], "day" | "operation"> => ({
  day: new Date(Math.floor(day / 2) * DAY_MS).toISOString().slice(0, 10),
  operation: day % 2 === 0 ? "edit" : "write",
});

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

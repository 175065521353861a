import { dayOf } from "../answers/answer-text.ts";
import { type MemoryListRow, rowLine, rowsOf } from "../answers/row.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { round, seconds } from "../answers/wire.ts";
import type { Memory } from "../memory/memory.ts";
import { contradiction } from "../statements/contradiction.ts";
import { cut } from "../text/cut.ts";
import { defineView, type ViewPorts } from "./view.ts";

const LIMIT = 20;
/** Long excerpts, so that most memories of a pair are shown in full. */
const MAX_EXCERPT = 1000;
const LINE_CHARS = 200;
/** Least share of common tags for a near duplicate. */
export const SAME_TAGS_FROM = 0.5;

interface Pair {
  readonly newer: Memory;
  readonly older: Memory;
}

/** Unsettled contradictions, the latest first, with the contradicting sentences. */
export const contradictions = defineView({
  needs: [],
  limit: LIMIT,
  line: ({ newer, older, reason, statements: [one, other] }: ContradictionItem) =>
    [
      framed(`contradiction${reason === null ? "" : ` (${reason})`}:`),
      ...[[newer, one] as const, [older, other] as const].map(
        ([row, statement]) => `  [memory:${row.id}] ${framed(aboutRow(row))}: ${framed(cut(statement, LINE_CHARS))}`,
      ),
    ].join("\n"),
  async read({ reach, part, limit, offset }, ports) {
    const { total, pairs } = await ports.store.conflicts.conflicts({ reach, part, limit, offset });
    const rows = await bothRows(pairs, ports);
    return { total, items: pairs.map((pair, nth) => contradictionItem(pair, rows[nth] as BothRows)) };
  },
});

/** Near duplicates within a space, most similar first. */
export const duplicates = defineView({
  needs: [],
  limit: LIMIT,
  line: ({ newer, older, likeness, by }: BothRows & { readonly likeness: number; readonly by: string }) =>
    [`${Math.round(100 * likeness)} % of their ${by}:`, `  ${rowLine(newer)}`, `  ${rowLine(older)}`].join("\n"),
  async read({ reach, part, limit, offset }, ports) {
    const { total, pairs } = await ports.store.conflicts.duplicates({
      reach,
      part,
      tagLikeness: SAME_TAGS_FROM,
      limit,
      offset,
    });
    const rows = await bothRows(pairs, ports);
    const items = pairs.map(({ likeness, by }, nth) => ({
      ...(rows[nth] as BothRows),
      likeness: round(likeness, 3),
      by,
    }));
    return { total, items };
  },
});

interface BothRows {
  readonly newer: MemoryListRow;
  readonly older: MemoryListRow;
}

async function bothRows(pairs: readonly Pair[], { store }: ViewPorts): Promise<BothRows[]> {
  const memories = pairs.flatMap(({ newer, older }) => [newer, older]);
  const rows = new Map((await rowsOf(memories, store, MAX_EXCERPT)).map((row) => [row.id, row]));
  return pairs.map(({ newer, older }) => ({
    newer: rows.get(newer.id) as MemoryListRow,
    older: rows.get(older.id) as MemoryListRow,
  }));
}

type ContradictionItem = ReturnType<typeof contradictionItem>;

function contradictionItem(
  { newer, older, note, notedAt }: Pair & { readonly note: string | undefined; readonly notedAt: Date },
  rows: BothRows,
) {
  const found = contradiction(newer.content, older.content);
  return {
    ...rows,
    /** The rule that found it; null for a link made by hand. */
    reason: note ?? null,
    noted_at: seconds(notedAt),
    statements: [cut(found?.a ?? newer.content, MAX_EXCERPT), cut(found?.b ?? older.content, MAX_EXCERPT)] as const,
  };
}

const aboutRow = ({ author, created_at, version }: MemoryListRow) =>
  [author, dayOf(created_at), `version ${version}`].join(", ");

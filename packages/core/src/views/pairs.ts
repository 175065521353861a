import { dayOf } from "../answer-text.ts";
import { cut } from "../cut.ts";
import type { Memory } from "../memory/memory.ts";
import { framed } from "../recall/answer/sanitize-for-prompt.ts";
import { contradiction } from "../statements/contradiction.ts";
import { round, seconds } from "../wire.ts";
import { type MemoryListRow, rowLine, rowsOf } from "./row.ts";
import { defineView, type ViewPorts } from "./view.ts";

const LIMIT = 20;
/** Shown beside each other, so that most are whole. */
const MAX_EXCERPT = 1000;
const LINE_CHARS = 200;
/** Least share of tags that makes two much the same. */
export const SAME_TAGS_FROM = 0.5;

interface Pair {
  readonly newer: Memory;
  readonly older: Memory;
}

/** Pairs that contradict each other and are not settled, the last found first, with the sentences in which they do. */
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
  async read({ reach, limit, offset }, ports) {
    const { total, pairs } = await ports.store.conflicts.conflicts({ reach, limit, offset });
    const rows = await bothRows(pairs, ports);
    return { total, items: pairs.map((pair, nth) => contradictionItem(pair, rows[nth] as BothRows)) };
  },
});

/** Pairs of one space that say much the same, the most alike first. */
export const duplicates = defineView({
  needs: [],
  limit: LIMIT,
  line: ({ newer, older, likeness, by }: BothRows & { readonly likeness: number; readonly by: string }) =>
    [`${Math.round(100 * likeness)} % of their ${by}:`, `  ${rowLine(newer)}`, `  ${rowLine(older)}`].join("\n"),
  async read({ reach, limit, offset }, ports) {
    const { total, pairs } = await ports.store.conflicts.duplicates({
      reach,
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
    /** The rule that found it; null where it was linked by hand. */
    reason: note ?? null,
    noted_at: seconds(notedAt),
    statements: [cut(found?.a ?? newer.content, MAX_EXCERPT), cut(found?.b ?? older.content, MAX_EXCERPT)] as const,
  };
}

const aboutRow = ({ author, created_at, version }: MemoryListRow) =>
  [author, dayOf(created_at), `version ${version}`].join(", ");

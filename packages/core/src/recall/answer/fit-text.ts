import { cutToTokens, estimateTokens, MARGIN } from "../../text/tokens.ts";
import { memoryLines, type Recalled, type RecalledRow, recallText } from "../recall-text.ts";
import { FIRST_SHARE } from "./budget.ts";

/** Tokens around the memories: the notice, the tags of the block, and the hint for more. */
const AROUND = 46;
/** Tokens around the text when the budget is too small for hints. */
const AROUND_TIGHT = 28;
/** Tokens of the line that says how to read a shortened memory in full. */
const CUT_LINE = 18;
const LEAST_CONTENT = 8;

/** Rows that fit into the text of an answer. */
export interface Fitted {
  readonly rows: readonly RecalledRow[];
  /** Some rows were left out; they start the next page. */
  readonly isCut: boolean;
}

/**
 * Takes as many rows as fit into the text of an answer. The first row always comes, shortened if necessary: to a share of the text if others follow.
 * @param around the answer without its rows
 * @param more tokens reserved for a text made from the rows
 */
export function fitText(
  rows: readonly RecalledRow[],
  around: Recalled,
  { maxTokens, more, mayCut }: { readonly maxTokens: number; readonly more: number; readonly mayCut: boolean },
): Fitted {
  let left =
    maxTokens / MARGIN -
    more -
    (around.max_tokens === undefined ? AROUND : AROUND_TIGHT) -
    estimateTokens(recallText({ ...around, memories: [] }));
  const kept: RecalledRow[] = [];
  for (const row of rows) {
    const cost = textTokens(row);
    if (cost <= left) {
      kept.push(row);
      left -= cost;
      continue;
    }
    if (kept.length > 0) break;
    const first = mayCut ? shortened(row, rows.length > 1 ? FIRST_SHARE * left : left) : row;
    kept.push(first);
    left -= textTokens(first);
  }
  return { rows: kept, isCut: kept.length < rows.length };
}

const textTokens = (row: RecalledRow): number => estimateTokens(memoryLines(row).join("\n")) + 1;

function shortened(row: RecalledRow, most: number): RecalledRow {
  const { id, entity, layer, match, content, created_at, tokens_to_open } = row;
  const bare = { id, entity: entity && { name: entity.name }, layer, match, created_at, tokens_to_open, content: "" };
  const known = Object.fromEntries(Object.entries(bare).filter(([, value]) => value !== undefined)) as RecalledRow;
  const room = Math.floor(most - textTokens(known) - CUT_LINE);
  return { ...known, content: cutToTokens(content, Math.max(LEAST_CONTENT, room)), content_truncated: true as const };
}

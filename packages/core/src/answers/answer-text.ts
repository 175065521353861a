import { framed, framedLines, NOTICE } from "./sanitize-for-prompt.ts";
import type { Warning } from "./wire.ts";

/** Lines with stored text in them as a block of data. None of it closes the block: `framed` or `framedLines` made it. */
export const dataBlock = (lines: readonly string[], name?: string): string =>
  [`<memory_data${name === undefined ? "" : ` name="${name}"`}>`, ...lines, "</memory_data>"].join("\n");

/**
 * Joins stored text into a data block, under the sentence that tells the agent to treat it as data; empty for no lines.
 */
export const noticedBlock = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [NOTICE, dataBlock(lines)];

/** Indents stored text under a line of Chest, so that a stored line cannot pass for one of Chest. */
export const indented = (text: string): string[] => framedLines(text).map((line) => `  ${line}`.trimEnd());

/** Ids as an agent cites them. */
export const cited = (ids: readonly number[]): string => ids.map((id) => `[memory:${id}]`).join(", ");

/** Keys of an answer that the renderer does not know, such as those of a newer backend. */
export const otherKeys = (others: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(others).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : `${framed(key)}: ${framed(JSON.stringify(value))}`,
  );

export const warningLines = (warnings: readonly Pick<Warning, "message">[] = []): string[] =>
  warnings.map(({ message }) => `warning: ${framed(message)}`);

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The day of a moment: unix seconds, or text in ISO 8601. */
export const dayOf = (at: number | string): string =>
  typeof at === "number" ? new Date(at * 1000).toISOString().slice(0, 10) : at.slice(0, 10);

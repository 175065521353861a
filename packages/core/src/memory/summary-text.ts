import { cutAtWord } from "../text/cut.ts";
import { parsedJson } from "../text/json.ts";
import type { Memory } from "./memory.ts";

/** Reads a summary as sentences: the typical one, then the others. Any other text is returned as it is. */
export function summaryText(content: string): string {
  if (!content.startsWith("{") || !content.includes('"consolidation"')) return content;
  const { source, pattern, exemplars } = Object(parsedJson(content)) as Readonly<Record<string, unknown>>;
  if (source !== "consolidation" || typeof pattern !== "string") return content;
  const others = Array.isArray(exemplars) ? exemplars.filter((each) => typeof each === "string") : [];
  return [pattern, ...others.filter((each) => !each.startsWith(pattern))].join(" ");
}

// A line that ends without a mark runs into the next one when the break between them goes.
const OPEN_END = /(?<=[^\s\p{P}])[^\S\r\n]*[\r\n]+\s*(?=\S)/gu;

/** A content for one line of a block: its sentences, and a semicolon where only a line break set two things apart. */
export const summaryLine = (content: string): string => summaryText(content).trim().replace(OPEN_END, "; ");

const MAX_TITLE = 100;

/** Title of a memory, or the first line of its content, cut to a title's length. */
export const titleOf = ({ title, content }: Pick<Memory, "title" | "content">): string =>
  title ?? cutAtWord(summaryText(content).trimStart().split("\n", 1)[0] ?? "", MAX_TITLE);

import { parsedJson } from "../json.ts";

/** Reads a summary as sentences: the typical one, then the others. Any other text is returned as it is. */
export function summaryText(content: string): string {
  if (!content.startsWith("{") || !content.includes('"consolidation"')) return content;
  const { source, pattern, exemplars } = Object(parsedJson(content)) as Readonly<Record<string, unknown>>;
  if (source !== "consolidation" || typeof pattern !== "string") return content;
  const others = Array.isArray(exemplars) ? exemplars.filter((each) => typeof each === "string") : [];
  return [pattern, ...others.filter((each) => !each.startsWith(pattern))].join(" ");
}

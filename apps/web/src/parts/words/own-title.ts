import { shortened } from "../shortened.ts";

interface Titled {
  readonly title?: string | null | undefined;
  readonly content: string;
}

/** Title of a memory, where it is more than the first words of its text; undefined where they say the same. */
export function ownTitle({ title, content }: Titled): string | undefined {
  if (!title) return undefined;
  const beginning = title.endsWith("…") ? title.slice(0, -1) : title;
  return content.trimStart().startsWith(beginning.trimEnd()) ? undefined : title;
}

/** Name of a memory in a list: its own title, or its text, which the list cuts where its room ends. */
export const nameIn = (row: Titled): string => ownTitle(row) ?? row.content;

const CLAUSE = /^.{20,120}?(?=[.;:!?](?:\s|$)|[。；：！？])/;
const MOST_HEADING = 90;

/** Heading of a memory's page: its own title, or the first clause of its text without the marks of Markdown. */
export function headingOf(memory: Titled): string {
  const own = ownTitle(memory);
  if (own !== undefined) return own;
  const [line = ""] = memory.content.trimStart().split("\n", 1);
  const plain = line.replace(/^[#>*\-\s]+/, "").replace(/[`*]/g, "");
  return CLAUSE.exec(plain)?.[0] ?? shortened(plain, MOST_HEADING);
}

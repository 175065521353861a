import { VIEWS } from "@chest/core/views";
import type { Output } from "../terminal/output.ts";
import { harmless } from "../terminal/strip-control-characters.ts";

/** Renders a page of a view: one line per item, and how many remain. */
export function showView(output: Output, found: Readonly<Record<string, unknown>>): void {
  const {
    view,
    items = [],
    total = 0,
    offset = 0,
  } = found as {
    readonly view?: string;
    readonly items?: readonly object[];
    readonly total?: number;
    readonly offset?: number;
  };
  const known = view !== undefined && Object.hasOwn(VIEWS, view) ? VIEWS[view as keyof typeof VIEWS] : undefined;
  for (const item of items) {
    for (const line of harmless(known ? known.line(item) : JSON.stringify(item)).split("\n")) output.show(line);
  }
  if (total === 0) output.say("nothing found");
  const left = total - offset - items.length;
  if (left > 0) output.say(`${left} more: \`--limit\` raises the number`);
}

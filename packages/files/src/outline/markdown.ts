import type { Part } from "@chest/core/ports";
import type { Node } from "web-tree-sitter";
import { rowsOf } from "./rows.ts";

const DEEPEST = 3;

/** A part from each heading of the first three levels to the next. What only looks like one, in a fence, is none. */
export function headingsOf(root: Node): Part[] {
  const headings = [...headingsIn(root)];
  const end = rowsOf(root).end;
  return headings.map(({ name, start }, at) => ({
    kind: "heading",
    name,
    start,
    end: headings[at + 1]?.start ?? end,
  }));
}

function* headingsIn(section: Node): Generator<{ readonly name: string; readonly start: number }> {
  for (const node of section.namedChildren) {
    if (node.type === "section") yield* headingsIn(node);
    const level = levelOf(node);
    if (level === undefined || level > DEEPEST) continue;
    const name = node.childForFieldName("heading_content")?.text.trim() ?? "";
    yield { name, start: node.startPosition.row };
  }
}

function levelOf(node: Node): number | undefined {
  if (node.type !== "atx_heading" && node.type !== "setext_heading") return undefined;
  const marker = node.children.map(({ type }) => /_h(\d)_/.exec(type)?.[1]).find((level) => level !== undefined);
  return Number(marker ?? 1);
}

import type { Node } from "web-tree-sitter";

/** The lines a node stands on, from 0; `end` is the first after it. */
export function rowsOf({ startPosition, endPosition }: Node): { readonly start: number; readonly end: number } {
  const { row: start } = startPosition;
  // Some grammars count the line break to the node.
  const end = endPosition.column === 0 && endPosition.row > start ? endPosition.row : endPosition.row + 1;
  return { start, end };
}

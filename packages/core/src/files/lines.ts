/** A text's lines, each with its end: joined, they are the text again. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const at = text.indexOf("\n", start);
    const end = at === -1 ? text.length : at + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

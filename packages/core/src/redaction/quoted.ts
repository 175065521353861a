/** An opening quote: its mark and the number of backslashes before it. */
export interface Opening {
  readonly backslashes: number;
  readonly mark: string;
}

const OPENING = /(\\*)("""|'''|["'`])/y;
const LINE_END = /[\n\r]/g;

/** The quote that opens at an offset, with any level of escaping; undefined if there is none. */
export function openingAt(text: string, at: number): (Opening & { readonly length: number }) | undefined {
  OPENING.lastIndex = at;
  const [whole, backslashes, mark] = OPENING.exec(text) ?? [];
  if (whole === undefined || backslashes === undefined || mark === undefined) return undefined;
  return { backslashes: backslashes.length, mark, length: whole.length };
}

/** Finds the end of a quoted text, or the end of the line if the quote is not closed. */
export function closingOf({ backslashes, mark }: Opening, text: string, from: number): number {
  const spansLines = mark.length > 1;
  let run = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") {
      run += 1;
      continue;
    }
    if (!spansLines && (character === "\n" || character === "\r")) return at;
    // Each level of nested JSON doubles the backslashes and adds one before a quote.
    const closes = run < backslashes || run % (2 * (backslashes + 1)) === backslashes;
    if (closes && text.startsWith(mark, at)) return at - Math.min(run, backslashes);
    run = 0;
  }
  return text.length;
}

/** Finds the end of the line at an offset. */
export function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

/** Cuts a text to this many code points; the last one of a cut text is `…`. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A code point has at most two units, so only the beginning of a very long text is split.
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length - 1).join("")}…`;
}

/** Cuts a text by UTF-16 units, in which content limits are counted. */
export const cutToUnits = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

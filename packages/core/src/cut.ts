/** Cuts a text to this many code points; the last one of a cut text is `…`. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A code point is two units at the most: what is far longer is not taken apart for its beginning.
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length - 1).join("")}…`;
}

/** The same by the units that the limits of contents are counted in. */
export const cutToUnits = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** Shortens a label at the end of a word; cuts inside a word only if the word alone is too long. */
export function shortened(label: string, most: number): string {
  if (label.length <= most) return label;
  const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(label.slice(0, most + 30))];
  const last = words.findLast(({ index }) => index <= most)?.index ?? 0;
  return `${label.slice(0, last > most / 2 ? last : most).trimEnd()}…`;
}

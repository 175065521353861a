/** Numbers from 0 to below 1 that a seed decides. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const LINES = ["", "", "}", "const a = 1;", "# heading", "text é 日本 😀", "  return x;", "\tif (y) {", "// note"];

/** A text of up to so many lines: with and without a last line break, of either kind, lines that repeat among them. */
export function randomText(random: () => number, mostLines: number): string {
  const lines = Array.from({ length: Math.floor(random() * mostLines) }, () => {
    const line = LINES[Math.floor(random() * LINES.length)] ?? "";
    return random() < 0.3 ? `${line} ${Math.floor(random() * 1000)}` : line;
  });
  const end = random() < 0.2 ? "\r\n" : "\n";
  return lines.join(end) + (random() < 0.5 ? end : "");
}

/** The text after a few of its lines were taken out, put in or changed. */
export function randomEdit(random: () => number, text: string): string {
  const lines = text.split("\n");
  for (let edits = Math.floor(random() * 4) + 1; edits > 0; edits--) {
    const at = Math.floor(random() * (lines.length + 1));
    const [gone, come] = [Math.floor(random() * 4), Math.floor(random() * 4)];
    lines.splice(at, gone, ...randomText(random, come + 1).split("\n"));
  }
  return lines.join("\n");
}

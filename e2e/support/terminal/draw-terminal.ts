/** A command and its output. */
export interface Scene {
  readonly typed: string;
  readonly lines: readonly string[];
}

const ROWS = 24;
/** Width of the drawn terminal. */
export const COLUMNS = 110;
const LINE_PX = 19;
const PAD_PX = 18;
const LINE_S = 0.12;
const TYPING_S = 1.2;
const READING_S = 3.5;

interface Row {
  readonly text: string;
  readonly isTyped: boolean;
  /** Seconds at which the line appears and disappears. */
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/**
 * Draws scenes as an animated SVG that repeats. Each scene clears the screen, then shows its command, then its lines
 * one after another.
 */
export function drawTerminal(scenes: readonly Scene[]): string {
  let now = 0.3;
  const rows = scenes.flatMap(({ typed, lines }) =>
    screensOf(trimmed(lines).flatMap(wrapped)).flatMap((shown, nth): Row[] => {
      const from = now;
      const to = from + TYPING_S + shown.length * LINE_S + READING_S;
      now = to;
      const begun = (at: number) => from + TYPING_S + at * LINE_S;
      const command = { text: nth === 0 ? `$ ${typed}` : "…", isTyped: true, from, to, at: 0 };
      return [command, ...shown.map((text, at) => ({ text, isTyped: false, from: begun(at), to, at: at + 1 }))];
    }),
  );
  const percent = (seconds: number) => Math.min(100, (seconds / now) * 100).toFixed(2);
  const [width, height] = [COLUMNS * 8.1 + 2 * PAD_PX, ROWS * LINE_PX + 2 * PAD_PX];
  const styles = rows.map(({ from, to }, at) => {
    const [a, b] = [percent(from), percent(to)];
    return `@keyframes r${at}{0%,${a}%{opacity:0}${(Number(a) + 0.01).toFixed(2)}%,${(Number(b) - 0.01).toFixed(2)}%{opacity:1}${b}%,100%{opacity:0}}#r${at}{animation:r${at} ${now.toFixed(1)}s step-end infinite}`;
  });
  const texts = rows.map(
    ({ text, isTyped, at }, id) =>
      `<text id="r${id}" x="${PAD_PX}" y="${PAD_PX + 14 + at * LINE_PX}"${isTyped ? ' class="t"' : ""}>${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: npm start, npm run setup, remember and recall">
<style>text{font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dde5;white-space:pre;opacity:0}.t{fill:#8fd3a8;font-weight:600}${styles.join("")}</style>
<rect width="100%" height="100%" rx="10" fill="#171b21"/>
${texts.join("\n")}
</svg>
`;
}

/** Splits an output into parts that fit on a screen, at an empty line where possible. */
function screensOf(lines: readonly string[]): string[][] {
  if (lines.length < ROWS) return [[...lines]];
  const blank = lines.lastIndexOf("", ROWS - 1);
  const end = blank > 0 ? blank : ROWS - 1;
  return [lines.slice(0, end), ...screensOf(trimmed(lines.slice(end)))];
}

/** Removes empty lines at both ends. */
function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((text) => text !== "");
  const last = lines.findLastIndex((text) => text !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function wrapped(text: string): string[] {
  if (text.length <= COLUMNS) return [text];
  const cut = text.lastIndexOf(" ", COLUMNS);
  const at = cut > COLUMNS / 2 ? cut : COLUMNS;
  return [text.slice(0, at), ...wrapped(`    ${text.slice(at).trimStart()}`)];
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") || " ";

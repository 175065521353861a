/** Kind of pasted machine output that a text looks like. */
export type PasteRule = "stack-trace" | "log-dump" | "table-dump" | "agent-output" | "prompt-paste" | "console";

const MIN_CHARS = 40;

// One pattern per language, for the line that every stack frame has exactly once.
const FRAME_LINES: readonly RegExp[] = [
  /^\s*(?:at\s.+|[\w$.<>/]*@.+):\d+:\d+\)?\s*$/, // JavaScript
  /^\s*File ".+", line \d+/, // Python
  /^\s*at [\w$.<>/]+\([^()]*(?:\.\w+:\d+|Native Method|Unknown Source)\)\s*$/, // Java
  /^\s*\S+\.go:\d+(?:\s+\+0x[0-9a-f]+)?\s*$/, // Go
  /^\s*\d+:\s+(?:0x[0-9a-f]+ - )?<?[\w$]+(?:::|\s+as\s)[^;]*$/, // Rust
  /^\s*at [\w.`<>[\]]+\.[\w`<>[\]]+\(.*\)(?: in .+:line \d+)?\s*$/, // C#
];

const CLOCK_LINE = /^[ \t]*[[(]?(?:\d{4}-\d\d-\d\d[T ])?(?:[01]?\d|2[0-3]):[0-5]\d(?![\d%])/gm;
const FRACTION_STAMP = /\d\d:\d\d:\d\d[.,]\d+/g;
const BOX_GLYPH = /[\u2500-\u257F]/g;
const AGENT_OPENING = /^\s*(?:[●⏺⎿]|Attempt #\d+ failed\b)/i;
const ROLE_OPENING =
  /^\s*(?:(?:#+ |<|\[)?system(?: prompt)?[>\]:]|(?:from now on,? )?you are (?:an?|the|my|now|acting)\b|act as\b|your (?:role|task|job) is\b|i want you to (?:act|be)\b|あなたは|你是一|당신은)/i;
const STATUS_OPENING =
  /^\s*(?:[^\w\s]\W{0,2}\s*)?(?:deploy(?:ment|ing|ed)?|build(?:ing)?|built|error|failed|failure|fatal|success|warning|tests?|compil\w+|install\w+|running|starting|started)\b/i;
const LOG_LIKE =
  /^\s*(?:\[?(?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical)\b[\]:|\s]|\[?\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d:\d\d|(?:npm|yarn|pnpm|pip|cargo|docker|git)[ :](?:err|error|warn|notice|info)|[✓✔✗✘✖⚠▲⠋⠙⠹❯]|\[\d+\/\d+\]|#\d+ |step \d+\/\d+|at \S.*:\d+|\S+:\d+:\d+[:\s]|(?:process )?exit(?:ed)?\b.*\d|[=+]{3,}|> |\$ )/i;

const RULES: readonly (readonly [PasteRule, (content: string) => boolean])[] = [
  ["stack-trace", isStackTrace],
  ["log-dump", (content) => count(content, CLOCK_LINE) >= 2 || count(content, FRACTION_STAMP) >= 3],
  ["table-dump", (content) => content.length > 100 && count(content.slice(0, 200), BOX_GLYPH) >= 3],
  ["agent-output", (content) => AGENT_OPENING.test(content)],
  ["prompt-paste", (content) => content.length > 300 && ROLE_OPENING.test(content)],
  ["console", isConsole],
];

/** The kind of pasted output; undefined for a text written by hand. */
export function pastedRule(content: string): PasteRule | undefined {
  if (content.length < MIN_CHARS) return undefined;
  return RULES.find(([, matches]) => matches(content))?.[0];
}

function isStackTrace(content: string): boolean {
  const lines = content.slice(0, 500).split("\n");
  return FRAME_LINES.some((frame) => lines.filter((line) => frame.test(line)).length >= 2);
}

/** Removes stack frames, for Python with the line of code below each. */
export function withoutFrames(text: string): string {
  const lines = text.split("\n");
  const isFrame = (line = "") => FRAME_LINES.some((frame) => frame.test(line));
  const isCodeOfFrame = (line: string, above = "") => /^\s*File ".+", line \d+/.test(above) && /^\s/.test(line);
  return lines.filter((line, at) => !isFrame(line) && !isCodeOfFrame(line, lines[at - 1])).join("\n");
}

function isConsole(content: string): boolean {
  const [status, ...following] = content.trimStart().slice(0, 4000).split("\n");
  if (status === undefined || !STATUS_OPENING.test(status)) return false;
  return following.filter((line) => LOG_LIKE.test(line.slice(0, 200))).length >= 2;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

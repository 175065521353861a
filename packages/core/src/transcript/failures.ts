const ESC = String.fromCharCode(27);
const COLOUR = new RegExp(`${ESC}\\[[\\d;?]*[A-Za-z]`, "g");
/** Frames, bars and bullets that tools draw before their words. */
const FRAME = /^[\s│┃╷╵╭╰─|>*•┌└]+(?=\S)/;
/** Stamps and names that tools put before their words: a time, `[job]`, pytest's `E`, npm's and cargo's own. */
const PREFIX =
  /^(?:\d{4}-\d\d-\d\dT?[ \d:.,Z+-]*|\[\d\d:\d\d[^\]]*\]|npm (?:error|ERR!)(?: code| network| sh:\s*\d+:)?|E {2,}|#\d+ [\d.]+|[EWIF]\d{4} [\d:.]+ +\d+|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [\w.-]+(?:\[\d+\])?:|remote:|go:|\[cause\]:|--->|\[[\w/. -]{1,30}\])\s*/;
/** Prefixes that mark an error by themselves. */
const WRONG = /^(?:E {2,}|E\d{4} |npm (?:error|ERR!)|\[(?:error|fatal|emerg|crit|alert)\w*\])/i;

const EXCEPTION = String.raw`[\w.$:]{0,200}[A-Z]\w{0,80}(?:Error|Exception|Panic|Fault|Failure|Interrupt|Timeout|NotFound|Refused|Denied|Exit)\b`;

/** Forms of a line that is no cause: frames, source, what went well, advice, and words about the run itself. */
const NO_CAUSE: readonly RegExp[] = [
  /^(?:command )?(?:exit(?:ed)?|process exited)(?: with)?(?: code| status)?:? \d+$/i,
  /^(?:at |File "|from \S+:\d+|\.{3} \d+ more|goroutine \d|\d+ ?[|│]|[~^─-]+$|[-^~─━=_]{3}(?! FAIL)|-->|::: |\[?Help \d\]?|Emitted |= (?:note|help)|\S+\.go:\d+ \+0x|File: )/,
  /^(?:throw |raise |return |const |let |var |import |from \S+ import|if ?\(|def |func |fn |function |assert(?:Equal)?\b(?! .*==)|expect\()/,
  /^(?:hint|note|help|info|debug|trace|warn(?:ing)?|notice|usage|see|run|try|tip|caution)\b[\s:[]/i,
  /^\S+:\d+ \(\w+\)$|^Call Stack \(|^(?:To (?:see|get)|Re-run)\b|^\(?background on this error/i,
  /\bnpm (?:notice|warn)\b|: (?:warning|note):|\bWARN(?:ING)?\b|^\(?(?:use|run|try) ["'`]/i,
  /A complete log of this run|^(?:path|errno|syscall|command|cwd|location|node|os|arch|signal)\b:? |More information|For more (?:details|information)/,
  /^(?:✓|✔|√|---? ?PASS|\[(?:COMPLETED|STARTED|SKIPPED)\]|#{1,6} |(?:ok|pass(?:ed)?)\b)|\b(?:PASSED|Passed)$|\.{3} ok$/i,
  /\b0 (?:failed|failures|errors)\b(?!.*[1-9]\d* (?:failed|failures|errors))/i,
  /^Traceback |\bthrow new \w|failing tests:|^make(?:\[\d+\])?: (?:Leaving|Entering)|^During handling of|^The above exception|^(?:Stack|Backtrace|Call stack)(?: trace)?:?$/i,
];
/** Last lines of a run that only say that it failed, without the cause. */
const SUMMARY =
  /^(?:make(?:\[\d+\])?: \*\*\*|FAIL(?:ED)?(?:$|\s+\S+\s+[\d.]+s$| \(\w+=)|(?:test|Tests?|Test (?:Files|Suites)|Suites?)\b.*\b(?:failed|FAILED)|\d+ (?:failed|errors?|problems?|issues?)\b|error: (?:could not compile|failed to push|test failed|script|recipe|subprocess-exited|aborting)|Build failed|BUILD FAIL|(?:Error: )?(?:Process completed|Command failed)\b|Lifecycle script|Found \d+ error|Automatic merge failed|Some errors|.*\btask failed$|.*script failed \(code|ELIFECYCLE|short test summary|1 error generated|collect2:|\S+: Error is not recoverable)/i;

const SAID =
  /command not found|not found|no such|not (?:defined|installed|permitted|allowed|supported|recogni[sz]ed|reachable|valid|exist|expected|declared|resolve|a (?:valid|number))|n't (?:find|open|connect|resolve|read|accept|exist)|denied|refused|timed? ?out|cannot|can't|could not|unable|invalid|unexpected|expected|missing|undefined|unbound|undeclared|unresolved|does not|doesn't|did not match|already (?:exists|in use|running)|in use|too many|no space|unrecogni[sz]ed|unknown|unsupported|unauthori[sz]ed|forbidden|rejected|conflict|expired|mismatch|incompatible|out of (?:memory|range|bounds)|exceeded|violates|constraint|duplicate|divergent|unreachable|aborted|killed|locked|failed to|segmentation fault|core dumped|overflow|deadlock|insufficient|empty|hang up|no rule|no match|must (?:use|be|have|not|match|specify|provide|contain)\b|エラー|失敗|例外|拒否|できません|ありません|見つかりません|错误|錯誤|失败|异常|无法|無法|找不到|未找到|拒绝|拒絕|오류|실패|예외|거부|없습니다|찾을 수 없/i;

/** Score of a line that names an exception at its beginning. */
const EXACT = 10;
const EXCEPTIONS: readonly RegExp[] = [
  new RegExp(`^(?:Uncaught |Unhandled |Caused by: |Exception in thread "[^"]*" |\\([^()]*\\) )*${EXCEPTION}`),
  /^(?:Uncaught )?Error(?: \[\w+\])?: (?!Process completed|Command failed)\S|^panic: |\bpanicked at\b|^Exception\b.*: |^[A-Z][\w.]+(?:::\w+)+: /,
];

const SCORES: readonly (readonly [score: number, form: RegExp])[] = [
  [2, SUMMARY],
  [
    9,
    /\berror(?:\[\w+\]|\s+[A-Z]+-?\d+)?:\s*\S|\bfatal(?: error)?:\s*\S|\bFATAL\b|\bERROR\b:? \S|\berror \w*\d{3,}\b|^E[A-Z]{4,}\b(?!$)|^ERR_\w+|^CONFLICT \(|^! ?\[\w+ ?\w*\]/i,
  ],
  [8, /^\d+:\d+\s+error\s|^\S+\.\w+[:(]\d+(?:[:,]\d+)?\)?:?\s+\S.{4,}|^\S+\.\w+:\d+ (?:error|lint)\b/],
  [7, /undefined reference|^(?:\S+: ){1,4}.*(?:No such file|not found|denied|refused|timed out)/i],
  [6, SAID],
  [
    6,
    /^(?:--- FAIL:|FAIL:?|ERROR:?|FAILED|not ok|[✕✗✘×✖●❌])\s+\S|^(?:assert\b.*[=!<>]|got\b.*want|left: |right: |(?:Expected|Received|Actual)\b)/,
  ],
  // Details in a line of their own: the class that was not found, the key that is there already.
  [6, /^(?:symbol|detail|reason|cause)\s*:\s+\S/i],
  // A bare error code, if no line explains it.
  [5, /^E[A-Z]{4,}$/],
  [3, /\b(?:error|fail(?:ed|ure|s)?|bad|wrong|illegal|denied)\b/i],
];

/** A line with a name, a code or a number in it says more. */
const NAMES = /["'`]\S[^"'`]*["'`]|\b\w+[_.:/-]\w+\b|[a-z][A-Z]|\d{2,}/;

interface TellingLine {
  readonly text: string;
  readonly score: number;
  readonly at: number;
}

/** Lines of a test run, a thousand and more, that are passed over before any is weighed. */
const WENT_WELL = /^\s*(?:[✓✔√]|ok \d|ok\s+\S+\s|PASS\b|\.+$)/;
const MOST_LINES = 200;
const MAX_LINE = 400;
/** From here on a line says that something is wrong. */
const TELLING = 3;
/** Lines that are as telling as the best, or nearly. */
const NEAR = 4;

/** Lines of an output, without frames, source and advice. */
interface OutputLines {
  /** Lines that describe the error, the most specific first; without any, the last lines. */
  readonly telling: readonly string[];
  /** All of them, in their order. */
  readonly plain: readonly string[];
}

/** @param most telling lines */
export function readOutput(output: string, most = 6): OutputLines {
  const { telling, plain } = read(output);
  const [best] = telling;
  if (!best) return { telling: plain.slice(-2), plain };
  const near = telling.filter(({ score }) => score >= best.score - NEAR).map(({ text }) => text);
  return { telling: [...new Set(near)].slice(0, most), plain };
}

/** Lines that describe the error, the most specific first; without any, the last lines of the output. */
export const tellingLinesOf = (output: string, most?: number): readonly string[] => readOutput(output, most).telling;

/** The line that describes the error; undefined if there is none. */
export const errorLineOf = (output: string): string | undefined => read(output).telling[0]?.text;

/** An answer of the user to a call that was not made. */
const REJECTED = /\bThe user doesn['’]t want to (?:proceed|take this action)|^\[Request interrupted/;

function read(output: string): { readonly telling: readonly TellingLine[]; readonly plain: readonly string[] } {
  const lines = REJECTED.test(output.slice(0, MAX_LINE)) ? [] : linesOf(output);
  // Of exceptions that followed from each other Python names the last one last, and Java the first one.
  const lastWins = /^[^\S\n\r\u2028\u2029]*(?:Traceback \(most recent|Caused by: )/m.test(output);
  const found: TellingLine[] = [];
  const plain: string[] = [];
  for (const [at, line] of lines.entries()) {
    const words = stripped(line);
    const bare = line.replace(FRAME, "");
    if (words.length < 3) continue;
    // An exception at the beginning of its line is one. Else each form that is asked first has to be compiled.
    const ofForm = isException(words) ? EXACT : undefined;
    if (ofForm === undefined && (isNoCause(words) || (bare !== words && isNoCause(bare)))) continue;
    plain.push(words);
    const score = ofForm ?? Math.max(scoreOf(words), WRONG.test(bare) ? 5 : 0);
    if (score < TELLING) continue;
    const isHead = /\bpanicked at\b|^Error:$|: error:$|:$/.test(words);
    const next = isHead ? stripped(lines[at + 1] ?? "") : "";
    const text = next === "" || isNoCause(next) ? words : `${words} ${next}`;
    found.push({ text, score: score + (NAMES.test(text) ? 1 : 0), at });
  }
  const order = (a: TellingLine, b: TellingLine) => {
    if (a.score !== b.score) return b.score - a.score;
    return lastWins && a.score >= EXACT ? b.at - a.at : a.at - b.at;
  };
  return { telling: found.sort(order), plain };
}

const isNoCause = (words: string): boolean => NO_CAUSE.some((form) => form.test(words));

const isException = (words: string): boolean => EXCEPTIONS.some((form) => form.test(words));

const scoreOf = (words: string): number => SCORES.find(([, form]) => form.test(words))?.[0] ?? 0;

/** The first and the last lines of an output, as a terminal would show them. */
function linesOf(output: string): string[] {
  const all = output
    .replace(COLOUR, "")
    .split("\n")
    .map((line) => line.slice(0, MAX_LINE).trimEnd().split("\r").at(-1) ?? "")
    .filter((line) => line.trim() !== "" && !WENT_WELL.test(line));
  return all.length <= 2 * MOST_LINES ? all : [...all.slice(0, MOST_LINES), ...all.slice(-MOST_LINES)];
}

function stripped(line: string): string {
  const bare = line.replace(FRAME, "").replace(PREFIX, "").replace(FRAME, "");
  return bare.replace(/\s+/g, " ").trim();
}

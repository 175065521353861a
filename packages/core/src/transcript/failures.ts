import { cut } from "../cut.ts";

/** A command as it is named: its first line that says something. */
export const commandOf = (command: string): string => cut(command.trimStart().split("\n", 1)[0] ?? "", MAX_COMMAND);
const MAX_COMMAND = 120;

const LEADING =
  /^(?:\s*(?:cd\s+\S+\s*(?:&&|;)|[A-Z_][A-Z0-9_]*=\S*|sudo|time|env|npx|command|set -\w+\s*(?:&&|;)))*\s*/;
// After these words comes the name of what is run: `npm run build` and `npm run test` are two commands.
const RUNS = /^(?:run|exec|compose|task|tool|dlx|x)$/;

/** Words of a command's first part without its options, after what only sets the stage. */
const wordsOf = (command: string): string[] =>
  (command.replace(LEADING, "").split(/\s*(?:\||&&|;|>|2>)/)[0] ?? "")
    .split(/\s+/)
    .filter((word) => word !== "" && !word.startsWith("-"));

/** Program, subcommand and the first argument that is no option: what a repeat has in common with the first try. */
function signature(command: string): string {
  const words = wordsOf(command);
  return words.slice(0, RUNS.test(words[1] ?? "") ? 3 : 2).join(" ");
}

/** Was it the same that was tried: options and further arguments may differ. */
export const isSameCommand = (a: string, b: string): boolean => signature(a) !== "" && signature(a) === signature(b);

/**
 * Whether a success shows that a failure is mended: the same command with the same arguments at least, or with none. A
 * test of one file that passes says nothing of another's.
 */
export function isProofFor(failed: string, passed: string): boolean {
  if (!isSameCommand(failed, passed)) return false;
  const [before, now] = [wordsOf(failed).slice(2), wordsOf(passed).slice(2)];
  return now.length === 0 || before.every((word) => now.includes(word));
}

// Commands after which something else may go well: they install, configure, start or clean up.
const MENDING =
  /\b(?:install|i|add|ci|sync|update|upgrade|trust|config|set|unset|init|enable|disable|login|auth|link|restore|generate|migrate|seed|up|start|restart|stop|pull|fetch|clean|prune|reset|rebuild|build|bootstrap|setup|use|allow|approve|export|chmod|chown|mkdir|touch|ln|cp|mv|rm|kill|pkill|killall|source|get|download|tidy|submodule|lfs|unlock|lock|dedupe|repair|rehash|reshim)\b/;

/** Whether a command may have changed what another one needs. */
export const isMending = (command: string): boolean => MENDING.test(command);

const DIAGNOSES =
  /\b(?:lint\w*|eslint|tsc|typecheck|type-check|fmt|format|prettier|biome|ruff|mypy|pyright|flake8|vet|clippy|rubocop|stylelint|markdownlint|pre-commit|compile)\b/;

/** Whether a command only reads code and judges it: what it says is of the moment, unless it is explained. */
export const isDiagnosis = (command: string): boolean => DIAGNOSES.test(command);

// Ordered: the first of these kinds that a line of the output has names the failure best.
const KINDS: readonly RegExp[] = [
  // An exception with its own words: Python, JavaScript, Java, C#, Ruby, PHP.
  /^(?:E\s+|Uncaught |Unhandled \w+:? |Exception in thread "[^"]*" |Caused by: |PHP )?(?:[\w$]+[.:\\/]+)*[A-Z][\w$]*(?:Error|Exception|Failure|Exit|Interrupt|Timeout|Refused|NotFound|Expired|Denied)(?: \[[\w]+\])?(?:: \S|\s*\(\w+::)|^(?:thread '.*' )?panic(?:ked at|: )|^Caused by: \S|^(?:PHP )?Fatal error: /u,
  // The message that a program gives with the word for it.
  /^(?:error|fatal|fatal error|failed|failure)(?:\[\w+\])?: \S|^(?:npm|yarn|pnpm|mise|pip|cargo|poetry|uv) (?:ERR!|error|ERROR) (?!(?:code|errno|path|dest|syscall|A complete log|command|Lifecycle)\b)\S|^\[(?:ERROR|FATAL)\] \S|^Error(?: response)? from \S|^Error: \S|^\S+: (?:error|fatal): \S|^! ?\[rejected\]|^bug: \S|^ERROR(?::|\s{1,2})\s*(?!task failed|Job failed)\S/u,
  // A place in a file with what is wrong there; an assertion.
  /^\S+?[:(]\d+(?:[:,-]\d+)?\)?:?(?:in)? .*\S|^error\[E\d+\]|^E\s+\S|\berror TS\d+|^\s*(?:Expected|Received|AssertionError|expected .+ (?:to|but))\b/u,
  // Well-known sentences.
  /\b(?:command not found|no such file or directory|cannot find (?:module|symbol|package|main module)|permission denied|connection refused|address already in use|not (?:a git repository|found|recognized|installed)|"message" ?: ?"|undefined reference|segmentation fault|core dumped|out of memory|timed out|E(?:ADDRINUSE|ACCES|NOENT|CONNREFUSED|PERM|EXIST|TIMEDOUT|RESOLVE|LIFECYCLE|NOSPC|MFILE))\b/iu,
  // Names of what failed.
  /^(?:--- FAIL|FAIL(?:ED)?)[: ]|\bFAILED\b|^[✗✖×●] \S|\b(?:error|exception|failed)\b/iu,
];
const TRACEBACK = /^(?:Traceback \(most recent call last\):|During handling of the above|The above exception was)/;
// Frames, successes, headings, counts: they stand near a failure and say nothing of it.
const NO_FAILURE =
  /^(?:at |File "|\d+ \||\^+|~+\^|>\s*\d* ?\||-->)|\b(?:0|no) (?:failed|errors?|failures|warnings)\b|\b(?:PASS(?:ED)?|ok|Passed|done|skipped|SKIPPED|STARTED|COMPLETED)\b\]?[\s.)]*(?:\(?[\d.]+ ?m?s\)?)?$|^(?:\[(?:STARTED|COMPLETED|SKIPPED)\]|PASS(?:ED)?\b|ok \d|✓|✔|INFO\b|DEBUG\b|\d{4}[-/]\d\d[-/]\d\d.{0,20}\b(?:INFO|DEBUG)\b|\$ |> |Exit code \d+$|Error: Exit code \d+$)|^=+ .* =+$|\b(?:Process completed|Command failed|exited) with (?:exit )?code\b|ELIFECYCLE|^\[\w+\] ERROR task failed$|--[\w-]*error/u;
// Colours and the marks in front of a line.
const COLOURS = new RegExp(`${String.fromCharCode(27)}?\\[[\\d;]*m`, "g");
const MARGIN = /^[\s│┃|╷╵]+|\s+$/g;
const MAX_LINES = 400;

/** The line of a failure that says what was wrong, such as the exception's own; undefined where none does. */
export function errorLineOf(output: string): string | undefined {
  const all = output.split("\n");
  const lines = (all.length > MAX_LINES ? [...all.slice(0, MAX_LINES / 2), ...all.slice(-MAX_LINES / 2)] : all).map(
    (line) => line.replace(COLOURS, "").replace(MARGIN, ""),
  );
  const telling = lines.filter((line) => line !== "" && !TRACEBACK.test(line) && !NO_FAILURE.test(line));
  for (const [at, kind] of KINDS.entries()) {
    const found = telling.filter((line) => kind.test(line));
    // Of exceptions in a chain the last one is the reason where it says so, and in Python it is what came out.
    const cause = found.findLast((line) => line.startsWith("Caused by"));
    const isPython = at === 0 && lines.some((line) => TRACEBACK.test(line));
    const line = cause ?? (isPython ? found.at(-1) : found[0]);
    if (line !== undefined) return line.replace(/^E\s+/, "").replace(/\s+/g, " ").trim();
  }
  return undefined;
}

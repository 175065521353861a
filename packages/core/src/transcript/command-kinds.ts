import { cut } from "../text/cut.ts";

/** Name of a command: its first line, cut to a limit. */
export const commandOf = (command: string): string => cut(command.trimStart().split("\n", 1)[0] ?? "", MAX_COMMAND);
const MAX_COMMAND = 120;

const LEADING =
  /^(?:\s*(?:cd\s+\S+\s*(?:&&|;)|[A-Z_][A-Z0-9_]*=\S*|sudo|time|env|npx|command|set -\w+\s*(?:&&|;)))*\s*/;
// The word after these names a script: `npm run build` and `npm run test` are two commands.
const RUNS = /^(?:run|exec|compose|task|tool|dlx|x)$/;

/** Words of the first command in a line, without options, a leading `cd` or assignments. */
const wordsOf = (command: string): string[] =>
  (command.replace(LEADING, "").split(/\||&&|;|2?>/)[0] ?? "")
    .split(/\s+/)
    .filter((word) => word !== "" && !word.startsWith("-"));

/**
 * Signature of a command: program, subcommand and first argument that is no option. A repeat has the same signature.
 */
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

/** Whether a command only checks code, such as a linter. Its findings are not stored unless they are explained. */
export const isDiagnosis = (command: string): boolean => DIAGNOSES.test(command);

import { isReading } from "./commands.ts";

const STAGE =
  /^(?:\s*(?:[A-Za-z_]\w*=\S*|sudo|time|env|npx|pnpx|bunx|command|exec|timeout\s+\S+|nice(?:\s+-n\s*\d+)?)\s+)*/;
/** Options that take the next word as their value, by program; `*` holds for any. */
const WITH_VALUE: Readonly<Record<string, RegExp>> = {
  git: /^-[cC]$/,
  ssh: /^-[iopJlF]$/,
  scp: /^-[iPoF]$/,
  make: /^-[Cfj]$/,
  kubectl: /^(?:-n|--namespace|--context)$/,
  helm: /^(?:-n|--namespace)$/,
  npm: /^(?:--prefix|-w|--workspace)$/,
  pnpm: /^(?:-C|--dir|-F|--filter)$/,
  yarn: /^--cwd$/,
  docker: /^(?:-f|--file|-H|--context)$/,
  terraform: /^-chdir$/,
};
/** Programs whose purpose is the third word, or the second after one that only says that something is run. */
const BY_THREE = /^(?:gh|aws|gcloud|az|doctl|heroku|flyctl|fly|supabase|glab)$/;
const ONE_PURPOSE = /^(?:vitest|jest|playwright|cypress|terraform|pulumi)$/;
const RUNS = /^(?:run|exec|compose|task|tool|dlx|x|buildx|stack)$/;
const SETS_ONLY = /^(?:cd|export|set|source|\.|echo|printf|true|:|sleep|pwd)(?:\s|$)/;

/** Splits a command line at what parts its commands, outside of quotes; an open quote takes the rest. */
function split(line: string): string[] {
  const parts: string[] = [];
  let [quote, from] = ["", 0];
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? "";
    if (char === "\\") at += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (/[;\n|]/.test(char) || line.startsWith("&&", at)) {
      parts.push(line.slice(from, at));
      while (/[;\n|&]/.test(line[at + 1] ?? "")) at += 1;
      from = at + 1;
    }
  }
  return [...parts, line.slice(from)].map((part) => part.trim()).filter(Boolean);
}

/** Parts of a command line that do something: not those that read, or only set the stage. */
export const partsThatAct = (line: string): string[] => [
  ...new Set(split(line).filter((part) => !SETS_ONLY.test(part) && !isReading(part))),
];

function wordsOf(part: string): string[] {
  const [program = "", ...rest] = part.replace(STAGE, "").split(/\s+/);
  const takesValue = WITH_VALUE[program];
  const words = rest.filter((word, at) => !word.startsWith("-") && !takesValue?.test(rest[at - 1] ?? ""));
  return [program, ...words.filter((word) => !/^\d?>/.test(word))];
}

/** Purpose of a part of a command line: its program and subcommand. */
function purposeOf(words: readonly string[]): string {
  const [program = "", second = ""] = words;
  return words.slice(0, BY_THREE.test(program) || (RUNS.test(second) && !ONE_PURPOSE.test(program)) ? 3 : 2).join(" ");
}

const JUDGES = /\b(?:test|tests|vitest|jest|mocha|pytest|rspec|phpunit|tsc|check|lint|build)\b/;

/**
 * Whether a part that went well shows that one that failed is mended: the same was wanted of the same program, and of a
 * test or a build the same files at least, or all.
 */
export function isPartMended(failed: string, passed: string): boolean {
  const [before, now] = [wordsOf(failed), wordsOf(passed)];
  const purpose = purposeOf(before);
  if (purpose === "" || purpose !== purposeOf(now)) return false;
  if (!JUDGES.test(purpose)) return true;
  const [files, others] = [before, now].map((words) => words.slice(purpose.split(" ").length));
  return others?.length === 0 || files?.every((file) => others?.includes(file)) === true;
}

import { commandOf } from "./command-kinds.ts";

/** Purpose of a command, where a session's record should name it. */
export type Deed = "test" | "build" | "git" | "deploy";

const READING = new Set(
  "grep rg ag cat bat head tail less more ls tree find fd sed awk wc sort uniq cut echo printf pwd which file stat diff jq".split(
    " ",
  ),
);
const READING_GIT = /^git\s+(?:-\S+\s+)*(?:log|diff|show|status|blame|grep|branch|remote|rev-parse|ls-files)\b/;

/** Whether every part of a command line only reads. */
export function isReading(command: string): boolean {
  const parts = command.split(/&&|\|\||[;|\n]/).map((part) => part.trim());
  return parts.every((part) => {
    const plain = part.replace(/^(?:\w+=\S*\s+)+/, "");
    if (plain === "" || /^cd\b/.test(plain) || READING_GIT.test(plain)) return true;
    return READING.has(plain.split(/\s+/)[0] ?? "") && !/^sed\b.*\s-\w*i/.test(plain);
  });
}

/** Purposes by the words after a program's name; `.` matches any. The first match counts. */
type Deeds = readonly (readonly [Deed, string])[];

const SCRIPTS: Deeds = [
  ["deploy", "(?:run )?(?:publish|deploy(?::\\S+)?)"],
  ["test", "(?:run )?(?:t|tests?|unit|e2e)(?::\\S+)?"],
  ["build", "(?:run )?(?:build|compile|typecheck)(?::\\S+)?"],
];
const GRADLE: Deeds = [
  ["test", "(?:\\S+ )*?(?:test|check|verify)"],
  ["build", "(?:\\S+ )*?(?:package|install|compile|build|assemble)"],
];
const PYTHON: Deeds = [["test", "-m (?:pytest|unittest)"]];
const COMPOSE: Deeds = [["build", "build"]];
const every = (programs: string, deeds: Deeds): [string, Deeds][] => programs.split(" ").map((name) => [name, deeds]);

const DEEDS: ReadonlyMap<string, Deeds> = new Map([
  ...every("npm pnpm yarn bun", SCRIPTS),
  ...every("mvn mvnw gradle gradlew", GRADLE),
  ...every("python python3", PYTHON),
  ...every("vitest jest mocha ava pytest tox nox rspec phpunit ctest", [["test", "."]]),
  ...every("tsc tsdown tsup webpack rollup esbuild ninja xcodebuild", [["build", "."]]),
  ...every("fly flyctl netlify firebase serverless sls cdk cap", [["deploy", "(?:\\S+ )*?deploy"]]),
  ...every("terraform tofu", [["deploy", "(?:apply|destroy)"]]),
  ...every("vite next hugo", [["build", "build"]]),
  ...every("ansible-playbook", [["deploy", "."]]),
  ...every("kubectl", [["deploy", "(?:apply|delete|set|rollout (?:restart|undo))"]]),
  ...every("helm", [["deploy", "(?:install|upgrade|rollback)"]]),
  ...every("vercel", [["deploy", "(?:--prod|deploy)"]]),
  ...every("wrangler", [["deploy", "(?:deploy|publish)"]]),
  ...every("pulumi", [["deploy", "up"]]),
  ...every("gcloud", [["deploy", "(?:app|run|functions) deploy"]]),
  ...every("twine", [["deploy", "upload"]]),
  ...every("docker", [
    ["deploy", "(?:push|stack deploy)"],
    ["build", "(?:build|compose (?:-\\S+ \\S+ )*build)"],
  ]),
  ...every("docker-compose", COMPOSE),
  ...every("git", [
    ["git", "(?:-[cC] \\S+ |-\\S+ )*(?:commit|push|merge|rebase|cherry-pick|revert|tag (?!-l|--list)\\S+)"],
  ]),
  ...every("gh", [["git", "(?:pr|release) (?:create|merge)"]]),
  ...every("node", [["test", "--test"]]),
  ...every("go", [
    ["test", "test"],
    ["build", "(?:build|vet)"],
  ]),
  ...every("cargo", [
    ["deploy", "publish"],
    ["test", "(?:test|nextest)"],
    ["build", "(?:build|check|clippy)"],
  ]),
  ...every("deno rails rake playwright", [["test", "test"]]),
  ...every("dotnet swift bazel bazelisk", [
    ["test", "test"],
    ["build", "build"],
  ]),
  ...every("mix", [
    ["test", "test"],
    ["build", "compile"],
  ]),
  ...every("cypress", [["test", "run"]]),
  ...every("poetry uv", [["test", "run pytest"]]),
  ...every("cmake", [["build", "--build"]]),
  ...every("make", [
    ["deploy", "(?:\\S+ )*?deploy"],
    ["test", "(?:\\S+ )*?(?:test|check)"],
    ["build", "."],
  ]),
]);

/** A part of a command line that does something. */
export interface DetectedCommand {
  readonly deed: Deed;
  readonly command: string;
  /**
   * Whether the success of the whole line says that this part succeeded: not before a pipe, nor where the next part
   * runs anyway.
   */
  readonly isOutcomeKnown: boolean;
}

const PARTS = /((?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|(?!&&|\|\||[;|\n])[\s\S])*)(&&|\|\||[;|\n]|$)/g;
const BEFORE =
  /^\s*(?:[A-Za-z_]\w*=\S*\s+|(?:sudo|time|env|command|npx|pnpx|bunx)\s+(?:-\S+\s+)*|(?:pnpm|yarn)\s+(?:exec|dlx)\s+|timeout\s+\S+\s+|nice\s+(?:-n\s*\d+\s+)?)*/;

/** Splits a command line into its parts, with the purpose of each. */
export function deedsOf(line: string): DetectedCommand[] {
  const parts = [...line.matchAll(PARTS)].map(([, text = "", after = ""]) => ({ text: text.trim(), after }));
  let isOutcomeKnown = !line.endsWith("…");
  return parts
    .reverse()
    .flatMap(({ text, after }) => {
      isOutcomeKnown &&= after === "&&" || after === "";
      const deed = deedOf(text);
      return deed ? [{ deed, command: commandOf(text), isOutcomeKnown }] : [];
    })
    .reverse();
}

function deedOf(part: string): Deed | undefined {
  const [program = "", ...words] = part.replace(BEFORE, "").split(/\s+/);
  const deeds = DEEDS.get(program.replace(/^.*\//, ""));
  if (!deeds || words.some((word) => /^--(?:help|version|dry-run)$/.test(word))) return undefined;
  // An expression costs more to be made than to be asked: only those of this program are.
  const given = words.join(" ");
  return deeds.find(([, form]) => form === "." || new RegExp(`^${form}(?![\\w-])`).test(given))?.[0];
}

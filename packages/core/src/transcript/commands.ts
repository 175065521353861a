import { commandOf } from "./failures.ts";

/** What a command is for, where that is worth telling of a session afterwards. */
export type Deed = "test" | "build" | "git" | "deploy";

const READING = new Set(
  "grep rg ag cat bat head tail less more ls tree find fd sed awk wc sort uniq cut echo printf pwd which file stat diff jq".split(
    " ",
  ),
);
const READING_GIT = /^git\s+(?:-\S+\s+)*(?:log|diff|show|status|blame|grep|branch|remote|rev-parse|ls-files)\b/;

/** Does every part of a command line only look. */
export function isReading(command: string): boolean {
  const parts = command.split(/&&|\|\||[;|\n]/).map((part) => part.trim());
  return parts.every((part) => {
    const plain = part.replace(/^(?:\w+=\S*\s+)+/, "");
    if (plain === "" || /^cd\b/.test(plain) || READING_GIT.test(plain)) return true;
    return READING.has(plain.split(/\s+/)[0] ?? "") && !/^sed\b.*\s-\w*i/.test(plain);
  });
}

const SCRIPT = "(?:npm|pnpm|yarn|bun)\\s+(?:-\\S+\\s+)*(?:run\\s+)?";
const kind = (...forms: readonly string[]) => new RegExp(`^(?:${forms.join("|")})(?![\\w-])`);

// In this order: what is published was built, and tests may build.
const DEEDS: readonly (readonly [Deed, RegExp])[] = [
  [
    "deploy",
    kind(
      `${SCRIPT}(?:publish|deploy(?::\\S+)?)`,
      "kubectl\\s+(?:apply|delete|set|rollout\\s+(?:restart|undo))",
      "helm\\s+(?:install|upgrade|rollback)",
      "(?:terraform|tofu)\\s+(?:apply|destroy)",
      "docker\\s+(?:push|stack\\s+deploy)|make\\s+deploy",
      "(?:fly|flyctl|netlify|firebase|serverless|sls|cdk|wrangler|vercel|cap)\\s+(?:\\S+\\s+)*?deploy",
      "vercel\\s+--prod|wrangler\\s+publish|pulumi\\s+up|cargo\\s+publish|ansible-playbook|twine\\s+upload",
      "gcloud\\s+(?:app|run|functions)\\s+deploy|git\\s+push\\s+heroku",
    ),
  ],
  [
    "git",
    kind(
      "git\\s+(?:-\\S+\\s+)*(?:commit|push|merge|rebase|cherry-pick|revert|tag\\s+(?!-l|--list)\\S+)",
      "gh\\s+(?:pr|release)\\s+(?:create|merge)",
    ),
  ],
  [
    "test",
    kind(
      `${SCRIPT}(?:t|test|tests|unit|e2e)(?::\\S+)?`,
      "vitest|jest|mocha|ava|pytest|tox|nox|rspec|phpunit|ctest|(?:playwright|rails|mix|swift|deno|go|dotnet)\\s+test",
      "cypress\\s+run|cargo\\s+(?:test|nextest)|(?:bazel|bazelisk)\\s+test|rake\\s+test|make\\s+(?:\\S+\\s+)*?(?:test|check)",
      "(?:\\./)?(?:mvnw?|gradlew?)\\s+(?:\\S+\\s+)*?(?:test|check|verify)",
      "python\\d?(?:\\.\\d+)?\\s+-m\\s+(?:pytest|unittest)|node\\s+--test|poetry\\s+run\\s+pytest|uv\\s+run\\s+pytest",
    ),
  ],
  [
    "build",
    kind(
      `${SCRIPT}(?:build|compile|typecheck)(?::\\S+)?`,
      "tsc|tsdown|tsup|webpack|rollup|esbuild|ninja|make|xcodebuild",
      "(?:vite|next|swift|dotnet|docker|bazel|go|hugo)\\s+build|cargo\\s+(?:build|check|clippy)|go\\s+vet|mix\\s+compile",
      "docker[\\s-]compose\\s+(?:-\\S+\\s+\\S+\\s+)*build|cmake\\s+--build",
      "(?:\\./)?(?:mvnw?|gradlew?)\\s+(?:\\S+\\s+)*?(?:package|install|compile|build|assemble)",
    ),
  ],
];

/** A part of a command line that does something. */
export interface Done {
  readonly deed: Deed;
  readonly command: string;
  /** Does the whole line going well say that this part did: not before a pipe, nor where the next comes anyway. */
  readonly isTold: boolean;
}

const PARTS = /((?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|(?!&&|\|\||[;|\n])[\s\S])*)(&&|\|\||[;|\n]|$)/g;
const BEFORE =
  /^\s*(?:[A-Za-z_]\w*=\S*\s+|(?:sudo|time|env|command|npx|pnpx|bunx)\s+(?:-\S+\s+)*|(?:pnpm|yarn)\s+(?:exec|dlx)\s+|timeout\s+\S+\s+|nice\s+(?:-n\s*\d+\s+)?)*/;

/** What a command line does, part by part. */
export function deedsOf(line: string): Done[] {
  const parts = [...line.matchAll(PARTS)].map(([, text = "", after = ""]) => ({ text: text.trim(), after }));
  let isTold = !line.endsWith("…");
  return parts
    .reverse()
    .flatMap(({ text, after }) => {
      isTold &&= after === "&&" || after === "";
      const deed = deedOf(text);
      return deed ? [{ deed, command: commandOf(text), isTold }] : [];
    })
    .reverse();
}

function deedOf(part: string): Deed | undefined {
  const plain = part.replace(BEFORE, "");
  if (/(?:^|\s)--(?:help|version|dry-run)(?:\s|$)/.test(plain)) return undefined;
  return DEEDS.find(([, form]) => form.test(plain))?.[0];
}

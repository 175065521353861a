import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wordsOf } from "../../support/clients/real-texts.ts";
import { ROOT } from "../../support/process.ts";
import { pick, seeded } from "../../support/random.ts";
import type { EvalSet } from "../eval-set.ts";

const QUESTIONS = 300;
const MAX_FILE_CHARS = 300_000;
const MAX_CHARS = 4000;
const FEWEST_WORDS = 5;

/** A top-level function of a file, below the comment that describes it. */
const DOCUMENTED =
  /^\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\n((?:export )?(?:default )?(?:async )?function\*? (\w+)\([\s\S]*?\n\}\n)/gm;

/**
 * Builds a set of functions from the installed packages. Each is asked for by the first sentence of its comment, which
 * is not stored.
 */
export function codeSet(): EvalSet {
  const known = new Set<string>();
  const functions = sources().flatMap(({ packageName, file }) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    if (source.length > MAX_FILE_CHARS) return [];
    return [...source.matchAll(DOCUMENTED)].flatMap(([, comment = "", content = "", name = ""]) => {
      const says = firstSentence(comment);
      if (content.length > MAX_CHARS || wordsOf(says).length < FEWEST_WORDS || known.has(says)) return [];
      known.add(says);
      return [{ key: `code/${packageName}/${name}/${known.size}`, packageName, says, content }];
    });
  });
  return {
    name: "code",
    documents: functions.map(({ key, packageName, content }) => ({ key, about: packageName, content })),
    questions: pick(functions, QUESTIONS, seeded(31)).map(({ key, says }) => ({
      key: `${key}/says`,
      lang: "en",
      kind: "function",
      text: says,
      answers: [key],
    })),
  };
}

/** Chooses one version of each package. */
function sources(): { packageName: string; file: string }[] {
  const version = new Map<string, string>();
  return globSync("node_modules/.pnpm/*/node_modules/{*,@*/*}/**/*.{js,mjs,cjs}", { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const [, place = "", inside = ""] = /^node_modules\/\.pnpm\/([^/]+)\/node_modules\/(.+)$/.exec(file) ?? [];
      const [packageName = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(inside) ?? [];
      if (inside.includes("/node_modules/") || packageName.startsWith("@chest/")) return [];
      if (!version.has(packageName)) version.set(packageName, place);
      return version.get(packageName) === place ? [{ packageName, file }] : [];
    });
}

function firstSentence(comment: string): string {
  const text = comment.replace(/^ \* ?/gm, "").split(/^@|\n\n|```/m, 1)[0] ?? "";
  return (
    text
      .replace(/\s+/g, " ")
      .trim()
      .match(/^.*?[.!?](?= |$)/)?.[0] ?? text.replace(/\s+/g, " ").trim()
  ).slice(0, 300);
}

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

// Doc comments begin with a verb or the name of the thing. One that begins with a relative clause or a question says what
// a thing is like and leaves the reader to guess what it is; so does a comment that names no actor.
const ROOT = join(import.meta.dirname, "../..");
const RELATIVE =
  /^[ \t]*\/\*\*(?:[ \t]*\n[ \t]*\*)?[ \t]+(What|Who|Whose|Whoever|Whatever|Where|Of|So many|Is|Does|Has|Are)\b/gm;
const VAGUE = /^[ \t]*(?:\/\/|\/?\*\*?)[ \t].*(?<!`)\b([Nn]obody|[Ss]omebody|[Ww]hoever)\b/gm;
const PASSED_OVER = /^(node_modules|generated|dist)$/;

const found = ["packages", "apps", "e2e", "deploy"].flatMap((folder) => commentsBelow(join(ROOT, folder)));
for (const { file, line, advice } of found) console.error(`${file}:${line}: ${advice}`);
process.exitCode = found.length > 0 ? 1 : 0;

function commentsBelow(folder: string): { readonly file: string; readonly line: number; readonly advice: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return PASSED_OVER.test(entry.name) ? [] : commentsBelow(path);
    if (!/\.(ts|tsx|mjs)$/.test(entry.name)) return [];
    const text = readFileSync(path, "utf8");
    const advise = (pattern: RegExp, advice: (word: string) => string) =>
      [...text.matchAll(pattern)].map(({ index, 1: word = "" }) => ({
        file: relative(ROOT, path),
        line: text.slice(0, index).split("\n").length,
        advice: advice(word),
      }));
    return [
      ...advise(
        RELATIVE,
        (word) => `a doc comment begins with \`${word}\`: begin with a verb or the name of the thing`,
      ),
      ...advise(VAGUE, (word) => `a comment speaks of \`${word}\`: name the caller, the user or the process`),
    ];
  });
}

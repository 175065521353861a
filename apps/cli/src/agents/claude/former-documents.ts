import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFrontMatter } from "@chest/core/transcript";
import { readStamp } from "./stamp.ts";

/** SHA-1 of the texts that mcp-chest-memory 1.5.0 installed. */
const OF_15: ReadonlySet<string> = new Set([
  "bcc28b42ef75faeb86c983d3637f93c40af2d6e9",
  "0ca3fa290b527ae35bedad1757e484589d3c4935",
]);

// Rules of 1.5 begin with this line, which Claude Code knows nothing of.
const APPLIES_TO_ALL = /^---\r?\napplyTo: *["']\*\*["'] *$/m;
const HEAD = 200;

/** Place of 1.5's rules, below Claude Code's folder: beside ours they would tell an agent of another memory. */
const FORMER_RULES = "rules/mcp-chest-memory.md";

/**
 * Whether a text is 1.5's: by its hash, or by the front matter that 1.5 gave it and the last line that ours has and it
 * lacks.
 */
export function isOf15(text: string): boolean {
  if (OF_15.has(createHash("sha1").update(text).digest("hex"))) return true;
  if (readStamp(text)) return false;
  return readFrontMatter(text).fields.name === "chest-memory" || APPLIES_TO_ALL.test(text.slice(0, HEAD));
}

/** The file of 1.5's rules; undefined where it is not, or is another's. */
export function formerRules(claudeDir: string): { readonly path: string; readonly text: string } | undefined {
  const path = join(claudeDir, FORMER_RULES);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  return isOf15(text) ? { path, text } : undefined;
}

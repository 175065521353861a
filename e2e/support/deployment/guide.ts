import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../process.ts";

/** The commands of one section of a guide below `docs`, block by block. */
export async function commandsOf(guide: string, section: string): Promise<string[]> {
  const text = await readFile(join(ROOT, "docs", guide), "utf8");
  const [, body = ""] = text.split(`\n## ${section}\n`);
  const blocks = [...(body.split("\n## ")[0] ?? "").matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
  if (blocks.length === 0) throw new Error(`no commands under "${section}" in ${guide}`);
  return blocks;
}

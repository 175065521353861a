import { readlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { StartError } from "@chest/runtime";
import { commandForms } from "@chest/runtime/shell-words";

const MAX_LINKS = 10;

/** Resolves a path, including a link whose target does not exist yet. */
export async function linkTarget(path: string): Promise<string> {
  let file = resolve(path);
  for (let hop = 0; hop < MAX_LINKS; hop++) {
    const next = await readlink(file).catch(() => undefined); // Not a link: the file itself, or nothing.
    if (next === undefined) return file;
    file = resolve(dirname(file), next);
  }
  throw new StartError(
    `\`${path}\` is a link that leads to itself`,
    `\`${commandForms().listing(path)}\` shows where it leads`,
  );
}

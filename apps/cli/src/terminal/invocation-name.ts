import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Env, RELEASE } from "@chest/runtime";
import { findProgram, lastingPath, thisNode } from "../agents/programs.ts";
import { asWord } from "./quote-shell.ts";

export const NAME = "chest-index";

/** How a person's shell finds this command line: by its name, else as it was started. */
export function ownName(env: Env, script: string, node: string = thisNode()): string {
  const PATH = lastingPath(env);
  if (findProgram(NAME, { PATH })) return NAME;
  if (/[/\\]_npx[/\\]/.test(script)) return `npx --yes --package chest-memory@${RELEASE} ${NAME}`;
  // An alias's file lies beside the one that takes every command.
  if (!/^chest-[\w-]+\.js$/.test(basename(script))) return NAME;
  const known = findProgram("node", { PATH });
  return [known && realpathSync(known) === realpathSync(node) ? "node" : node, join(dirname(script), `${NAME}.js`)]
    .map(asWord)
    .join(" ");
}

/** A hint with its commands as they can be typed here. What is for a container is typed there, by its name. */
export const typedHere = (hint: string, name: string): string =>
  /\bdocker\b/.test(hint) ? hint : hint.replaceAll(/(?<![\w/.-])chest-index(?= [a-z])/g, () => name);

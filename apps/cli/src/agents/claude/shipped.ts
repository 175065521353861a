import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "@chest/runtime";
import { HOOK_FILE } from "./hook-command.ts";

/** A file that this release brings for Claude Code, by its path in `deploy/claude`. */
export function readShipped(path: string): string {
  return readFileSync(join(shippedFolder(), path), "utf8");
}

const shippedFolder = (): string => shippedAt("./claude", "../../../../../deploy/claude", "install this release again");

/** The script that finds a Node for our programs, without its settings. */
export const readShippedLauncher = (): string =>
  readFileSync(
    shippedAt("./launcher/chest-node", "../../../../../deploy/launcher/chest-node", "install this release again"),
    "utf8",
  );

/** The program that hooks run, in one file. */
export const shippedHookProgram = (): string =>
  shippedAt(`./${HOOK_FILE}`, `../../../../mcp/dist/${HOOK_FILE}`, "in a clone `npm run build` makes it");

/** Beside the bundle, or where its sources are. */
function shippedAt(inBundle: string, inSources: string, hint: string): string {
  const places = [inBundle, inSources].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  if (!found) throw new StartError(`this installation lacks \`${basename(inBundle)}\``, hint);
  return found;
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "@chest/runtime";

/** A file that this release brings for Claude Code, by its path in `deploy/claude`. */
export function readShipped(path: string): string {
  return readFileSync(join(shippedFolder(), path), "utf8");
}

/** Beside the sources, or beside the bundle that was made of them. */
function shippedFolder(): string {
  const places = ["../../../../../deploy/claude", "./claude"];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (!found) throw new StartError("this installation lacks its files for agents", "install this release again");
  return found;
}

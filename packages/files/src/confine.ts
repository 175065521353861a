import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

const MOST_LINKS = 40;

/** Compares whole segments: `/x/proj` does not hold `/x/proj-secret`. Both with all links followed. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Resolves a path to its nearest part that exists. It follows dangling links too, so that they do not reveal what exists
 * outside. Undefined for a ring of links.
 */
export async function nearestExisting(path: string): Promise<string | undefined> {
  let place = path;
  for (let links = 0; links < MOST_LINKS; ) {
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined) return real;
    const target = await readlink(place).catch(() => undefined);
    if (target === undefined && dirname(place) === place) return undefined;
    if (target !== undefined) links += 1;
    place = target === undefined ? dirname(place) : resolve(dirname(place), target);
  }
  return undefined;
}

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/process.ts";

const MOST_SOURCES = 25;

/** Folders of store-sqlite in order: each imports only from those before it. A dot stands for the files at the top. */
const ORDER = [
  ...[
    "database",
    "full-text",
    "writing",
    "embedding",
    "word-search",
    "memories",
    "vector-index",
    "queries",
    "threads",
    "listings",
    "access",
  ],
  ...["purge", "store-file", "integrity", "backups", "lifecycle", "sessions", ".", "archive"],
];
const STORE = join(ROOT, "packages/store-sqlite/src");
const MOST_ROOMS = 25;

describe("the folders", () => {
  it(`hold at most ${MOST_SOURCES} sources each`, () => {
    const counts = new Map<string, number>();
    for (const file of ["packages", "apps", "e2e", "deploy"].flatMap((folder) => sourcesBelow(join(ROOT, folder)))) {
      const folder = relative(ROOT, dirname(file));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(50);
    expect([...counts].filter(([, count]) => count > MOST_SOURCES)).toEqual([]);
  });

  it(`gives store-sqlite at most ${MOST_ROOMS} files and folders at its top`, () => {
    expect(readdirSync(STORE).filter((name) => name !== "generated").length).toBeLessThanOrEqual(MOST_ROOMS);
  });

  it("of store-sqlite have an order, and none imports from a later one", () => {
    const upward = sourcesBelow(STORE).flatMap((file) => {
      const from = roomOf(file);
      if (file === join(STORE, "index.ts")) return [];
      return importsOf(file)
        .filter((target) => roomOf(target) !== from && ORDER.indexOf(roomOf(target)) > ORDER.indexOf(from))
        .map((target) => `${relative(STORE, file)} imports ${relative(STORE, target)}`);
    });
    expect(upward).toEqual([]);
  });

  it("of store-sqlite are all in that order", () => {
    const rooms = new Set(sourcesBelow(STORE).map(roomOf));
    expect([...rooms].filter((room) => !ORDER.includes(room))).toEqual([]);
  });
});

/**
 * Lists the TypeScript and JavaScript sources below a folder, without tests, test support, generated and built files.
 */
function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isPassedOver(path) ? [] : sourcesBelow(path);
    return /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.(ts|mjs)$/.test(path) ? [path] : [];
  });
}

const isPassedOver = (folder: string): boolean =>
  /\/(node_modules|generated|dist)$/.test(folder) || folder === join(STORE, "testing");

/** Top-level folder of store-sqlite that contains a file; a dot for a file at the top. */
const roomOf = (file: string): string => {
  const [room = ".", ...below] = relative(STORE, file).split("/");
  return below.length === 0 ? "." : room;
};

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from\s+|import\s*\(?\s*)"(\.[^"]+)"/g)]
    .map(([, name = ""]) => join(dirname(file), name))
    .filter((target) => target.startsWith(STORE) && !target.includes("generated"));
}

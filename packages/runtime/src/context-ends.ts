import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { removeOlderThan } from "./remove-older.ts";

// Imports hardly anything of this package: a hook that notes an end has no time to load the rest.

const FOLDER = "contexts";
const KEPT_MS = 30 * 86_400_000;

/**
 * Notes that an agent's context in this folder was cleared or compacted: what it was given before, it has no more. For
 * hooks; who reads files for an agent sees it by the mark.
 */
export function noteContextEnd(dataDir: string, cwd: string): void {
  const folder = join(dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = real(cwd);
  const file = join(folder, createHash("sha256").update(place).digest("hex").slice(0, 32));
  const part = `${file}.${process.pid}.tmp`;
  writeFileSync(part, `${randomUUID()}\n${place}\n`, { mode: 0o600 });
  renameSync(part, file);
  removeOlderThan(folder, KEPT_MS);
}

/** Another one than before when a context has ended in one of these folders, above or below. */
export function contextMark(dataDir: string, folders: readonly string[]): string {
  const folder = join(dataDir, FOLDER);
  const places = folders.map(real);
  const marks = namesIn(folder).flatMap((name) => {
    const [mark, place] = linesOf(join(folder, name));
    const isHere = place && places.some((one) => isWithin(one, place) || isWithin(place, one));
    return mark && isHere ? [mark] : [];
  });
  return marks.sort().join(" ");
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Gone since, or not for us: compared by its name.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{32}$/.test(name));
  } catch {
    return []; // No hook has noted anything yet.
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // Removed between listing and reading.
  }
}

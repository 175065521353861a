import { readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { removeOlderThan } from "./remove-older.ts";

// Imports hardly anything, neither of this package nor of Node: a hook that notes an end has no time to load the rest, and
// of 90 ms `node:crypto` takes nine.

const FOLDER = "contexts";
const KEPT_MS = 30 * 86_400_000;

/**
 * Notes that an agent's context in this folder was cleared or compacted: what it was given before, it has no more. For
 * hooks; who reads files for an agent sees it by the mark.
 */
export function noteContextEnd(dataDir: string, cwd: string): void {
  const folder = join(dataDir, FOLDER);
  makeFolder(folder);
  const place = real(cwd);
  const file = join(folder, fnv1a(place));
  const part = `${file}.${process.pid}.tmp`;
  writeFileSync(part, `${Date.now()}-${process.pid}-${process.hrtime.bigint()}\n${place}\n`, { mode: 0o600 });
  renameSync(part, file);
  removeOlderThan(folder, KEPT_MS);
}

/** Mark that changes when an agent's context has ended in one of these folders, or above or below one. */
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

const FNV_OFFSET = 0x6c62272e07bb014262b821756295c58dn;
const FNV_PRIME = 0x0000000001000000000000000000013bn;

/**
 * A name for a text: 32 hexadecimal digits. By FNV-1a in 128 bits (draft-eastlake-fnv), which need not resist attacks
 * here.
 */
function fnv1a(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(16).padStart(32, "0");
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

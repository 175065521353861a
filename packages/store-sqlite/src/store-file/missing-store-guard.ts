import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CannotOpen } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import { sizeOf } from "../database/file-size.ts";
import { manifest, manifestOf, readName } from "./backup-manifest.ts";

/** Default folder of a store's backups. */
export const backupsBeside = (path: string): string => join(dirname(path), "backups");

/**
 * Throws `CannotOpen` for a missing or empty store if files beside it show that there was one. A new store in its place
 * would displace its backups, and SQLite deletes the log of an empty file.
 */
export function assertNotLost(path: string, backupDir = backupsBeside(path)): void {
  if (!isBlank(path)) return;
  const left = leftoversOf(path);
  // Another process may have created the store and its log meanwhile.
  if (left.length === 0 || !isBlank(path)) return;
  const state = existsSync(path) ? "is empty (0 bytes)" : "is missing";
  const found = left.map(({ what }) => what).join(", ");
  const inTheWay = left.map(({ file }) => file).join(", ");
  throw new CannotOpen(
    `${path} ${state}, and there was a store: found ${found}`,
    `put the file back if it was moved, or ${wayBack(backupDir)}; if a new store is wanted, move away first: ${inTheWay}; nothing was changed`,
  );
}

/** Command that restores a store. */
export function wayBack(backupDir: string): string {
  const newest = namesIn(backupDir).toSorted((a, b) => madeMs(b) - madeMs(a))[0];
  return newest
    ? `restore a backup: \`chest-index restore ${join(backupDir, newest)} --yes\``
    : `restore one from elsewhere, as ${backupDir} holds no backup: \`chest-index restore FILE --yes\``;
}

const isBlank = (path: string): boolean => sizeOf(path) === 0;

interface Leftover {
  readonly what: string;
  /** File that must be removed before a new store can be created. */
  readonly file: string;
}

function leftoversOf(path: string): Leftover[] {
  const [closed, log, folder] = [`${path}.closed`, `${path}-wal`, backupsBeside(path)];
  const left: Leftover[] = [];
  if (existsSync(closed)) left.push({ what: basename(closed), file: closed });
  if (sizeOf(log) > 0) left.push({ what: `${basename(log)} of ${sizeOf(log)} bytes`, file: log });
  const backups = namesIn(folder).filter((name) => isOf(path, join(folder, name)));
  if (backups.length > 0) left.push({ what: `${backups.length} backups in ${folder}`, file: folder });
  return left;
}

/**
 * Whether a backup belongs to a store: two stores in one folder share their backup folder. A manifest without a name
 * may belong to either.
 */
function isOf(path: string, backup: string): boolean {
  try {
    const about = manifest.safeParse(parsedJson(readFileSync(manifestOf(backup), "utf8")));
    return (about.data?.store ?? basename(path)) === basename(path);
  } catch {
    return true; // It lies there without one.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => readName(name) !== undefined);
  } catch {
    return []; // There is none, or it is on the same bad disk.
  }
}

const madeMs = (name: string): number => readName(name)?.madeAt.getTime() ?? 0;

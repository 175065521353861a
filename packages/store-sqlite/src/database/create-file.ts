import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  lchownSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { CannotOpen } from "@chest/core/ports";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const STICKY = 0o1000;
const MIN_FREE_BYTES = 64 * 1024 * 1024;
export const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
]);

/** Creates the folder and a private file if there is none, and refuses a place that cannot hold a store. */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder);
    const { type, bavail, bsize } = statfsSync(folder);
    const network = NETWORK_FILE_SYSTEMS.get(type);
    if (network) throw onNetwork(folder, network);
    if (bavail * bsize < MIN_FREE_BYTES) throw noRoom(folder, bavail * bsize);
    touchFile(path);
  } catch (error) {
    if (error instanceof CannotOpen) throw error;
    throw notWritable(folder, error);
  }
}

/**
 * Makes sure that a file exists and is writable; a new one is private under any umask. If root creates it, it gets the
 * owner of its folder, so that a service with its own account can open it.
 */
export function touchFile(path: string): void {
  const made = openNew(path);
  if (made === undefined) {
    closeSync(openSync(path, "a", FILE_MODE));
    return;
  }
  try {
    // Changed through its descriptor, because a path in another user's folder may be redirected.
    fchmodSync(made, FILE_MODE);
    giveLike(dirname(path), (uid, gid) => fchownSync(made, uid, gid));
  } finally {
    closeSync(made);
  }
}

/** Gives a file that root created to the owner of `model`. */
export function giveFile(path: string, model: string): void {
  const file = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    giveLike(model, (uid, gid) => fchownSync(file, uid, gid));
  } finally {
    closeSync(file);
  }
}

/** Undefined if the name exists. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, "ax", FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

/** Creates a private folder with its parents; if root creates them, they get the owner of the parent folder. */
export function makeFolder(folder: string): void {
  const last = resolve(folder);
  const first = mkdirSync(last, { recursive: true });
  if (first === undefined) return;
  chmodSync(last, FOLDER_MODE);
  for (let made = last; made.length >= first.length; made = dirname(made)) {
    giveLike(dirname(first), (uid, gid) => lchownSync(made, uid, gid));
  }
}

function giveLike(model: string, chown: (uid: number, gid: number) => void): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(model);
  try {
    chown(uid, gid);
  } catch (error) {
    // In a container, root may lack this right: then the file stays root's.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

/** Makes a store's files and folder private. A shared folder stays shared. */
export function closeToOthers(path: string): void {
  const folder = dirname(path);
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      if (existsSync(file) && isOpenToOthers(file)) chmodSync(file, FILE_MODE);
    }
    if (isOpenToOthers(folder) && (statSync(folder).mode & STICKY) === 0) chmodSync(folder, FOLDER_MODE);
  } catch (error) {
    throw notWritable(folder, error);
  }
}

const isOpenToOthers = (path: string): boolean => (statSync(path).mode & 0o077) !== 0;

const onNetwork = (folder: string, kind: string) =>
  new CannotOpen(
    `${folder} is on a network file system (${kind})`,
    "SQLite's locks do not hold there: use a local disk",
  );

const noRoom = (folder: string, bytes: number) =>
  new CannotOpen(
    `${folder} has ${Math.floor(bytes / 1024 / 1024)} MB free, ${MIN_FREE_BYTES / 1024 / 1024} MB are needed to start`,
    "free some space, or set CHEST_DATA_DIR to another disk",
  );

function notWritable(folder: string, cause: unknown): CannotOpen {
  if ((cause as NodeJS.ErrnoException).code === "EROFS")
    return new CannotOpen(
      `the store in ${folder} lies on a file system that is mounted read-only`,
      "mount it writable, or set CHEST_DATA_DIR to a folder on another one",
      cause,
    );
  const uid = process.getuid?.() ?? "this user";
  return new CannotOpen(
    `the store in ${folder} cannot be written by uid ${uid}`,
    `give it to that user: chown -R ${uid} ${folder}; or set CHEST_DATA_DIR to a folder of its own`,
    cause,
  );
}

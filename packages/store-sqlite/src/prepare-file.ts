import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CannotOpen } from "./errors.ts";

const MIN_FREE_BYTES = 64 * 1024 * 1024;
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
]);

/** Makes the folder and an owner-only file where there is none, and refuses a place that cannot hold a store. */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { type, bavail, bsize } = statfsSync(folder);
    const network = NETWORK_FILE_SYSTEMS.get(type);
    if (network) throw onNetwork(folder, network);
    if (bavail * bsize < MIN_FREE_BYTES) throw noRoom(folder, bavail * bsize);
    closeSync(openSync(path, "a", 0o600));
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    if (error instanceof CannotOpen) throw error;
    throw notWritable(folder, error);
  }
}

/** The data folder is its owner's alone, whatever the umask was when it was made. */
export function closeFolder(folder: string): void {
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

const onNetwork = (folder: string, kind: string) =>
  new CannotOpen(`${folder} is on a network file system (${kind})`, "SQLite's locks do not hold there: use a local disk");

const noRoom = (folder: string, bytes: number) =>
  new CannotOpen(
    `${folder} has ${Math.floor(bytes / 1024 / 1024)} MB free, ${MIN_FREE_BYTES / 1024 / 1024} MB are needed to start`,
    "free some space, or set CHEST_DATA_DIR to another disk",
  );

function notWritable(folder: string, cause: unknown): CannotOpen {
  const uid = process.getuid?.() ?? "this user";
  return new CannotOpen(
    `the store in ${folder} cannot be written by uid ${uid}`,
    `give it to that user: chown -R ${uid} ${folder}; or set CHEST_DATA_DIR to a folder of its own`,
    cause,
  );
}

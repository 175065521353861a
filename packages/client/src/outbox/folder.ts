import { randomBytes } from "node:crypto";
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import { type Draft, type Entry, entry } from "./entry.ts";
import { troubleWith } from "./trouble.ts";

const MAX_ENTRIES = 1_000;
const MAX_BYTES = 20_000_000;
const NAME = /^\d{14}-\d{4}-[0-9a-f]{8}$/;
const STALE_TEMPORARY_MS = 600_000;

/** Calls as files, one each, in the order of their names. Safe with several processes at once. */
export interface OutboxFolder {
  readonly path: string;
  /** Adds an entry, which is on the disk when this returns. Throws `UNAVAILABLE` if the outbox is full. */
  add(draft: Draft): Promise<Entry>;
  /**
   * Throws `UNAVAILABLE` where this user may not add to the folder, or it is read-only. A missing folder is no
   * objection.
   */
  checkWritable(): Promise<void>;
  /** Ids of waiting entries, oldest first; empty without a folder. */
  waiting(): Promise<readonly string[]>;
  /** Ids of refused entries, and of files that could not be read. */
  refused(): Promise<readonly string[]>;
  /**
   * Reads an entry; undefined if it is gone. A damaged file is moved aside and counts as gone. Throws `UNAVAILABLE` if the
   * system denies reading the file, which then stays.
   */
  read(id: string): Promise<Entry | undefined>;
  /** Reads a refused entry; undefined if there is none. */
  readRefused(id: string): Promise<Entry | undefined>;
  /** Replaces an entry. */
  update(changed: Entry): Promise<void>;
  /** Moves a refused entry aside, with the reason. */
  setAside(waiting: Entry, error: ChestError, now: Date): Promise<void>;
  /** Removes an entry; false if no such entry was waiting or refused. */
  remove(id: string): Promise<boolean>;
}

export function openOutboxFolder(path: string): OutboxFolder {
  const aside = join(path, "refused");
  const fileOf = (id: string, folder = path) => join(folder, `${id}.json`);
  let last = Promise.resolve();

  const add = async (draft: Draft): Promise<Entry> => {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const names = await list(path);
    await refuseWhenFull(path, names);
    const now = new Date();
    const id = nextId(names.at(-1), now);
    const added: Entry = { format: 1, id, queued_at: now.toISOString(), ...draft };
    await writeWhole(fileOf(id), added);
    return added;
  };

  const readFrom = (id: string, folder: string) => usable(fileOf(id, folder), "read", parseFrom(id, folder));

  const parseFrom = async (id: string, folder: string): Promise<Entry | undefined> => {
    if (!NAME.test(id)) return undefined;
    const text = await readFile(fileOf(id, folder), "utf8").catch(absent);
    if (text === undefined) return undefined;
    const parsed = entry.safeParse(parse(text));
    if (parsed.success && parsed.data.id === id) return parsed.data;
    // A damaged or foreign file is moved aside, where a person can look at it.
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await rename(fileOf(id, folder), join(aside, `${id}.unreadable`)).catch(absent);
    return undefined;
  };

  return {
    path,
    add(draft) {
      // One at a time, so that names follow the order of the calls.
      const added = last.then(() => add(draft));
      last = added.then(nothing, nothing);
      return added;
    },
    checkWritable: () => usable(path, "written", access(path, constants.W_OK | constants.X_OK).catch(absent)),
    waiting: () => usable(path, "read", list(path)),
    refused: () => usable(aside, "read", list(aside)),
    read: (id) => readFrom(id, path),
    readRefused: (id) => readFrom(id, aside),
    update: (changed) => writeWhole(fileOf(changed.id), changed),
    async setAside(waiting, { code, message, hint }, now) {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      const refused = { at: now.toISOString(), code, message, ...(hint === undefined ? {} : { hint }) };
      await writeWhole(fileOf(waiting.id, aside), { ...waiting, refused });
      await unlink(fileOf(waiting.id)).catch(absent);
    },
    async remove(id) {
      if (!NAME.test(id)) return false;
      const gone = await Promise.all(
        [fileOf(id), fileOf(id, aside), join(aside, `${id}.unreadable`)].map((file) =>
          unlink(file).then(() => true, isAbsent),
        ),
      );
      return gone.includes(true);
    },
  };
}

const nothing = (): void => undefined;

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

const isAbsent = (error: NodeJS.ErrnoException): boolean => absent(error) !== undefined;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A torn file; the caller sets it aside.
  }
}

/** Uses a path, and turns the system's refusals into errors that name it. */
async function usable<T>(path: string, as: "read" | "written", using: Promise<T>): Promise<T> {
  try {
    return await using;
  } catch (error) {
    const trouble = troubleWith(path, error);
    if (!trouble) throw error;
    const { reason, says, hint } = trouble;
    const details = { path, reason };
    throw new ChestError("UNAVAILABLE", `\`${path}\` cannot be ${as}: ${says}`, { hint, details, cause: error });
  }
}

/** Ids of the entries in a folder, oldest first. Removes files that a crash left half-written. */
async function list(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(absent)) ?? [];
  const torn = names.filter((name) => name.endsWith(".part"));
  // A file that cannot be removed now does no harm.
  await Promise.all(torn.map((name) => sweep(join(folder, name)).catch(nothing)));
  return names
    .map((name) => name.replace(/\.(json|unreadable)$/, ""))
    .filter((name) => NAME.test(name))
    .sort();
}

async function sweep(file: string): Promise<void> {
  const found = await stat(file).catch(absent);
  if (found && Date.now() - found.mtimeMs > STALE_TEMPORARY_MS) await rm(file, { force: true });
}

/** Time for a new name: later than the newest entry even if the clock was set back. */
function nextId(newest: string | undefined, now: Date): string {
  const time = String(now.getTime()).padStart(14, "0");
  const [newestTime = "", count = "0"] = newest?.split("-") ?? [];
  const isLater = time > newestTime;
  const place = isLater ? `${time}-0000` : `${newestTime}-${String(Number(count) + 1).padStart(4, "0")}`;
  return `${place}-${randomBytes(4).toString("hex")}`;
}

async function refuseWhenFull(path: string, names: readonly string[]): Promise<void> {
  const sizes = await Promise.all(names.map((name) => stat(join(path, `${name}.json`)).catch(absent)));
  const bytes = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
  if (names.length < MAX_ENTRIES && bytes < MAX_BYTES) return;
  throw new ChestError("UNAVAILABLE", "the backend does not answer and the outbox is full", {
    hint: "`chest-index outbox list` shows what waits; once the backend is back, it drains by itself",
    details: { entries: names.length, bytes },
  });
}

/** Writes a file whole or not at all, readable by this user only, and flushes it to the disk. */
async function writeWhole(file: string, content: Entry): Promise<void> {
  const part = `${file}.${randomBytes(4).toString("hex")}.part`;
  try {
    await writeSynced(part, JSON.stringify(content));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(nothing); // Its room is given back; the first failure is the one to tell.
    throw error;
  }
  await syncFolder(join(file, ".."));
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes a folder, which makes a rename in it durable. Windows can neither open a folder nor needs this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

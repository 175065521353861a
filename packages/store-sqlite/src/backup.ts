import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import Database from "better-sqlite3";

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
}

/** An online copy, log included, that gets its name only after it was opened, checked and counted. */
export async function backUp(db: Database.Database, folder: string, label: string): Promise<Backup> {
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await chmod(folder, 0o700);
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  const file = join(folder, `chest-${stamp}-${label}.db`);
  const unfinished = `${file}.part`;
  try {
    await db.backup(unfinished);
    await chmod(unfinished, 0o600);
    const rows = verify(unfinished);
    const hash = createHash("sha256");
    await pipeline(createReadStream(unfinished), hash);
    await rename(unfinished, file);
    return { file, bytes: (await stat(file)).size, sha256: hash.digest("hex"), rows };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Opens a copy, checks it whole, and counts its memories. */
function verify(file: string): number {
  const copy = new Database(file, { fileMustExist: true });
  try {
    // One file, without a log beside it that would keep the name it has now.
    copy.pragma("journal_mode = DELETE");
    const verdict = copy.pragma("integrity_check", { simple: true });
    if (verdict !== "ok") throw new Error(`the backup is damaged: ${String(verdict).slice(0, 200)}`);
    const hasMemories = copy.prepare("SELECT 1 FROM sqlite_master WHERE name = 'memories'").get();
    return hasMemories ? Number(copy.prepare("SELECT count(*) FROM memories").pluck().get()) : 0;
  } finally {
    copy.close();
  }
}

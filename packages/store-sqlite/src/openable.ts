import { listBackups } from "./backups/list.ts";
import { CannotOpen, sqliteCode } from "./errors.ts";

/** Does what opens a file. What the file itself refuses is told in words that its owner can act on; it is neither deleted nor renamed. */
export async function openable<T>(path: string, backupDir: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = sqliteCode(error) ?? sqliteCode(error instanceof Error ? error.cause : undefined);
    if (code === undefined || error instanceof CannotOpen) throw error;
    if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
      throw new CannotOpen(
        `${path} is damaged, or no SQLite database (${code})`,
        `${await wayBack(backupDir)}; the file was not changed`,
        error,
      );
    }
    if (code.startsWith("SQLITE_FULL"))
      throw new CannotOpen(`the disk under ${path} is full`, "free some space and start again", error);
    throw new CannotOpen(
      `${path} cannot be opened for writing (${code})`,
      "look at the permissions and the mount of its folder",
      error,
    );
  }
}

async function wayBack(backupDir: string): Promise<string> {
  const [newest] = await listBackups(backupDir).catch(() => []); // The folder may be on the same bad disk.
  return newest
    ? `restore a backup: \`chest-index restore ${newest.path} --yes\``
    : `${backupDir} holds no backup; one from elsewhere comes back with \`chest-index restore FILE --yes\``;
}

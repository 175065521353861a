import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ListedBackup } from "@chest/core/ports";
import { readManifest, readName } from "../store-file/backup-manifest.ts";

/** Backups in a folder, newest first; empty for a missing folder. */
export async function listBackups(folder: string): Promise<readonly ListedBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const listed = await Promise.all(names.map((file) => look(folder, file)));
  return listed.filter((each) => each !== undefined).sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime());
}

async function look(folder: string, file: string): Promise<ListedBackup | undefined> {
  const name = readName(file);
  if (!name) return undefined;
  const path = join(folder, file);
  const [about, found] = await Promise.all([readManifest(path), stat(path).catch(() => undefined)]);
  if (!found) return undefined; // Rotated away meanwhile.
  return {
    ...name,
    path,
    file,
    bytes: found.size,
    sha256: about?.sha256,
    schema: about?.schema,
    memories: about?.rows.memories,
  };
}

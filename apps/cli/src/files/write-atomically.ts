import { createWriteStream, type Stats } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StartError } from "@chest/runtime";
import { renameOver } from "./rename-over.ts";
import { linkTarget } from "./resolve-link.ts";

/**
 * Writes a stream into a temporary file, readable by its owner only, and renames the file when it is complete. A link
 * is kept and its target replaced. A pipe or device is written into, never replaced.
 */
export async function writeWhole(lines: Readable, path: string): Promise<void> {
  try {
    const found = await statOrNothing(path);
    if (found && !found.isFile()) await pipeline(lines, createWriteStream(path));
    else await replace(lines, await linkTarget(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new StartError(
      `\`${path}\` cannot be written (${code})`,
      "name a file in a folder that you can write to",
      error,
    );
  }
}

async function replace(lines: Readable, file: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    await pipeline(lines, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await renameOver(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    // No file yet, or a link without a target.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ChestError } from "@chest/contracts";
import { MAX_FILE_BYTES, outsideRoots, type ReadFile, type Workspace } from "@chest/core/ports";
import { isInside, nearestExisting } from "./confine.ts";

/** The folders that are open now, as they were named. */
export type RootsOf = () => Promise<readonly string[]>;

// A file that is replaced while it is opened is opened again; an editor does that once.
const MOST_TRIES = 3;

/** The files below some folders of this machine. @param cwd what a relative path is relative to. */
export function openWorkspace(rootsOf: RootsOf, cwd: string): Workspace {
  const roots = async () => {
    const real = await Promise.all((await rootsOf()).map((root) => realpath(root).catch(() => undefined)));
    return [...new Set(real.filter((root) => root !== undefined))];
  };
  return {
    roots,
    async read(input, signal) {
      if (input.includes("\0")) throw notFound(input);
      const inside = await roots();
      const path = resolve(cwd, input);
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        signal.throwIfAborted();
        const found = await readOnce(await judged(path, input, inside), input, inside);
        if (found) return found;
      }
      throw notFound(input);
    },
  };
}

/** Resolves a path through all links, if it ends inside a root. */
async function judged(path: string, input: string, roots: readonly string[]): Promise<string> {
  const canonical = await realpath(path).catch(() => undefined);
  const place = canonical ?? (await nearestExisting(path));
  if (place === undefined || !roots.some((root) => isInside(root, place))) throw outsideRoots(input, roots.length);
  if (canonical === undefined) throw notFound(input);
  return canonical;
}

// A pipe without a writer is not waited for, and what has become a link since is not followed.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** @returns undefined when what was opened lies outside or was replaced: a folder above it may have become a link since. */
async function readOnce(judgedPath: string, input: string, roots: readonly string[]): Promise<ReadFile | undefined> {
  const handle = await opened(judgedPath, input);
  if (!handle) return undefined;
  try {
    const own = await handle.stat({ bigint: true });
    const path = await pathOf(handle, judgedPath);
    if (path === undefined || !roots.some((root) => isInside(root, path))) return undefined;
    if (!own.isFile()) throw notAFile(input);
    if (own.size > BigInt(MAX_FILE_BYTES)) throw tooLarge(input, Number(own.size));
    return { path, bytes: await bytesOf(handle, input), mtimeNs: String(own.mtimeNs) };
  } finally {
    await handle.close();
  }
}

// Without /proc each look at a path can be deceived by a swap at that moment; this many looks in a row cannot.
const LOOKS = 5;

/**
 * Path of an open file, all links followed. Linux tells it of the descriptor itself. Elsewhere the path that was opened
 * has to lead to the same file again and again, without a link; undefined when it does not.
 */
async function pathOf(handle: FileHandle, opened: string): Promise<string | undefined> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined); // No /proc here.
  if (told !== undefined) return told.endsWith(" (deleted)") && told !== opened ? undefined : told;
  const own = await handle.stat({ bigint: true });
  for (let look = 0; look < LOOKS; look++) {
    const there = await stat(opened, { bigint: true }).catch(() => undefined);
    const real = await realpath(opened).catch(() => undefined);
    if (real !== opened || there?.ino !== own.ino || there.dev !== own.dev) return undefined;
  }
  return opened;
}

async function opened(path: string, input: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return undefined;
    // A socket, and on Windows a folder.
    if (code === "ENXIO" || code === "EISDIR") throw notAFile(input);
    throw new ChestError("INVALID_INPUT", `path: \`${shown(input)}\` cannot be read (${code ?? "unknown"})`, {
      hint: "give this account the right to read it",
      details: { field: "path" },
    });
  }
}

/** Reads at most one byte above the limit, because the file may grow meanwhile. */
async function bytesOf(handle: FileHandle, input: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of handle.createReadStream({ end: MAX_FILE_BYTES, autoClose: false })) {
    total += chunk.length;
    chunks.push(chunk);
  }
  if (total > MAX_FILE_BYTES) throw tooLarge(input, total);
  return Buffer.concat(chunks);
}

const shown = (path: string): string => path.slice(0, 500);

const notFound = (path: string): ChestError =>
  new ChestError("NOT_FOUND", `\`${shown(path)}\` not found`, {
    hint: "relative paths count from the agent's working directory",
    details: { id: shown(path) },
  });

const notAFile = (path: string): ChestError =>
  new ChestError("INVALID_INPUT", `path: \`${shown(path)}\` is not a regular file`, {
    hint: "name a text file",
    details: { field: "path" },
  });

const tooLarge = (path: string, bytes: number): ChestError =>
  new ChestError("PAYLOAD_TOO_LARGE", `\`${shown(path)}\` has ${bytes} bytes, the limit is ${MAX_FILE_BYTES}`, {
    hint: "read a part of it with another tool",
    details: { limit_bytes: MAX_FILE_BYTES },
  });

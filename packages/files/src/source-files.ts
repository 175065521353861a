import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ChestError } from "@chest/contracts";
import { readText } from "@chest/core/files";
import { type NewSource, readSourcePlace } from "@chest/core/memory";
import type { Workspace } from "@chest/core/ports";
import { isInside } from "./confine.ts";
import { findRepository, headOf } from "./git-head.ts";

/** Files that memories come from, by the paths that they have in their repository. */
export interface SourceFiles {
  /** Reads `path:line` for a memory. Throws what is wrong with it, naming the argument. */
  note(input: string, field: string, signal: AbortSignal): Promise<NewSource>;
  /** Hash of the file of a path as memories keep it; null for one that is gone. Throws where it cannot be read. */
  hashOf(path: string, signal: AbortSignal): Promise<string | null>;
  /** Commit that the repository at hand is at. */
  commit(): string | undefined;
  /** The path of a file or folder as memories keep it, whether it is there or not. */
  pathOf(input: string): Promise<string>;
}

const KEPT_MS = 250;

/** @param cwd folder that a relative path counts from. */
export function openSourceFiles(workspace: Workspace, cwd: string): SourceFiles {
  let found: { readonly folders: Promise<readonly string[]>; readonly until: number } | undefined;

  /** Found once for all the files of one check. */
  function bases(): Promise<readonly string[]> {
    const now = performance.now();
    if (!found || found.until <= now) found = { folders: findBases(), until: now + KEPT_MS };
    return found.folders;
  }

  /** Folders that paths are kept relative to: tops of repositories before what lies in none. */
  async function findBases(): Promise<readonly string[]> {
    const roots = await workspace.roots();
    const here = await realpath(cwd).catch(() => cwd);
    const isOpen = roots.some((root) => isInside(root, here));
    const tops = [...(isOpen ? [here] : []), ...roots].flatMap((folder) => topOf(folder) ?? []);
    return [...new Set([...tops.toSorted((a, b) => b.length - a.length), ...roots])];
  }

  const keptAs = (path: string, folders: readonly string[]): string | undefined => {
    const base = folders.find((folder) => isInside(folder, path));
    return base === undefined ? undefined : relative(base, path).split(sep).join("/");
  };

  return {
    async note(input, field, signal) {
      const { path: named, ...lines } = readSourcePlace(input, field);
      const { path, bytes } = await naming(field, () => readable(workspace, named, signal));
      const last = lines.endLine ?? lines.line;
      if (last !== undefined) assertHasLine(bytes, last, field);
      const gitCommit = commitOf(dirname(path));
      return {
        path: keptAs(path, await bases()) ?? named,
        ...lines,
        hash: sha256(bytes),
        ...(gitCommit === undefined ? {} : { gitCommit }),
      };
    },
    async hashOf(path, signal) {
      for (const base of await bases()) {
        try {
          return sha256((await workspace.read(join(base, path), signal)).bytes);
        } catch (error) {
          if (!(error instanceof ChestError && ["NOT_FOUND", "OUTSIDE_ROOTS"].includes(error.code))) throw error;
        }
      }
      return null;
    },
    commit: () => commitOf(cwd),
    async pathOf(input) {
      const path = resolve(cwd, input);
      const real = await realpath(path).catch(() => path);
      const folders = await bases();
      return keptAs(real, folders) ?? input;
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const commitOf = (folder: string): string | undefined => {
  const repository = findRepository(folder);
  return repository && headOf(repository).commit;
};

/**
 * Top of a folder's repository. A repository of dotfiles in the home folder is not the project of all folders below it.
 */
function topOf(folder: string): string | undefined {
  const top = findRepository(folder)?.top;
  return top === homedir() ? undefined : top;
}

async function readable(workspace: Workspace, path: string, signal: AbortSignal) {
  const file = await workspace.read(path, signal);
  readText(file.bytes, path);
  return file;
}

function assertHasLine(bytes: Uint8Array, line: number, field: string): void {
  let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
  for (const byte of bytes) if (byte === 10) lines++;
  if (line <= lines) return;
  throw new ChestError("INVALID_INPUT", `${field}: line ${line} is after the last of ${lines} lines`, {
    hint: "name a line that the file has, or leave the line out",
    details: { field },
  });
}

/** Makes an error name the argument that held the path. */
async function naming<T>(field: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ChestError)) throw error;
    const { code, message, hint, details } = error;
    throw new ChestError(code, `${field}: ${message.replace(/^path: /, "")}`, {
      hint: `${hint === undefined ? "" : `${hint}; `}nothing was stored`,
      details: { ...details, field },
      cause: error,
    });
  }
}

import { readFileSync, statSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { withUnixLines } from "@chest/core/text";

/** State of a repository: the commit that is checked out, and its branch where there is one. */
export interface GitHead {
  readonly commit?: string;
  readonly branch?: string;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** Folders of a repository as git keeps them. */
export interface Repository {
  /** Top of the working tree. */
  readonly top: string;
  /** Folder of this worktree, with its HEAD. */
  readonly folder: string;
  /** Shared by all worktrees: branches and stashes lie there. */
  readonly common: string;
}

/** Finds the repository that a folder lies in; undefined where there is none. Git is not run. */
export function findRepository(cwd: string): Repository | undefined {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const found = repositoryAt(at);
    if (found || at === parse(at).root) return found;
  }
}

/** Reads the repository whose working tree has its top in a folder; undefined where there is none. */
export function repositoryAt(top: string): Repository | undefined {
  const folder = gitFolderOf(join(top, ".git"));
  if (folder === undefined) return undefined;
  const common = readText(join(folder, "commondir"))?.trim();
  return { top, folder, common: common ? resolve(folder, common) : folder };
}

/** Reads the HEAD of a folder's repository; empty without a repository or a commit. */
export function readGitHead(cwd: string): GitHead {
  const repository = findRepository(cwd);
  return repository ? headOf(repository) : {};
}

/** The folder that a `.git` is, or that it names, as that of a worktree does. */
function gitFolderOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isDirectory()) return path;
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readText(path) ?? "")?.[1];
  return named && resolve(dirname(path), named);
}

/** Commit and branch of a repository, from its own files. */
export function headOf({ folder, common }: Repository): GitHead {
  const head = readText(join(folder, "HEAD"))?.trim() ?? "";
  if (COMMIT.test(head)) return { commit: head };
  const ref = /^ref:\s*(refs\/heads\/(.+))$/.exec(head);
  if (!ref) return {};
  const [, path = "", branch = ""] = ref;
  const commit = commitOf(common, path);
  return commit === undefined ? { branch } : { commit, branch };
}

/** Commit of a branch: in a file of its own, or a line among the packed ones. */
function commitOf(common: string, ref: string): string | undefined {
  const loose = readText(join(common, ref))?.trim();
  if (loose !== undefined && COMMIT.test(loose)) return loose;
  const packed = readText(join(common, "packed-refs"))?.split("\n") ?? [];
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}

function readText(file: string): string | undefined {
  try {
    return withUnixLines(readFileSync(file, "utf8"));
  } catch {
    return undefined; // Absent, or not for us to read: then nothing is said of it.
  }
}

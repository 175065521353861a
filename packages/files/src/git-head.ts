import { readFileSync, statSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";

/** State of a repository: the commit that is checked out, and its branch where there is one. */
export interface GitHead {
  readonly commit?: string;
  readonly branch?: string;
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** Reads the HEAD of the repository that a folder lies in. Git is not run. Nothing where there is none, or no commit yet. */
export function readGitHead(cwd: string): GitHead {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const git = gitFolderOf(join(folder, ".git"));
    if (git !== undefined) return headOf(git);
    if (folder === parse(folder).root) return {};
  }
}

/** The folder that a `.git` is, or that it names, as that of a worktree does. */
function gitFolderOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isDirectory()) return path;
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readText(path) ?? "")?.[1];
  return named && resolve(dirname(path), named);
}

function headOf(git: string): GitHead {
  const head = readText(join(git, "HEAD"))?.trim() ?? "";
  if (COMMIT.test(head)) return { commit: head };
  const ref = /^ref:\s*(refs\/heads\/(.+))$/.exec(head);
  if (!ref) return {};
  const [, path = "", branch = ""] = ref;
  const commit = commitOf(git, path);
  return commit === undefined ? { branch } : { commit, branch };
}

/** Of a branch: a file of its own, or a line among the packed ones; both lie in the common folder of all worktrees. */
function commitOf(git: string, ref: string): string | undefined {
  const common = readText(join(git, "commondir"))?.trim();
  const folder = common ? resolve(git, common) : git;
  const loose = readText(join(folder, ref))?.trim();
  if (loose !== undefined && COMMIT.test(loose)) return loose;
  const packed = readText(join(folder, "packed-refs"))?.split("\n") ?? [];
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Absent, or not for us to read: then nothing is said of it.
  }
}

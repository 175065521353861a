import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { GitState } from "@chest/core";

const MOST_MS = 200;
const MOST_BYTES = 1_048_576;
const MOST_CHANGED = 10;
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Reads commit, branch and stashes from git's own files, without running it. Undefined outside of a repository. */
export function readHead(cwd: string): GitState | undefined {
  const folder = gitFolderOf(cwd);
  if (folder === undefined) return undefined;
  const common = readText(join(folder, "commondir"))?.trim();
  const shared = common ? resolve(folder, common) : folder;
  const head = readText(join(folder, "HEAD"))?.trim() ?? "";
  const ref = /^ref:\s*(\S+)$/.exec(head)?.[1];
  const commit = ref === undefined ? head : (readText(join(shared, ref))?.trim() ?? packedRef(shared, ref));
  const branch = ref?.replace(/^refs\/heads\//, "").slice(0, 250);
  const stashes = (readText(join(shared, "logs", "refs", "stash")) ?? "").split("\n").filter(Boolean).length;
  return {
    ...(commit !== undefined && COMMIT.test(commit) ? { commit } : {}),
    ...(branch ? { branch } : {}),
    ...(stashes > 0 ? { stashes: Math.min(stashes, 10_000) } : {}),
  };
}

/** The same, and what is not committed: left out where git is not there, or does not answer in time. */
export async function readGitState(cwd: string): Promise<GitState | undefined> {
  const head = readHead(cwd);
  return head && { ...head, ...(await changedIn(cwd)) };
}

function changedIn(cwd: string): Promise<GitState> {
  // A repository may name a program to ask for changes; nothing of it is run unasked.
  const args = ["-c", "core.fsmonitor=false", "--no-optional-locks", "status", "--porcelain=v1", "-z"];
  const options = { cwd, timeout: MOST_MS, killSignal: "SIGKILL", maxBuffer: MOST_BYTES, windowsHide: true } as const;
  return new Promise((settle) => {
    execFile("git", args, options, (error, stdout) => settle(error ? {} : changesIn(stdout)));
  });
}

function changesIn(status: string): GitState {
  const entries = status.split("\0");
  const changed: string[] = [];
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? "";
    if (entry.length < 4) continue;
    changed.push(entry.slice(3));
    // A renamed file is followed by its old name.
    if (/^[RC]/.test(entry)) at += 1;
  }
  if (changed.length === 0) return { dirty: 0 };
  return { dirty: changed.length, changed: changed.slice(0, MOST_CHANGED).map((path) => path.slice(0, 300)) };
}

const PLAN = /^(?:plans?|todos?|tasks?|roadmap|next[-_ ]steps?)(?:[-_.][\w-]+)*\.(?:md|txt|org)$/i;
const MOST_PLANS = 5;
const FRESH_MS = 30 * 86_400_000;

/** Names of plan and task files in a folder that were touched within a month, the latest first. */
export function planFiles(cwd: string): string[] {
  try {
    return readdirSync(cwd, { withFileTypes: true })
      .filter((entry) => entry.isFile() && PLAN.test(entry.name))
      .map(({ name }) => ({ name: name.slice(0, 200), at: statSync(join(cwd, name)).mtimeMs }))
      .filter(({ at }) => Date.now() - at < FRESH_MS)
      .sort((a, b) => b.at - a.at)
      .slice(0, MOST_PLANS)
      .map(({ name }) => name);
  } catch {
    return []; // A folder that cannot be read has none to name.
  }
}

function gitFolderOf(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return path;
    const named = found && /^gitdir:\s*(.+?)\s*$/m.exec(readText(path) ?? "")?.[1];
    if (named) return resolve(folder, named);
    if (dirname(folder) === folder) return undefined;
  }
}

function packedRef(folder: string, ref: string): string | undefined {
  const line = (readText(join(folder, "packed-refs")) ?? "").split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ", 1)[0];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Absent, or not for us to read.
  }
}

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { GitState } from "@chest/core/continuity";
import { findRepository, headOf } from "@chest/files/git-head";

const MOST_MS = 200;
const MOST_BYTES = 1_048_576;
const MOST_CHANGED = 10;

/** Reads commit, branch and stashes from git's own files, without running it. Undefined outside of a repository. */
export function readHead(cwd: string): GitState | undefined {
  const repository = findRepository(cwd);
  if (!repository) return undefined;
  const { commit, branch } = headOf(repository);
  const stashes = linesIn(join(repository.common, "logs", "refs", "stash"));
  return {
    ...(commit && { commit }),
    ...(branch && { branch: branch.slice(0, 250) }),
    ...(stashes > 0 && { stashes: Math.min(stashes, 10_000) }),
  };
}

/** Reads branch and commit, and the uncommitted changes; these are left out if git is missing or too slow. */
export async function readGitState(cwd: string): Promise<GitState | undefined> {
  const head = readHead(cwd);
  return head && { ...head, ...(await changedIn(cwd)) };
}

function changedIn(cwd: string): Promise<GitState> {
  // A repository may name a program to ask for changes; nothing of it is run unasked.
  const args = ["-c", "core.fsmonitor=false", "--no-optional-locks", "status", "--porcelain=v1", "-z"];
  const options = { cwd, maxBuffer: MOST_BYTES, windowsHide: true } as const;
  return new Promise((settle) => {
    // Loading it costs an event five milliseconds; most events run nothing.
    const { execFile } = process.getBuiltinModule("node:child_process");
    const git = execFile("git", args, options, (error, stdout) => {
      clearTimeout(late);
      settle(error ? {} : changesIn(stdout));
    });
    // A killed git that reads 100,000 files takes its time to end: it is not waited for.
    const late = setTimeout(() => {
      git.kill("SIGKILL");
      settle({});
    }, MOST_MS);
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

function linesIn(file: string): number {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean).length;
  } catch {
    return 0; // Without a stash there is no such file.
  }
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { cleanEnv, ROOT } from "../../support/process.ts";
import { UsageError } from "./settings.ts";
import { type Side, sideAt } from "./side.ts";

/**
 * Folder of built commits. It is not below `node_modules`, where Node would not strip types and would find this
 * checkout's packages.
 */
const BUILT = join(tmpdir(), `chest-against-${userInfo().username}`);

/** Finds the hash of a commit in this repository. */
export function commitOf(ref: string): string {
  const { status, stdout, error } = git("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  if (error) throw new UsageError(`git is needed to find \`${ref}\`, and was not found`);
  if (status !== 0) {
    const isShallow = git("rev-parse", "--is-shallow-repository").stdout.trim() === "true";
    const why = isShallow ? ": this clone is shallow, `git fetch --unshallow` brings the rest" : "";
    throw new UsageError(`no commit is named \`${ref}\` here${why}`);
  }
  return stdout.trim();
}

/** Short hash of this checkout's commit, with a plus if there are changes. */
export function nameOfCheckout(): string {
  const isChanged = git("status", "--porcelain").stdout.trim() !== "";
  return `${shortName(git("rev-parse", "HEAD").stdout.trim())}${isChanged ? "+" : ""}`;
}

export const shortName = (commit: string): string => commit.slice(0, 8);

/** Builds a commit in a separate folder with its own launcher; a commit that is already built is not built again. */
export async function buildCommit(commit: string): Promise<Side> {
  const root = join(BUILT, commit.slice(0, 12));
  mkdirSync(BUILT, { recursive: true, mode: 0o700 });
  if (!existsSync(join(root, "package.json"))) {
    git("worktree", "prune");
    const { status, stderr } = git("worktree", "add", "--force", "--detach", root, commit);
    if (status !== 0) throw new Error(`${shortName(commit)} could not be checked out: ${stderr.trim()}`);
  }
  // Not every launcher has a command that only builds, but every one builds `chest-index` and the backend to run it.
  const launcher = join(root, "deploy/local/run.mjs");
  const child = spawn(process.execPath, [launcher, "chest-index", "--help"], {
    cwd: root,
    env: cleanEnv({ INIT_CWD: root }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(`${shortName(commit)} could not be built:\n${complaints}`);
  return sideAt(root, shortName(commit));
}

const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });

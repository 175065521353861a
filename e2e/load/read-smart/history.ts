import { execFileSync } from "node:child_process";
import { ROOT } from "../../support/process.ts";

/** Blobs of a file before and after a commit; undefined where the file did not exist. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const git = (args: readonly string[], input?: string): Buffer =>
  execFileSync("git", args, { cwd: ROOT, maxBuffer: 1 << 30, ...(input === undefined ? {} : { input }) });

const NO_BLOB = /^0+$/;

/** Lists the changes of this repository's last commits, oldest first. Throws in a clone without history. */
export function historyOf(commits: number): Change[][] {
  const log = git([
    "log",
    `--max-count=${commits}`,
    "--no-merges",
    "--no-renames",
    "--raw",
    "--no-abbrev",
    "--format=%x00",
  ]);
  return log
    .toString("utf8")
    .split("\0")
    .map((commit) => commit.split("\n").flatMap(readChange))
    .filter((changes) => changes.length > 0)
    .reverse();
}

/** Parses `:100644 100644 <before> <after> M\tpath`; entries other than regular files are left out. */
function readChange(line: string): Change[] {
  const [, oldMode, newMode, before, after, path] = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) \w\t(.+)$/.exec(line) ?? [];
  if (!before || !after || !path) return [];
  const blob = (mode: string | undefined, id: string) =>
    NO_BLOB.test(id) || !mode?.startsWith("100") ? undefined : id;
  return [{ path, before: blob(oldMode, before), after: blob(newMode, after) }];
}

/** Reads the contents of blobs, by id. */
export function readBlobs(ids: readonly string[]): Map<string, Buffer> {
  const out = git(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join(""));
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < out.length; ) {
    const headEnd = out.indexOf("\n", at);
    const [id = "", , size] = out.subarray(at, headEnd).toString("utf8").split(" ");
    const start = headEnd + 1;
    const end = start + Number(size);
    blobs.set(id, out.subarray(start, end));
    at = end + 1;
  }
  return blobs;
}

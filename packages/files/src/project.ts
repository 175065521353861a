import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, parse, resolve } from "node:path";
import { MAX_PROJECT_KEY, projectKeyOf, projectKeyOfRemote, withoutUnseen } from "@chest/core";

/**
 * Key of the project in a folder: its git remote `origin`, else the name of its root folder. Git is not run, and files
 * that its configuration includes are not read. Undefined in a home folder or at the root of a file system.
 */
export function readProject(cwd: string, home = homedir()): string | undefined {
  const start = resolve(cwd);
  const isNowhere = (folder: string) => folder === resolve(home) || folder === parse(folder).root;
  if (isNowhere(start)) return undefined;
  // A repository of dotfiles in the home folder is not the project of everything below it.
  for (let folder = start; !isNowhere(folder); folder = dirname(folder)) {
    const config = gitConfigOf(join(folder, ".git"));
    if (config === undefined) continue;
    const remote = originOf(config);
    return (remote && projectKeyOfRemote(remote)) || nameOf(folder);
  }
  return nameOf(start);
}

const nameOf = (folder: string): string => projectKeyOf(withoutUnseen(basename(folder)).slice(0, MAX_PROJECT_KEY));

/** The configuration a `.git` leads to: a folder itself, a file that names one (submodule), or a worktree's common one. */
function gitConfigOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  const folder = found.isDirectory() ? path : folderNamedIn(path);
  if (folder === undefined) return "";
  const common = readText(join(folder, "commondir"))?.trim();
  return readText(join(common ? resolve(folder, common) : folder, "config")) ?? "";
}

function folderNamedIn(file: string): string | undefined {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readText(file) ?? "")?.[1];
  return named && resolve(dirname(file), named);
}

/** The first URL of the remote `origin`. */
function originOf(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) isOrigin = /^remote\s+"origin"$/i.test(section.trim());
    const url = isOrigin ? /^\s*(?:\[[^\]]*\]\s*)?url\s*=\s*(.*)$/i.exec(line)?.[1] : undefined;
    if (url !== undefined)
      return url
        .replace(/\s[#;].*$/, "")
        .trim()
        .replace(/^"(.*)"$/, "$1");
  }
  return undefined;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Absent, or not for us to read: then there is no remote to be had.
  }
}

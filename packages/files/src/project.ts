import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, parse, resolve, win32 } from "node:path";
import { MAX_PROJECT_KEY, projectKeyOf, projectKeyOfRemote, repositoryKeyOf } from "@chest/core/access";
import { withoutInvisible } from "@chest/core/text";
import { type GitEnv, readGitConfig, type Setting } from "./git/git-config.ts";
import { sshHostOf } from "./git/ssh-host.ts";
import { type Repository, repositoryAt } from "./git-head.ts";

/** Keys of the project in a folder. */
export interface ProjectKeys {
  readonly key: string;
  /** Key that its remote has as it is written, before aliases of ssh and git; undefined where it is the same. */
  readonly written?: string | undefined;
}

/** Key of the project in a folder; undefined in a home folder or at the root of a file system. */
export const readProject = (cwd: string, env: GitEnv, home?: string): string | undefined =>
  readProjectKeys(cwd, env, home)?.key;

/**
 * Reads the keys of the project in a folder: of its remote as git resolves it, else of the name of the main repository's
 * folder. Git is not run. `CHEST_PROJECT_REMOTE=upstream` takes the remote `upstream` before `origin`.
 */
export function readProjectKeys(cwd: string, env: GitEnv, home = homedir()): ProjectKeys | undefined {
  // A path of another system leads nowhere here: resolved, it would lie in the folder that this program runs in.
  if (!isAbsolute(cwd)) return isOfWindows(cwd) ? named(win32.basename(cwd)) : undefined;
  const start = resolve(cwd);
  const isNowhere = (folder: string) => folder === resolve(home) || folder === parse(folder).root;
  if (isNowhere(start)) return undefined;
  // A repository of dotfiles in the home folder is not the project of everything below it.
  for (let folder = start; !isNowhere(folder); folder = dirname(folder)) {
    const repository = repositoryAt(folder);
    if (repository) return keysOf(repository, env, home, isNowhere);
    if (statSync(join(folder, ".git"), { throwIfNoEntry: false })) return named(basename(folder));
  }
  return named(basename(start));
}

const isOfWindows = (path: string): boolean => /^[A-Za-z]:[\\/]|^\\\\/.test(path);

const named = (name: string): ProjectKeys | undefined => {
  const key = projectKeyOf(withoutInvisible(name).slice(0, MAX_PROJECT_KEY));
  return key === "" ? undefined : { key };
};

function keysOf(
  repository: Repository,
  env: GitEnv,
  home: string,
  isNowhere: (folder: string) => boolean,
): ProjectKeys | undefined {
  const settings = readGitConfig({ repository, home, env });
  for (const remote of env.CHEST_PROJECT_REMOTE === "upstream" ? ["upstream", "origin"] : ["origin", "upstream"]) {
    const { url, address } = addressOfRemote(settings, remote) ?? {};
    const written = url === undefined ? undefined : projectKeyOfRemote(url);
    const resolved = address === undefined ? undefined : projectKeyOfRemote(withSshHost(address, home));
    const key = resolved ?? written;
    if (key === undefined) continue;
    if (written === undefined || written === key) return { key };
    // `ssh.github.com` behind `github.com` is the same host, and its key stays what it was.
    return repositoryKeyOf(written) === repositoryKeyOf(key) ? { key: written } : { key, written };
  }
  return named(basename(mainFolderOf(repository, settings, isNowhere)));
}

/** The folder of the main repository: one key for it and all its worktrees. */
function mainFolderOf(
  { top, folder, common }: Repository,
  settings: readonly Setting[],
  isNowhere: (folder: string) => boolean,
): string {
  if (folder === common) return top;
  // A submodule's repository lies apart from its folder, and names it.
  const tree = settings.findLast(
    ({ section, subsection, key }) => `${section} ${subsection} ${key}` === WORKTREE,
  )?.value;
  if (tree) return resolve(common, tree);
  const main = basename(common).startsWith(".") ? dirname(common) : common.replace(/\.git$/, "");
  return isNowhere(main) ? top : main;
}

const WORKTREE = "core undefined worktree";

/**
 * Finds one remote: its first URL as it is written, and the address that it stands for, since the longest `insteadOf` that it
 * begins with is rewritten. Undefined where there is no such remote.
 */
function addressOfRemote(
  settings: readonly Setting[],
  remote: string,
): { readonly url: string; readonly address: string } | undefined {
  let url: string | undefined;
  for (const { section, subsection, key, value } of settings) {
    if (section !== "remote" || subsection !== remote || key !== "url") continue;
    // An empty one takes the earlier ones away.
    url = value === "" ? undefined : (url ?? value);
  }
  return url === undefined ? undefined : { url, address: rewritten(settings, url) };
}

function rewritten(settings: readonly Setting[], url: string): string {
  let longest: { readonly base: string; readonly instead: string } | undefined;
  for (const { section, subsection: base, key, value: instead } of settings) {
    if (section !== "url" || key !== "insteadof" || base === undefined || !url.startsWith(instead)) continue;
    if (longest === undefined || instead.length > longest.instead.length) longest = { base, instead };
  }
  return longest === undefined ? url : longest.base + url.slice(longest.instead.length);
}

const OVER_SSH = /^((?:git\+ssh|ssh\+git|ssh):\/\/(?:[^/\s]*@)?)([^/:@\s[\]]+)(?=[:/])/i;
const SCP = /^((?:[^/\s:]*@)?)([^/:@\s[\]]+)(?=:(?!\/\/))/;

/** An address with the host that ssh connects to in place of the alias of its configuration. */
function withSshHost(address: string, home: string): string {
  const [whole, before, host] = OVER_SSH.exec(address) ?? (/:\/\//.test(address) ? null : SCP.exec(address)) ?? [];
  if (whole === undefined || host === undefined) return address;
  return `${before}${sshHostOf(host, home)}${address.slice(whole.length)}`;
}

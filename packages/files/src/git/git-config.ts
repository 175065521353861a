import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { globOf, namesOf } from "@chest/core/triggers";
import { headOf, type Repository } from "../git-head.ts";
import { readSmallText } from "./small-text.ts";

/** One value of git's configuration: `url.<base>.insteadOf` has the section `url` and the subsection `<base>`. */
export interface Setting {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
  readonly value: string;
}

/** Environment by which git finds its configuration. */
export type GitEnv = Readonly<Record<string, string | undefined>>;

export interface ConfigPlace {
  readonly repository: Repository;
  readonly home: string;
  readonly env: GitEnv;
}

/** Git stops there, too, since files can include each other. */
const MOST_INCLUDED = 10;
const MOST_OF_ENVIRONMENT = 100;

/**
 * Reads what `git config --list --includes` prints for a repository, in its order: of the system, of the user, of the
 * repository, of the worktree, of the environment. Git is not run.
 */
export function readGitConfig(place: ConfigPlace): Setting[] {
  const files = filesOf(place);
  const all = (urls: readonly string[]) => {
    const found = files.flatMap((file) => withIncluded(file, place, urls));
    const isOfWorktree = found.some(
      ({ section, key, value }) => section === "extensions" && key === "worktreeconfig" && isTrue(value),
    );
    const worktree = isOfWorktree ? withIncluded(join(place.repository.folder, "config.worktree"), place, urls) : [];
    return [...found, ...worktree, ...ofEnvironment(place.env)];
  };
  const found = all([]);
  const urls = found.filter(({ section, key }) => section === "remote" && key === "url").map(({ value }) => value);
  // Files may be included because of a remote that another file names.
  return urls.length > 0 && found.some(isOfRemotes) ? all(urls) : found;
}

const OF_REMOTES = "hasconfig:remote.*.url:";
const isOfRemotes = ({ section, subsection = "" }: Setting): boolean =>
  section === "includeif" && subsection.startsWith(OF_REMOTES);

const isTrue = (value: string): boolean => /^(?:true|yes|on|1)$/i.test(value);

function filesOf({ repository, home, env }: ConfigPlace): string[] {
  const system = isTrue(env.GIT_CONFIG_NOSYSTEM ?? "") ? [] : [env.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"];
  const own =
    env.GIT_CONFIG_GLOBAL === undefined
      ? [join(env.XDG_CONFIG_HOME || join(home, ".config"), "git/config"), join(home, ".gitconfig")]
      : [env.GIT_CONFIG_GLOBAL];
  return [...system, ...own, join(repository.common, "config")];
}

function withIncluded(file: string, place: ConfigPlace, urls: readonly string[], depth = 0): Setting[] {
  const text = depth > MOST_INCLUDED ? undefined : readSmallText(file);
  if (text === undefined) return [];
  return parseGitConfig(text).flatMap((setting) => {
    const { section, subsection, key, value } = setting;
    const isIncluded =
      key === "path" &&
      (section === "include"
        ? subsection === undefined
        : section === "includeif" && subsection !== undefined && holds(subsection, file, place, urls));
    const path = isIncluded ? pathIn(value, file, place.home) : undefined;
    return path === undefined ? [setting] : [setting, ...withIncluded(path, place, urls, depth + 1)];
  });
}

/** `~/` is the user's home, and a relative path is meant from the file that names it. */
function pathIn(path: string, file: string, home: string): string | undefined {
  if (path === "" || path.startsWith("%(prefix)") || /^~[^/]/.test(path)) return undefined;
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}

function holds(condition: string, file: string, { repository, home }: ConfigPlace, urls: readonly string[]): boolean {
  const { folder } = repository;
  const [, fold, pattern] = /^gitdir(\/i)?:(.+)$/.exec(condition) ?? [];
  if (pattern !== undefined) {
    const spelled = (path: string) => (fold === undefined ? path : path.toLowerCase());
    // Compares the path as it is named, and with all links resolved.
    return [(path: string) => path, realOf].some((way) =>
      matches(spelled(placed(pattern, way(dirname(file)), way(home))), spelled(way(folder))),
    );
  }
  if (condition.startsWith("onbranch:")) {
    const { branch } = headOf(repository);
    return branch !== undefined && matches(withRest(condition.slice("onbranch:".length)), branch);
  }
  if (condition.startsWith(OF_REMOTES)) return urls.some((url) => matches(condition.slice(OF_REMOTES.length), url));
  return false;
}

/** A pattern of folders as an absolute one, or one that may begin anywhere. */
function placed(pattern: string, beside: string, home: string): string {
  if (pattern.startsWith("~/")) return withRest(`${home}/${pattern.slice(2)}`);
  if (pattern.startsWith("./")) return withRest(`${beside}/${pattern.slice(2)}`);
  return withRest(isAbsolute(pattern) ? pattern : `**/${pattern}`);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // It is gone: its name is all there is.
  }
}

const withRest = (pattern: string): string => (pattern.endsWith("/") ? `${pattern}**` : pattern);
/** A leading slash keeps a pattern of one name from being looked for in every folder. */
const matches = (pattern: string, path: string): boolean => globOf(`/${pattern}`)(namesOf(path));

/** `GIT_CONFIG_COUNT` and the pairs that it counts. */
function ofEnvironment(env: GitEnv): Setting[] {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0);
  if (!Number.isInteger(count) || count < 1 || count > MOST_OF_ENVIRONMENT) return [];
  return Array.from({ length: count }, (_, nth) => {
    const name = env[`GIT_CONFIG_KEY_${nth}`] ?? "";
    const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
    if (first < 0) return [];
    return [
      {
        section: name.slice(0, first).toLowerCase(),
        subsection: first === last ? undefined : name.slice(first + 1, last),
        key: name.slice(last + 1).toLowerCase(),
        value: env[`GIT_CONFIG_VALUE_${nth}`] ?? "",
      },
    ];
  }).flat();
}

const SECTION = /\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?[ \t]*\]/y;
const KEY = /([A-Za-z][\w-]*)[ \t]*(=?)[ \t]*/y;
const BLANKS = /\s+/y;
const LINE_END = /[^\n]*\n?/y;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Parses one file of git's configuration. A line that is none of it is passed over. */
function parseGitConfig(text: string): Setting[] {
  const found: Setting[] = [];
  let section: string | undefined;
  let subsection: string | undefined;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match) at = form.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (take(BLANKS)) continue;
    const opened = take(SECTION);
    if (opened) {
      const [, name = "", quoted] = opened;
      // `[url.base]` is an old spelling of `[url "base"]`.
      const dot = quoted === undefined ? name.indexOf(".") : -1;
      section = (dot < 0 ? name : name.slice(0, dot)).toLowerCase();
      subsection = dot < 0 ? quoted?.replace(/\\(.)/g, "$1") : name.slice(dot + 1).toLowerCase();
      continue;
    }
    const named = take(KEY);
    if (!named || section === undefined) {
      take(LINE_END);
      continue;
    }
    const [, key = "", assigns] = named;
    const [value, end] = assigns === "" ? ["true", at] : valueAt(text, at);
    at = end;
    if (assigns === "") take(LINE_END);
    found.push({ section, subsection, key: key.toLowerCase(), value });
  }
  return found;
}

/** Reads a value to the end of its line, with its quotes and escapes; a comment ends it. */
function valueAt(text: string, start: number): readonly [value: string, end: number] {
  let [value, at, isQuoted, kept] = ["", start, false, 0];
  for (; at < text.length && text[at] !== "\n"; at++) {
    const char = text[at] ?? "";
    if (char === "\r" && text[at + 1] === "\n") continue;
    if (char === "\\") {
      at += text.startsWith("\r\n", at + 1) ? 2 : 1;
      const escaped = text[at] ?? "";
      if (escaped !== "\n") value += ESCAPES[escaped] ?? escaped;
      kept = value.length;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      kept = value.length;
    } else if (!isQuoted && (char === "#" || char === ";")) {
      const end = text.indexOf("\n", at);
      return [value.slice(0, Math.max(kept, value.trimEnd().length)), end < 0 ? text.length : end];
    } else value += char;
  }
  return [value.slice(0, Math.max(kept, value.trimEnd().length)), at];
}

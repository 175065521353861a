// Every folder has one: by itself such a name says nothing.
const COMMON = /^(?:index|main|mod|lib|__init__|readme|package|types|utils?|constants|config|setup)\.\w+$/;

/** Whether a text names this very file: by its whole path, by the end of it, or by a name that is its own. */
export function isNamedIn(content: string, path: string, name: string): boolean {
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
    const before = /(?<![\w@.+/\\-])[\w@.+/\\-]*$/.exec(content.slice(Math.max(0, at - 300), at))?.[0] ?? "";
    if (/[\w-]/.test(content[at + name.length] ?? "")) continue;
    const named = `${before}${name}`.replaceAll("\\", "/").replace(/^\.?\/+/, "");
    if (named === name ? !COMMON.test(name) : isEndOf(named, path) || isEndOf(path, named)) return true;
  }
  return false;
}

const isEndOf = (end: string, path: string): boolean => path === end || path.endsWith(`/${end}`);

/**
 * Judges whether the keys of two projects look like one repository: they differ in letter case or in the host, as after a move
 * or under another spelling; in the owner, as a fork does; or one is the name of the other's folder.
 */
export function lookAlike(one: string, other: string): boolean {
  if (one === other || !isPlain(one) || !isPlain(other)) return false;
  const [a, b] = [partsOf(withWholeHost(one)), partsOf(withWholeHost(other))];
  if (a.name !== b.name) return false;
  if (a.host === undefined || b.host === undefined || a.host === b.host) return true;
  return a.path === b.path && a.path !== a.name;
}

// A hint names both keys to an agent, and in a command: a key that either could read as anything else gets none.
const isPlain = (key: string): boolean => /^(?:[\p{L}\p{N}_]|\[[\da-f:./]+\])[\p{L}\p{N}_./:@+-]*$/iu.test(key);

// Keys of before broke the number of a host at its first colon, and kept the port: `[2001/db8::1]:22/org/repo`.
const BROKEN_HOST = /^\[([\da-f.]*)\/([\da-f:.]*)\](?::\d*\/|[:/])(.+)$/i;

/** Corrects a key of before whose host is a number in brackets. */
const withWholeHost = (key: string): string =>
  key.replace(BROKEN_HOST, (_, first: string, rest: string, path: string) => `[${first}:${rest}]/${path}`);

// A shell reads brackets as a choice of letters.
const typed = (key: string): string => (key.startsWith("[") ? `'${key}'` : key);

function partsOf(key: string) {
  const text = key.toLowerCase();
  const slash = text.indexOf("/");
  const path = text.slice(slash + 1);
  return { host: slash < 0 ? undefined : text.slice(0, slash), path, name: path.slice(path.lastIndexOf("/") + 1) };
}

/** Tells that a project looks like an older one, with the command that makes them one. */
export const alikeHint = (key: string, older: string, { isThere }: { readonly isThere: boolean }): string =>
  `The project \`${key}\` looks like \`${older}\`: if both are one repository, an admin ${
    isThere
      ? `joins them with \`chest-index project join ${typed(older)} ${typed(key)}\``
      : `runs \`chest-index project rename ${typed(older)} ${typed(key)}\``
  }.`;

/** Key by which paths are compared: neither case nor the kind of slash tells two files apart. */
export const pathKeyOf = (path: string): string => path.replaceAll("\\", "/").toLowerCase();

/** Key of a path, or a part of one, as a caller writes it: without `./`, and without slashes at its ends. */
export const partKeyOf = (input: string): string =>
  pathKeyOf(input.trim())
    .replace(/\/{2,}/g, "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/^\/|\/$/g, "");

/** Compares whole names of folders and files: `auth/login.ts` is in `/x/auth/login.ts`, not in `/x/oauth/login.ts`. */
export const hasSegments = (key: string, part: string): boolean => `/${key}/`.includes(`/${part}/`);

/** Whether a path lies in one of these folders. All of them are keys. */
export const isBelow = (key: string, roots: readonly string[]): boolean =>
  roots.some((root) => key === root || key.startsWith(`${root.replace(/\/$/, "")}/`));

/** Keys that a path may have whose part, by `partKeyOf`, is this. */
export const keysOfPath = (part: string): string[] => [part, `/${part}`];

/** Whole names first; only where there are none, the part anywhere. Of a whole path, that file alone. */
export function matchPaths(keys: readonly string[], part: string, isPath = false) {
  if (isPath) return { match: "segments" as const, keys: keys.filter((key) => keysOfPath(part).includes(key)) };
  const bySegments = keys.filter((key) => hasSegments(key, part));
  if (bySegments.length > 0) return { match: "segments" as const, keys: bySegments };
  return { match: "substring" as const, keys: keys.filter((key) => key.includes(part)) };
}

/**
 * Whether a file with this name, often relative to its project, is the one that is asked for. A single name, such as
 * `index.ts`, is not taken for the end of a path: every folder may have one.
 */
export function isNameOf(name: string, part: string): boolean {
  const key = partKeyOf(name);
  return hasSegments(key, part) || (key.includes("/") && `/${part}`.endsWith(`/${key}`));
}

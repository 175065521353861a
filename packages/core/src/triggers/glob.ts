/** Splits a path into names, with either kind of slash. */
export const namesOf = (path: string): string[] => path.replaceAll("\\", "/").split("/").filter(Boolean);

/**
 * Compiles a glob with `*` and `?` within a name and `**` over several. It uses no regular expression: time is at most
 * the product of both lengths. A pattern without a slash matches in every folder.
 */
export function globOf(pattern: string): (names: readonly string[]) => boolean {
  const wanted = (pattern.includes("/") ? pattern : `**/${pattern}`).split("/").filter(Boolean);
  return (names) =>
    wildcard(names.length, wanted.length, {
      isMany: (at) => wanted[at] === "**",
      isSame: (name, at) => matchesName(names[name] ?? "", wanted[at] ?? ""),
    });
}

const matchesName = (name: string, wanted: string): boolean =>
  wildcard(name.length, wanted.length, {
    isMany: (at) => wanted[at] === "*",
    isSame: (char, at) => wanted[at] === "?" || name[char] === wanted[at],
  });

interface Pattern {
  isMany(at: number): boolean;
  isSame(item: number, at: number): boolean;
}

/** Matches items against a pattern with wildcards, backtracking only to the last wildcard. */
function wildcard(items: number, places: number, { isMany, isSame }: Pattern): boolean {
  let [item, place, many, resume] = [0, 0, -1, 0];
  while (item < items) {
    if (place < places && isMany(place)) {
      many = place++;
      resume = item;
    } else if (place < places && isSame(item, place)) {
      item++;
      place++;
    } else if (many >= 0) {
      place = many + 1;
      item = ++resume;
    } else return false;
  }
  while (place < places && isMany(place)) place++;
  return place === places;
}

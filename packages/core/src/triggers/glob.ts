/** The names of a path, whatever parts them. */
export const namesOf = (path: string): string[] => path.replaceAll("\\", "/").split("/").filter(Boolean);

/**
 * Reads a pattern of `*` and `?` within a name and `**` over several. Matching uses no regular expression: its time is
 * the product of both lengths, whatever the pattern. A pattern without a slash is looked for in every folder.
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

/** Matches items against a pattern in which some places stand for any number of them; goes back to the last of these. */
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

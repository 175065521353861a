/** Text of others cannot move a cursor, set a title, ring a bell or turn the line around; it may have several lines. */
export const harmless = (text: string): string =>
  text
    .replaceAll("\t", "  ")
    .replace(
      /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
      "",
    );

/** The same in a line of its own: a name cannot pretend to be another row. */
export const onOneLine = (text: string): string => harmless(text).replaceAll("\n", " ");

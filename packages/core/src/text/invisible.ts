// Control characters, line separators, direction marks and zero-width characters.
const INVISIBLE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, "gu");

// ASCII needs no Unicode tables, which are slow on first use.
const PLAIN = /^[ -~]*$/;

/**
 * Whether a text contains invisible characters, with which a name could look like another or like two lines of a list.
 */
export const hasInvisible = (text: string): boolean => !PLAIN.test(text) && INVISIBLE.test(text);

export const withoutInvisible = (text: string): string => (PLAIN.test(text) ? text : text.replace(ALL_INVISIBLE, ""));

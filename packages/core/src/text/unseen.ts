// Control characters, line separators, direction marks and zero-width characters.
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const ALL_UNSEEN = new RegExp(UNSEEN, "gu");

// ASCII needs no Unicode tables, which are slow on first use.
const PLAIN = /^[ -~]*$/;

/**
 * Whether a text contains invisible characters, with which a name could look like another or like two lines of a list.
 */
export const hasUnseen = (text: string): boolean => !PLAIN.test(text) && UNSEEN.test(text);

export const withoutUnseen = (text: string): string => (PLAIN.test(text) ? text : text.replace(ALL_UNSEEN, ""));

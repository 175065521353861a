// Control characters, line separators, and marks that turn the direction of a text or take no room.
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const ALL_UNSEEN = new RegExp(UNSEEN, "gu");

// Most names: what stands in Unicode's tables is dear to make for the first time.
const PLAIN = /^[ -~]*$/;

/** Holds a text what a reader cannot see: a name with it looks like another, or like two lines of a list. */
export const hasUnseen = (text: string): boolean => !PLAIN.test(text) && UNSEEN.test(text);

export const withoutUnseen = (text: string): string => (PLAIN.test(text) ? text : text.replace(ALL_UNSEEN, ""));

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Whether a text is ASCII, so that the Unicode tables can be skipped: they cost milliseconds on first use and some time
 * for every text.
 */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** Replaces Windows line ends by `\n`, at which all readers here split lines. */
export const withUnixLines = (text: string): string => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text);

const NUL = /\0/g;

/** Makes a text storable in every engine: lone surrogates and U+0000 become U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed().replace(NUL, "\uFFFD");
}

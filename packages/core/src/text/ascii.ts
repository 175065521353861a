const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Whether a text is ASCII, so that the Unicode tables can be skipped: they cost milliseconds on first use and some time
 * for every text.
 */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

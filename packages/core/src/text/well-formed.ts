const NUL = /\0/g;

/** Makes a text storable in every engine: lone surrogates and U+0000 become U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed().replace(NUL, "\uFFFD");
}

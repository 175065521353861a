const NUL = /\0/g;

/** Text that every engine can store: lone surrogates and U+0000 become U+FFFD, the rest stays as it is. */
export function wellFormed(text: string): string {
  return text.toWellFormed().replace(NUL, "\uFFFD");
}

// A digit opens a part only before a capitalised word: "S3Bucket" is two words, "E2E" is one.
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Nd})(?=\p{Lu}\p{Ll})/u;

/** The words of a camelCase identifier, acronyms kept together: `parseHTMLFile` is parse, HTML, File. */
export function splitHumps(identifier: string): string[] {
  return identifier.split(HUMP);
}

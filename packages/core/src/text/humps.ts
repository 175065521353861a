import { isAscii } from "./characters.ts";

// A digit opens a part only before a capitalised word: "S3Bucket" is two words, "E2E" is one.
const ASCII_HUMP = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[0-9])(?=[A-Z][a-z])/;

/** Words of a camelCase identifier; acronyms stay whole: `parseHTMLFile` gives parse, HTML, File. */
export function splitHumps(identifier: string): string[] {
  if (isAscii(identifier)) return identifier.split(ASCII_HUMP);
  return identifier.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Nd})(?=\p{Lu}\p{Ll})/u);
}

import { seeded } from "./random-text.ts";

const ALNUM = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Characters that look random and are the same at every run, so that no scanner takes what is written down for a leak. */
export function randomCharacters(seed: number): (length: number, alphabet?: string) => string {
  const next = seeded(seed);
  return (length, alphabet = ALNUM) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
}

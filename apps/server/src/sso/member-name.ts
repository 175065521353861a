import { hash } from "node:crypto";

const LONGEST = 64;
const MARKS = /\p{M}/gu;
const OTHERS = /[^A-Za-z0-9._@-]+/g;

/**
 * Name of a member, within the alphabet of names, for an address of any kind: the address itself where it is such a name.
 * @param subject makes it another one where `isOther`: it is taken by another person
 */
export function nameFor(email: string, subject: string, isOther = false): string {
  const plain = email
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(OTHERS, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const suffix = isOther || plain === "" ? `-${hash("sha256", subject, "hex").slice(0, 8)}` : "";
  const name = plain.slice(0, LONGEST - suffix.length) + suffix;
  return name.startsWith("-") ? `m${name}` : name;
}

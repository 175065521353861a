import { hash } from "node:crypto";

const LONGEST = 64;
const MARKS = /\p{M}/gu;
const OTHERS = /[^A-Za-z0-9._@-]+/g;

/**
 * Makes a valid member name from an address, or keeps the address where it is valid as a name.
 * @param subject makes the name differ where `isOther` says that it belongs to another person
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

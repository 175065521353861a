import { createHash } from "node:crypto";
import { RELEASE } from "@chest/runtime";

const STAMP = /^<!-- chest-memory (\S+) ([0-9a-f]{16}) -->\n?$/m;

/** A text with a last line that says which release wrote it, and what it was when written. */
export const stamped = (text: string): string => `${text}\n<!-- chest-memory ${RELEASE} ${hashOf(text)} -->\n`;

/** Reads the stamp of an installed text: undefined for one without our last line. */
export function readStamp(installed: string): { readonly release: string; readonly isUntouched: boolean } | undefined {
  const found = STAMP.exec(installed);
  if (!found) return undefined;
  const [line, release = "", hash] = found;
  const text = installed.slice(0, found.index).replace(/\n$/, "");
  return { release, isUntouched: hashOf(text) === hash && installed.endsWith(line) };
}

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

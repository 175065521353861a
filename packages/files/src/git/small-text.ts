import { readFileSync, statSync } from "node:fs";
import { withUnixLines } from "@chest/core/text";

/** Configuration is a few lines; what a path leads to may be a device, a pipe or a film. */
const MOST_BYTES = 1_000_000;

/** Reads a small file; undefined where there is none, it is no file, it is too large, or it may not be read. */
export function readSmallText(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= MOST_BYTES ? withUnixLines(readFileSync(file, "utf8")) : undefined;
  } catch {
    return undefined; // Not for us to read.
  }
}

import type { Problem } from "./output.ts";

const FIRST_LINE = /^[^\n]{0,300}/;

/**
 * Describes a failure that no command foresees, of the system or by a defect; the stack is shown only when details are
 * wanted.
 */
export function unknownFailure(error: unknown): Problem {
  const { code, path, message = String(error) } = (error ?? {}) as { code?: string; path?: string; message?: string };
  const [firstLine = ""] = FIRST_LINE.exec(message) ?? [];
  if (typeof code === "string" && /^E[A-Z]+$/.test(code))
    return {
      message: path === undefined ? `${firstLine}` : `\`${path}\` cannot be used (${code})`,
      hint: hintFor(code),
    };
  return {
    message: `unexpected failure: ${firstLine}`,
    hint: "`chest-index doctor client` tells whether the backend is of another release; `--verbose` shows where it failed",
  };
}

function hintFor(code: string): string {
  if (code === "EROFS") return "the file system is mounted read-only: mount it writable, or name another place";
  if (code === "EACCES" || code === "EPERM") return "give this account the right to it, or run as its owner";
  if (code === "ENOSPC" || code === "EDQUOT") return "make room on the disk";
  return "check the path, the disk and the network, then run it again";
}

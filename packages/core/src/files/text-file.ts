import { ChestError } from "@chest/contracts";

const LOOKED_AT = 8 * 1024;

/** A file's bytes as text, exactly: encoded again they are the same bytes. Throws `INVALID_INPUT` for what is no UTF-8 text. */
export function readText(bytes: Uint8Array, path: string): string {
  if (bytes.subarray(0, LOOKED_AT).includes(0)) throw noText(path, "is binary");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw noText(path, "is not UTF-8", error);
  }
}

const noText = (path: string, why: string, cause?: unknown): ChestError =>
  new ChestError("INVALID_INPUT", `path: \`${path}\` ${why}`, {
    hint: "read it with a tool for its format",
    details: { field: "path" },
    cause,
  });

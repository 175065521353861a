import { ChestError } from "@chest/contracts";

const FULL = ["ENOSPC", "EDQUOT"];
const OWN = ["EACCES", "EROFS", "EIO", "EPERM", "ENOTDIR", "EEXIST", "ENOENT"];

/** The disk's fault, for who downloads; undefined for any other. */
export function diskError(error: unknown, place: string): ChestError | undefined {
  const code = String((error as { code?: unknown } | undefined)?.code ?? "");
  if (FULL.includes(code)) {
    return new ChestError("STORAGE_FULL", `the disk is full: no room for \`${place}\``, {
      hint: "make room, or put the models elsewhere with CHEST_MODELS_DIR",
    });
  }
  if (!OWN.includes(code)) return undefined;
  return new ChestError("INTERNAL_ERROR", `\`${place}\` cannot be written (${code})`, {
    hint: "check the permissions of the models folder, or name another with CHEST_MODELS_DIR",
  });
}

import { ChestError } from "@chest/contracts";

/** State of a file at one moment: all fields describe the same bytes. */
export interface ReadFile {
  /** Real path, with links resolved. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mtimeNs: string;
}

/** The folders that an agent works in, on the machine where it runs. */
export interface Workspace {
  /**
   * Reads a file inside the roots. Throws `OUTSIDE_ROOTS` for any path elsewhere, even if it does not exist,
   * `NOT_FOUND` for a missing file, `INVALID_INPUT` for a folder or device, `PAYLOAD_TOO_LARGE` above `MAX_FILE_BYTES`.
   */
  read(path: string, signal: AbortSignal): Promise<ReadFile>;
  /** Absolute folders; empty if nothing may be opened. */
  roots(): Promise<readonly string[]>;
}

export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Error for a path outside of the roots. It does not reveal whether the path exists. */
export function outsideRoots(path: string, roots: number): ChestError {
  const [why, hint] =
    roots === 0
      ? [
          "no folder is open here",
          "start the agent in the project's folder, or name folders in CHEST_ROOTS (`none` closes all)",
        ]
      : ["it lies outside the folders that are open here", "open the folder that holds it, or name it in CHEST_ROOTS"];
  return denied(path, why, { hint, roots });
}

function denied(path: string, why: string, { hint, roots }: { hint: string; roots: number }): ChestError {
  const shown = path.slice(0, 500);
  return new ChestError("OUTSIDE_ROOTS", `Access denied: \`${shown}\`: ${why}`, {
    hint,
    details: { path: shown, roots },
  });
}

/** Workspace of a backend, which has no working files. */
export const noWorkspace: Workspace = {
  read: async (path) => {
    const hint = "ask the stdio client, `chest-memory`: it runs beside the agent, where the files are";
    throw denied(path, "this backend has no files", { hint, roots: 0 });
  },
  roots: async () => [],
};

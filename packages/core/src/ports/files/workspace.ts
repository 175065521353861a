import { ChestError } from "@chest/contracts";

/** A file as it was at one moment: all of this is of the same bytes. */
export interface ReadFile {
  /** Real path, all links followed. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mtimeNs: string;
}

/** The folders that an agent works in, on the machine where it runs. */
export interface Workspace {
  /**
   * Reads a file inside the roots. Throws `OUTSIDE_ROOTS` for what lies elsewhere, there or not, `NOT_FOUND` for what is
   * not there, `INVALID_INPUT` for what is no file, `PAYLOAD_TOO_LARGE` above `MAX_FILE_BYTES`.
   */
  read(path: string, signal: AbortSignal): Promise<ReadFile>;
  /** Absolute folders; none where nothing may be opened. */
  roots(): Promise<readonly string[]>;
}

export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** The refusal of a path, the same whether something is there or not. */
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

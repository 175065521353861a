import type { ChestError } from "@chest/contracts";

/** Reason why an outbox file or folder cannot be used, with a remedy. */
export interface Trouble {
  /** Error code of the system. */
  readonly reason: string;
  readonly says: string;
  readonly hint: string;
}

/** Undefined if the error is not from the file system. */
export function troubleWith(path: string, error: unknown): Trouble | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const reason = String(error.code);
  const known = KNOWN[reason];
  return {
    reason,
    says: known ? `${known.says} (${reason})` : reason,
    hint: known ? known.hint(path) : `check \`${path}\` and the disk it lies on`,
  };
}

/** The command that gives a file or folder back to the user of this process. */
export function giveBack(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return `takeown /R /F '${path.replaceAll("'", "''")}'`;
  const word = `'${path.replaceAll("'", `'\\''`)}'`;
  return `sudo chown -R ${process.getuid?.() ?? "USER"} ${word} && chmod -R u+rwX ${word}`;
}

/** True if no more can be written, although present files can still be removed. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && FULL.has(String(error.code));

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

interface Account {
  readonly says: string;
  readonly hint: (path: string) => string;
}

const NOT_ALLOWED: Account = {
  says: "this user is not permitted to",
  hint: (path) => `give it back to the user of the agent: \`${giveBack(path)}\``,
};
const NO_FOLDER: Account = {
  says: "a file is where a folder should be",
  hint: (path) => `move away the file at \`${path}\`, or name another folder in CHEST_DATA_DIR`,
};
const NO_ROOM: Account = {
  says: "the disk is full",
  hint: (path) => `make room on the disk of \`${path}\``,
};

/** Command that fixes it, if there is one. */
export function mendFor({ details }: ChestError): string | undefined {
  const { reason, path } = details ?? {};
  if (typeof path !== "string" || typeof reason !== "string") return undefined;
  return KNOWN[reason] === NOT_ALLOWED ? giveBack(path) : undefined;
}

const KNOWN: Readonly<Record<string, Account | undefined>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: {
    says: "the file system is read-only",
    hint: (path) => `make the file system of \`${path}\` writable, or name another folder in CHEST_DATA_DIR`,
  },
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
  EISDIR: {
    says: "a folder is where a file should be",
    hint: (path) => `move away the folder at \`${path}\``,
  },
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
};

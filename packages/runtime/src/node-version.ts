import { StartError } from "./start-error.ts";

const LEAST_MAJOR = 24;

/** Refuses a Node that cannot open a store: the database driver does not fail on an older one, it crashes the process. */
export function assertOpensStores(version = process.versions.node): void {
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return;
  throw new StartError(
    `a store on this PC needs Node ${LEAST_MAJOR}, and this is ${version}`,
    `run it with Node ${LEAST_MAJOR} or newer, or use a backend: CHEST_MODE=remote`,
  );
}

/**
 * Loads the store packages, or throws why this installation has none: their driver is optional, since a client of a
 * backend needs none.
 */
export async function loadStores<T>(load: () => Promise<T>): Promise<T> {
  assertOpensStores();
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes("better-sqlite3")) throw error;
    throw new StartError(
      "a store on this PC needs the package `better-sqlite3`, which is not installed",
      "install chest-memory again without `--omit=optional`, or use a backend: CHEST_MODE=remote",
      error,
    );
  }
}

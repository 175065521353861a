const cleanups: (() => unknown)[] = [];

/** Runs a function after the last test of the file. A process may run many files, and loads this module once. */
export const atEndOfFile = (cleanup: () => unknown): void => void cleanups.push(cleanup);

/** Runs and forgets what was left for the end of the file, the newest first. */
export async function endFile(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

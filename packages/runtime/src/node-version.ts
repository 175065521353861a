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

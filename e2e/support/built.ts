import { join } from "node:path";
import { ROOT } from "./process.ts";

/** Builds the programs before the first test of a run, so that tests start what the sources say now. */
export async function setup(): Promise<void> {
  const { prepare } = await import(join(ROOT, "deploy/local/prepare.mjs"));
  const { WORK_DIR } = await import(join(ROOT, "deploy/local/paths.mjs"));
  await prepare(WORK_DIR, { forDevelopers: true });
}

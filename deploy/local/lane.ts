// Runs before each file of a lane: waits until no other file of the same lane runs.
import { join } from "node:path";
import { afterAll, inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly lane: string;
  }
}

// A worker that was killed holds the lane no longer than this.
const STALE_MS = 30_000;

const { withLock } = await import(join(import.meta.dirname, "lock.mjs"));
const folder = join(import.meta.dirname, "../../node_modules/.chest/lanes", inject("lane"));
const ended = Promise.withResolvers<void>();
let leaving: Promise<void> | undefined;
await new Promise<void>((enter) => {
  leaving = withLock(folder, { staleMs: STALE_MS }, () => {
    enter();
    return ended.promise;
  });
});
afterAll(async () => {
  ended.resolve();
  await leaving;
});

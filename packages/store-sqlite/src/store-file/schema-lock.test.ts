import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { OpeningLock } from "./schema-lock.ts";

let dir: string;
let locks: OpeningLock[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-lock-"));
  locks = [];
});
afterEach(() => {
  for (const lock of locks) lock.release();
  rmSync(dir, { recursive: true });
});

function lock(): OpeningLock {
  const made = new OpeningLock(join(dir, "chest.db"), 100);
  locks.push(made);
  return made;
}
const refusal = (message: string) => ({
  name: "CannotOpen",
  message: expect.stringContaining(message),
  hint: expect.stringContaining("end the backend and the agents"),
});

it("says who is in the way of a migration, and what to end", async () => {
  await lock().share();
  const migration = lock().exclusively(
    () => true,
    async () => expect.unreachable(),
  );
  await expect(migration).rejects.toMatchObject(refusal("an older release of Chest has `"));
});

it("says so while another process changes the store", async () => {
  expect(await lock().take()).toBe(true);
  await expect(lock().share()).rejects.toMatchObject(refusal("is changing `"));
});

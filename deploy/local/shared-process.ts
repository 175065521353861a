// Runs around each file of unit tests that shares its process with others.
import { getPriority } from "node:os";
import { afterAll } from "vitest";

const priority = getPriority();

afterAll(() => {
  if (getPriority() !== priority)
    throw new Error(
      "this file lowers the priority of its process, which runs others: add it to ALONE in vitest.config.ts",
    );
});

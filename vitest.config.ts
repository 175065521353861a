import { resolve } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

const exclude = [...configDefaults.exclude, "**/dist/**", "**/generated/**"];

// The programs under test run from source: stripped and compiled once, they start with half the work.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.chest/compile-cache");

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{packages,apps}/**/*.test.ts", "deploy/**/*.test.{ts,mjs}"],
          exclude,
          // Each file a process: a native module, the environment and signals stay its own.
          pool: "forks",
          // A test proves what comes out, not when: a busy machine is no failure.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude,
          pool: "forks",
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // After the unit tests, so that real processes have the machine to themselves.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./deploy/local/longest-first.ts";

const exclude = [...configDefaults.exclude, "**/dist/**", "**/generated/**"];

// The programs under test run from source: stripped and compiled once, they start with half the work.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.chest/compile-cache");

// Each file a process: a native module, the environment and signals stay its own.
const pool = "forks";

export default defineConfig({
  test: {
    // A worker for each core: vitest's own default leaves one of two cores idle.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["{packages,apps}/**/*.test.ts", "deploy/**/*.test.{ts,mjs}"],
          exclude,
          pool,
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
          globalSetup: "e2e/support/built.ts",
          pool,
          // One after another: some hold a connection or a process to within milliseconds.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // After the unit tests, whose many short files leave real processes little of the machine.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

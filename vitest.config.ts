import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./deploy/local/longest-first.ts";
import { isShort } from "./deploy/local/test-extent.ts";
import { bundledThreads } from "./deploy/local/test-threads.ts";

const { leftOut } = await import(resolve("deploy/local/left-out.mjs"));
const unchanged: string[] = isShort ? leftOut() : [];
const exclude = [...configDefaults.exclude, "**/dist/**", "**/generated/**", ...unchanged];

// The programs under test run from source: stripped and compiled once, they start with half the work.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.chest/compile-cache");

// Processes: a native module, the environment and signals stay their own.
const pool = "forks";

/** Files that run one after another: they hold a connection or a process to within milliseconds. */
const TIMED = [
  "e2e/torture.test.ts",
  "e2e/agents/claude-code.test.ts",
  "e2e/agents/history-killed.test.ts",
  "e2e/client/{lost-answers,odd-proxies,outbox}.test.ts",
  "e2e/protocol/{bad-arguments,bad-input,many-clients,odd-queries}.test.ts",
  "e2e/support/deployment/tcp-proxy.test.ts",
];

/** Files that run one after another, beside the timed ones: they share the machine's containers, or install all anew. */
const WHOLE_MACHINE = ["e2e/deployment/{compose,compose-postgres,compose-tls,npm-start}.test.ts"];

const LANES = { timed: TIMED, machine: WHOLE_MACHINE };

const UNIT = ["{packages,apps}/**/*.test.ts", "deploy/**/*.test.{ts,mjs}"];

/** Unit tests that change what others of their process would use: the engine that apps are over, the priority. */
const ALONE = [
  "apps/server/src/**/*.postgres.test.ts",
  "apps/cli/src/{never-a-stack,embedding/embedding,history/history}.test.ts",
];

/** Unit tests that start a program for most of their tests: its bundle, which starts with a third of the work of the sources. */
const PROGRAMS = ["apps/mcp/src/main.test.ts", "apps/server/src/{main,maintenance,quickstart}.test.ts"];

const BUILT = "e2e/support/built.ts";
const EACH_FILE = "deploy/local/unit-setup.ts";
/** Folder that the system keeps in memory, where it has room for databases: opening a store there takes half the processor time. */
const MEMORY = "/dev/shm";
const MIN_BYTES = 6 * 2 ** 30;
const hasRoom = existsSync(MEMORY) && statfsSync(MEMORY).bavail * statfsSync(MEMORY).bsize >= MIN_BYTES;

const plugins = [bundledThreads];
const unit = {
  globalSetup: "deploy/local/test-threads.ts",
  pool,
  env: hasRoom ? { TMPDIR: MEMORY } : {},
  // A test proves what comes out, not when: a busy machine is no failure.
  testTimeout: 30_000,
  hookTimeout: 30_000,
} as const;

const e2e = { globalSetup: BUILT, pool, testTimeout: 120_000, hookTimeout: 120_000 } as const;

export default defineConfig({
  test: {
    // A worker for each core: vitest's own default leaves one of two cores idle.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      // One process runs many files, and loads once what they share.
      {
        plugins,
        test: {
          ...unit,
          name: "unit",
          include: UNIT,
          exclude: [...exclude, ...ALONE, ...PROGRAMS],
          setupFiles: [EACH_FILE, "deploy/local/shared-process.ts"],
          isolate: false,
        },
      },
      { plugins, test: { ...unit, name: "unit-alone", include: ALONE, exclude, setupFiles: EACH_FILE } },
      {
        plugins,
        test: {
          ...unit,
          globalSetup: [unit.globalSetup, BUILT],
          name: "unit-programs",
          include: PROGRAMS,
          exclude,
          setupFiles: EACH_FILE,
        },
      },
      {
        test: {
          ...e2e,
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: [...exclude, ...TIMED, ...WHOLE_MACHINE],
          // After the unit tests, whose many short files leave real processes little of the machine.
          sequence: { groupOrder: 1 },
        },
      },
      // Two lanes of one file at a time, beside each other: vitest gives all projects of a group the same number of workers,
      // so a file waits for its lane by itself.
      ...Object.entries(LANES).map(([lane, include]) => ({
        test: {
          ...e2e,
          name: `e2e-${lane}`,
          include,
          exclude,
          provide: { lane },
          setupFiles: "deploy/local/lane.ts",
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      })),
    ],
  },
});

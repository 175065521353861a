import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Every store that a test opens starts its own threads. From source such a thread takes 340 ms of processor time to load, as a
// bundle 55: in the suites that open a store for each test, that was two thirds of their time.

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "node_modules/.chest/threads");
const STAMP = join(FOLDER, "stamp");

/** Bundles the threads of a store where a source has changed: a setup of vitest. */
export async function setup(): Promise<void> {
  const { digest, productInputs } = await import(join(import.meta.dirname, "stamps.mjs"));
  const stamp = digest("threads", productInputs());
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  const tsdown = join(ROOT, "deploy/bundle/node_modules/tsdown/dist/run.mjs");
  const args = [tsdown, "--config", "deploy/bundle/test-threads.config.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`the threads of tests could not be bundled:\n${stdout}${stderr}`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(STAMP, stamp);
}

const STARTED = [
  { by: "/store-sqlite/src/threads/search-pool.ts", source: '"./search-worker.ts"', bundle: "search-worker.mjs" },
  { by: "/store-sqlite/src/lifecycle/thread.ts", source: '"./worker.ts"', bundle: "lifecycle-worker.mjs" },
];

/** Plugin of vite that makes tests start the bundled threads. */
export const bundledThreads = {
  name: "bundled-threads",
  enforce: "pre" as const,
  transform(code: string, id: string): string | undefined {
    const started = STARTED.find(({ by }) => id.replaceAll("\\", "/").endsWith(by));
    if (!started) return undefined;
    if (!code.includes(started.source)) throw new Error(`${id} starts no ${started.source} any more`);
    return code.replace(started.source, JSON.stringify(pathToFileURL(join(FOLDER, started.bundle)).href));
  },
};

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf, runChild } from "./child.mjs";
import { NODE_24, ROOT, WORK_DIR } from "./paths.mjs";

/** Runs the suite and ends with one line of counts, after all that vitest prints. A run without tests fails too. */
export async function runTests(argv, env) {
  const file = join(WORK_DIR, `counts-${process.pid}.json`);
  const args = ["run", "--reporter=default", `--reporter=${join(ROOT, "deploy/local/reporter.mjs")}`, ...argv];
  // Named files are run whole.
  const extent = env.CHEST_TESTS ?? (argv.some((arg) => !arg.startsWith("-")) ? "all" : "short");
  const ended = await runChild(NODE_24, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
    env: { ...env, CHEST_TESTS: extent, CHEST_TEST_COUNTS: file },
    cwd: ROOT,
  });
  const code = exitCodeOf(ended);
  const { passed, failed, skipped } = takeCounts(file);
  // Vitest has its own reasons to fail, such as a snapshot or a threshold: they count as one.
  const failures = failed === 0 && code !== 0 ? 1 : failed;
  console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return { code: failures > 0 || passed === 0 ? code || 1 : 0, signal: null };
}

function takeCounts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0 };
  const counts = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return counts;
}

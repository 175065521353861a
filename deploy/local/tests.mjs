import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf, runChild } from "./child.mjs";
import { NODE_24, ROOT, WORK_DIR } from "./paths.mjs";

/** Most failed files of a whole run that are run a second time; more of them have a common cause. */
const MOST_AGAIN = 3;

/**
 * Runs the suite and ends with one line of counts, after all that vitest prints and the names of the tests that failed. A run
 * without tests fails too. Few failed files of a whole run are run again by themselves: a test that passes then is named as
 * unsteady, and counts as passed.
 */
export async function runTests(argv, env) {
  // Named files are run whole.
  const isWhole = argv.every((arg) => arg.startsWith("-"));
  const extent = env.CHEST_TESTS ?? (isWhole ? "short" : "all");
  const first = await runOnce(argv, { ...env, CHEST_TESTS: extent });
  const { passed, failed, skipped } =
    isWhole && isWorthAgain(first) ? await runAgain(first, argv, env, extent) : told(first);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return { code: failed > 0 || passed === 0 ? first.code || 1 : 0, signal: null };
}

const isWorthAgain = ({ failures, outsideTests }) =>
  outsideTests === 0 && failures.length > 0 && failures.length <= MOST_AGAIN;

async function runAgain(first, argv, env, extent) {
  const files = first.failures.map(({ file }) => file);
  console.log(`running again by themselves: ${files.join(", ")}`);
  // Durations are stored of the whole run alone.
  const again = await runOnce([...argv, "--maxWorkers=1", ...files], {
    ...env,
    CHEST_TESTS: extent,
    CHEST_STORE_SECONDS: "",
  });
  const stillFailed = new Set(linesOf(again));
  for (const line of linesOf(first)) if (!stillFailed.has(line)) console.log(`unsteady, passed by itself: ${line}`);
  const passedBefore = first.failures.reduce((sum, each) => sum + each.passed, 0);
  return told({ ...again, passed: first.passed - passedBefore + again.passed, skipped: first.skipped });
}

/** Names what failed, and returns the counts. */
function told(run) {
  for (const line of linesOf(run)) console.log(`failed: ${line}`);
  // Vitest has its own reasons to fail, such as a snapshot or a threshold: they count as one.
  return { ...run, failed: run.failed === 0 && run.code !== 0 ? 1 : run.failed };
}

const linesOf = ({ failures }) =>
  failures.flatMap(({ file, tests }) => (tests.length > 0 ? tests.map((test) => `${file} > ${test}`) : [file]));

async function runOnce(argv, env) {
  const file = join(WORK_DIR, `counts-${process.pid}.json`);
  const args = ["run", "--reporter=default", `--reporter=${join(ROOT, "deploy/local/reporter.mjs")}`, ...argv];
  const ended = await runChild(NODE_24, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
    env: { ...env, CHEST_TEST_COUNTS: file },
    cwd: ROOT,
  });
  const none = { passed: 0, failed: 0, skipped: 0, outsideTests: 0, failures: [] };
  const counts = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : none;
  rmSync(file, { force: true });
  return { ...counts, code: exitCodeOf(ended) };
}

import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { missingHere } from "../../e2e/support/requirements.ts";
import { leftOut } from "./left-out.mjs";
import { nameOf, secondsOf, storeSeconds } from "./longest-first.ts";
import { isShort } from "./test-extent.ts";

const SHOWN = 10;

/**
 * A vitest reporter that prints what a run leaves out and how long it takes, how far it is, and the slowest files and writes the counts of the run to `CHEST_TEST_COUNTS`. With
 * `CHEST_STORE_SECONDS=1` it stores how long each file took, which orders later runs.
 */
export default class CountingReporter {
  #files = 0;
  #ended = 0;

  onTestRunStart(specifications) {
    this.#files = specifications.length;
    const minutes = specifications.reduce((sum, each) => sum + secondsOf(each), 0) / 60 / availableParallelism();
    const extent = isShort ? ", in the short form (CHEST_TESTS=all runs all of it)" : "";
    console.log(`${this.#files} files, about ${Math.max(1, Math.ceil(minutes))} minutes on a quiet machine${extent}`);
    const lacking = missingHere();
    if (lacking.length > 0) console.log(`skipped, because this machine lacks them: tests of ${lacking.join(", ")}`);
    const unchanged = isShort ? leftOut() : [];
    if (unchanged.length > 0) console.log(`left out, as nothing of theirs changed today:\n  ${unchanged.join("\n  ")}`);
  }

  onTestModuleEnd() {
    this.#ended += 1;
    const isTenth = Math.floor((10 * this.#ended) / this.#files) > Math.floor((10 * (this.#ended - 1)) / this.#files);
    if (this.#files > SHOWN && isTenth) console.log(`-- ${this.#ended} of ${this.#files} files`);
  }

  onTestRunEnd(files, unhandledErrors) {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    // A file that does not load and an error outside every test have no test of their own to fail.
    const brokenFiles = files.filter((file) => file.state() === "failed" && !hasFailedTest(file)).length;
    const counts = {
      passed: count("passed"),
      failed: count("failed") + brokenFiles + unhandledErrors.length,
      skipped: count("skipped"),
      outsideTests: unhandledErrors.length,
      failures: files.filter((file) => file.state() === "failed").map(failureOf),
    };
    writeFileSync(process.env.CHEST_TEST_COUNTS, JSON.stringify(counts));
    this.#tellDurations(files);
  }

  #tellDurations(files) {
    const took = files.map((file) => ({ moduleId: file.moduleId, ms: durationOf(file.diagnostic()) }));
    if (process.env.CHEST_STORE_SECONDS === "1") storeSeconds(took);
    if (took.length <= SHOWN) return;
    const slowest = took.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
    console.log(`\nthe ${SHOWN} slowest of ${took.length} files:`);
    for (const { moduleId, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${nameOf(moduleId)}`);
  }
}

/** Milliseconds of loading a file, its hooks and its tests; not of its setup, which may wait for a lane. */
const durationOf = ({ duration, collectDuration }) => duration + collectDuration;

/** A file that failed, and the names of its tests that did. */
const failureOf = (file) => ({
  file: nameOf(file.moduleId),
  passed: [...file.children.allTests()].filter((test) => test.result().state === "passed").length,
  tests: failedTests(file).map((test) => test.fullName),
});

const failedTests = (file) => [...file.children.allTests()].filter((test) => test.result().state === "failed");
const hasFailedTest = (file) => failedTests(file).length > 0;

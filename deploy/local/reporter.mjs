import { writeFileSync } from "node:fs";

/** A vitest reporter that says nothing and writes the counts of the run to `CHEST_TEST_COUNTS`. */
export default class CountingReporter {
  onTestRunEnd(files, unhandledErrors) {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    // A file that does not load and an error outside every test have no test of their own to fail.
    const brokenFiles = files.filter((file) => file.state() === "failed" && !hasFailedTest(file)).length;
    const counts = {
      passed: count("passed"),
      failed: count("failed") + brokenFiles + unhandledErrors.length,
      skipped: count("skipped"),
    };
    writeFileSync(process.env.CHEST_TEST_COUNTS, JSON.stringify(counts));
  }
}

function hasFailedTest(file) {
  return [...file.children.allTests()].some((test) => test.result().state === "failed");
}

import { describe, expect, it } from "vitest";
import { errorLineOf } from "./failures.ts";

describe("the line that names a failure", () => {
  it.each([
    [
      "Python's exception, and not the head of its traceback",
      "Traceback (most recent call last):\n  File \"job.py\", line 4, in <module>\n    import rates\nModuleNotFoundError: No module named 'rates'",
      "ModuleNotFoundError: No module named 'rates'",
    ],
    [
      "the last exception of a chain in Python",
      'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: \'tenant\'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 9, in g\nacme.errors.TenantError: no tenant in the request',
      "acme.errors.TenantError: no tenant in the request",
    ],
    [
      "an assertion of pytest behind tests that passed",
      "tests/test_a.py::test_one PASSED [ 50%]\ntests/test_error_page.py::test_failed_login PASSED [ 75%]\ntests/test_b.py::test_two FAILED [100%]\n____ test_two ____\n    def test_two():\n>       assert total(1) == 2\nE       AssertionError: assert 1 == 2\ntests/test_b.py:4: AssertionError",
      "AssertionError: assert 1 == 2",
    ],
    [
      "JavaScript's error above its frames",
      "> acme@1.0.0 test\n\n/srv/a.js:3\n    throw new Error('x')\n    ^\n\nTypeError: ttl.toSeconds is not a function\n    at a (/srv/a.js:3:1)",
      "TypeError: ttl.toSeconds is not a function",
    ],
    [
      "Java's last cause",
      'Exception in thread "main" java.lang.IllegalStateException: cannot start\n\tat a.B.c(B.java:3)\nCaused by: java.net.BindException: Address already in use\n\t... 12 more',
      "Caused by: java.net.BindException: Address already in use",
    ],
    [
      "what a test of Go says",
      "ok  \tacme/a\t0.01s\n--- FAIL: TestRate (0.00s)\n    rate_test.go:14: got 3, want 4\nFAIL",
      "rate_test.go:14: got 3, want 4",
    ],
    [
      "a compiler's finding",
      "src/a.ts(3,1): error TS2304: Cannot find name 'ttl'.",
      "src/a.ts(3,1): error TS2304: Cannot find name 'ttl'.",
    ],
    [
      "npm's words, and not its code",
      'npm error code ENOENT\nnpm error Missing script: "lint"\nnpm error A complete log of this run can be found in: x',
      'npm error Missing script: "lint"',
    ],
    [
      "a rejected push",
      "Pushing logs to origin ... done\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs",
      "! [rejected] main -> main (fetch first)",
    ],
    [
      "terraform's box",
      "╷\n│ Error: Invalid provider configuration\n│ \n│ on main.tf line 1\n╵",
      "Error: Invalid provider configuration",
    ],
    [
      "docker's answer",
      "#5 DONE 0.1s\nError response from daemon: pull access denied for acme/a",
      "Error response from daemon: pull access denied for acme/a",
    ],
    ["a shell's", "deploy.sh: line 3: helmfile: command not found", "deploy.sh: line 3: helmfile: command not found"],
    [
      "a coloured line",
      `${String.fromCharCode(27)}[31mReferenceError: rate is not defined${String.fromCharCode(27)}[39m`,
      "ReferenceError: rate is not defined",
    ],
  ])("is %s", (_, output, line) => {
    expect(errorLineOf(output)).toBe(line);
  });

  it.each([
    "test_error_page.py::test_failed PASSED",
    "[STARTED] eslint --fix\n[COMPLETED] eslint --fix",
    "0 errors, 0 failed",
    "2026-11-03 10:02:11 INFO parsing the file of errors",
    "Exit code 1",
  ])("is none where all went well, or nothing is named: %s", (output) => {
    expect(errorLineOf(output)).toBeUndefined();
  });
});

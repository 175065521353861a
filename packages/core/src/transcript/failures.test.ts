import { describe, expect, it } from "vitest";
import { errorLineOf, tellingLinesOf } from "./failures.ts";

describe("the line that tells a failure", () => {
  it.each([
    [
      "the last exception of a traceback",
      [
        "Traceback (most recent call last):",
        '  File "bill.py", line 8, in main',
        '    cfg["tenants"]["acme"]',
        "KeyError: 'acme'",
        "",
        "The above exception was the direct cause of the following exception:",
        "",
        "Traceback (most recent call last):",
        '  File "bill.py", line 10, in main',
        '    raise RuntimeError("tenant acme has no ledger") from e',
        "RuntimeError: tenant acme has no ledger",
      ],
      "RuntimeError: tenant acme has no ledger",
    ],
    [
      "what was thrown, not where",
      [
        "/srv/inv.js:1",
        'function f(t) { throw new Error("no template"); }',
        "      ^",
        "",
        "Error: no template",
        "    at f",
      ],
      "Error: no template",
    ],
    [
      "the root cause of a chain",
      [
        'Exception in thread "main" java.lang.IllegalStateException: ledger not opened',
        "\tat A.main(A.java:2)",
        "Caused by: java.io.FileNotFoundException: ledger.db",
        "\t... 1 more",
      ],
      "Caused by: java.io.FileNotFoundException: ledger.db",
    ],
    [
      "what a thread panicked with, on the next line",
      [
        "",
        "thread 'main' (3021) panicked at p.rs:1:93:",
        "index out of bounds: the len is 0",
        "note: run with `RUST_BACKTRACE=1`",
      ],
      "thread 'main' (3021) panicked at p.rs:1:93: index out of bounds: the len is 0",
    ],
    [
      "the refusal of a push, not its consequence",
      [
        "To git.example:acme/shop.git",
        " ! [rejected]        main -> main (fetch first)",
        "error: failed to push some refs to 'git.example:acme/shop.git'",
        "hint: Updates were rejected because the remote contains work",
      ],
      "! [rejected] main -> main (fetch first)",
    ],
    [
      "what failed of a long test run",
      [
        "ok  \texample.com/a\t0.2s",
        "--- FAIL: TestRound (0.00s)",
        "    a_test.go:6: got 3 cents, want 4",
        "FAIL",
        "FAIL\texample.com/t\t0.006s",
      ],
      "a_test.go:6: got 3 cents, want 4",
    ],
    [
      "what was wrong with a recipe, not that make stopped",
      [
        "protoc-gen-ledger --out x",
        "make: protoc-gen-ledger: No such file or directory",
        "make: *** [Makefile:4: gen] Error 127",
      ],
      "make: protoc-gen-ledger: No such file or directory",
    ],
    [
      "what npm says under its own mark",
      [
        "npm warn deprecated x@1",
        'npm error Missing script: "deploy"',
        "npm error A complete log of this run can be found in: /x",
      ],
      'Missing script: "deploy"',
    ],
    [
      "the cause in a frame that a tool drew",
      ["╷", "│ Error: Unsupported argument", "│ ", '│   on main.tf line 2, in resource "aws_s3_bucket" "b":', "╵"],
      "Error: Unsupported argument",
    ],
  ])("is %s", (_, output, line) => {
    expect(errorLineOf(`Exit code 1\n${output.join("\n")}`)).toBe(line);
  });

  it("is none where nothing is said to be wrong, and the last words stand for it", () => {
    const output = "Exit code 1\nChecking the books\nThe books are open until the third working day";
    expect(errorLineOf(output)).toBe(undefined);
    expect(tellingLinesOf(output)).toEqual(["Checking the books", "The books are open until the third working day"]);
    expect(tellingLinesOf("Exit code 1\n")).toEqual([]);
  });

  it("is none where the user refused the call", () => {
    const refused =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (error: not wanted).";
    expect(tellingLinesOf(refused)).toEqual([]);
  });

  it("stands before others that say as much, each once", () => {
    const output = "a.ts(1,2): error TS2322: Type 'x'\na.ts(4,2): error TS2339: Property\nFound 2 errors\n".repeat(2);
    expect(tellingLinesOf(output)).toEqual(["a.ts(1,2): error TS2322: Type 'x'", "a.ts(4,2): error TS2339: Property"]);
  });

  it("is found in little time in a line of any kind", () => {
    for (const piece of ["A", "a.", "aA_", "[a ", "E1", " a: "])
      expect(() => errorLineOf(piece.repeat(20_000))).not.toThrow();
  });
});

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
      'Missing script: "lint"',
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

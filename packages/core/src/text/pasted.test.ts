import { describe, expect, it } from "vitest";
import { pastedRule } from "./pasted.ts";

const lines = (...all: string[]) => all.join("\n");

describe("rejects", () => {
  it.each([
    [
      "JavaScript",
      lines(
        "TypeError: x is not a function",
        "    at run (/app/src/a.js:10:5)",
        "    at async main (file:///app/b.mjs:3:1)",
      ),
    ],
    [
      "Python",
      lines(
        "Traceback (most recent call last):",
        '  File "/app/a.py", line 3, in <module>',
        "    run()",
        '  File "/app/b.py", line 9, in run',
        "KeyError: 'x'",
      ),
    ],
    [
      "Java",
      lines(
        "java.lang.IllegalStateException: no",
        "\tat com.acme.App.run(App.java:12)",
        "\tat java.base/java.lang.Thread.run(Native Method)",
      ),
    ],
    [
      "Go",
      lines(
        "goroutine 1 [running]:",
        "main.run(...)",
        "\t/app/main.go:12 +0x1d",
        "main.main()",
        "\t/app/main.go:5 +0x2f",
      ),
    ],
    [
      "Rust",
      lines(
        "thread 'main' panicked at src/main.rs:4:5:",
        "   0: core::panicking::panic",
        "             at /rustc/core/src/panicking.rs:88:5",
        "   1: acme::run",
      ),
    ],
    [
      "C#",
      lines(
        "System.NullReferenceException: no",
        "   at Acme.Api.Login.Run(String name) in C:\\src\\Login.cs:line 12",
        "   at Acme.Api.Program.Main(String[] args)",
      ),
    ],
  ])("a stack trace of %s", (_, text) => {
    expect(pastedRule(text)).toBe("stack-trace");
  });

  it.each([
    ["log-dump", lines("12:01:03 INFO starting the worker", "12:01:04 INFO connected to the database")],
    ["log-dump", lines("[2026-11-20 12:01:03] start of the worker", "[2026-11-20 12:01:04] connected")],
    ["log-dump", "a 12:01:03.123 start b 12:01:03.456 connect c 12:01:04,789 done"],
    ["table-dump", `┌──────┬─────┐\n│ name │ age │\n${"x".repeat(100)}`],
    ["agent-output", "● Read(src/app.ts) and then some more of the output"],
    ["agent-output", "⏺ I will now change the file and run the tests again"],
    ["agent-output", "Attempt #3 failed: connection refused by the server"],
    ["prompt-paste", `You are a senior engineer. ${"Do the work well. ".repeat(20)}`],
    ["console", lines("Build failed in 12 s", "[info] compiling 12 files", "ERROR: cannot find module x")],
    [
      "console",
      lines("Deployment started for acme-api", "✓ uploaded 12 files to the bucket", "✓ invalidated the cache"),
    ],
    ["console", lines("Error: command failed", "npm ERR! code ELIFECYCLE", "npm ERR! errno 1")],
  ])("%s: %j", (rule, text) => {
    expect(pastedRule(text)).toBe(rule);
  });
});

describe("accepts", () => {
  it.each([
    [
      "one quoted frame",
      lines(
        "The crash comes from this line, which runs before the pool is open:",
        "    at run (/app/src/a.js:10:5)",
        "Open the pool first.",
      ),
    ],
    [
      "one frame of Rust",
      lines(
        "It panics in one place only, the parser of versions:",
        "   3: acme::version::parse",
        "             at ./src/version.rs:88:5",
        "because of the suffix",
      ),
    ],
    ["a time in a sentence", "at 14:05 the deploy went out, at 14:10 it was rolled back because of the queue"],
    ["a line that begins with one time", "14:05 is when the nightly job starts, so never deploy right before it"],
    [
      "a Markdown table",
      lines(
        "| name | age | notes on the person |",
        "|------|-----|---------------------|",
        "| ann | 12 | likes tables very much indeed |",
        "| bob | 13 | likes lists |",
      ),
    ],
    ["lists", lines("- never use the legacy client here", "* it drops the retries", "• and its timeouts are wrong")],
    ["a bullet", "• the deploy needs the VPN, and the VPN needs a token of the day"],
    ["You are not allowed", `You are not allowed to push to main. ${"Open a pull request and wait. ".repeat(12)}`],
    ["a short role", "You are a guest in that repository: ask before changing its build"],
    ["Error:", "Error: ENOSPC means the inotify limit is reached, raise fs.inotify.max_user_watches"],
    ["Build", lines("Build with pnpm, not npm:", "the lockfile is only read by pnpm", "and hoisting breaks the types")],
    [
      "Deployment with a list",
      lines("Deployment needs three things:", "- the VPN", "- a token of the day", "- patience"),
    ],
    ["shorter than 40 characters", "● Read(src/app.ts)"],
  ])("%s", (_, text) => {
    expect(pastedRule(text)).toBeUndefined();
  });
});

it.each([" ", "at ", "\n", "\n ", "12:01:", "at a.b(", "a@", "You ", "error ", "::", '"', 'File "', "1: a::"])(
  "looks through 100,000 characters of %j",
  (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    expect([undefined, "stack-trace", "log-dump", "console"]).toContain(pastedRule(text));
    expect([undefined, "console"]).toContain(pastedRule(`error\n${text.replaceAll("\n", " ")}`));
  },
);

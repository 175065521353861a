import { describe, expect, it } from "vitest";
import { failureOf } from "./command-failure.ts";

const failed = (command: string, error: string | undefined, toolResponse?: unknown) =>
  failureOf({ toolInput: { command }, toolResponse, error });

describe("a failure", () => {
  it.each([
    ["npm test", "TypeError: x is not a function"],
    ["python run.py", "Traceback (most recent call last):\n  File"],
    ["cargo build", "error[E0308]: mismatched types"],
    ["tsc", "src/a.ts(1,2): error TS2339: Property"],
    ["node x.js", "Error: connect ECONNREFUSED 127.0.0.1:5432"],
    ["go run .", "panic: runtime error: index out of range"],
    ["sed -i s/a/b/ x", "sed: can't read x: No such file or directory"],
    ["cat x && npm test", "ReferenceError: y"],
    ["node bill.js", "Exit code 1\nInvoice template missing for tenant 42"],
    ["docker compose up", "no configuration file provided: not found"],
    ["git push", " ! [rejected]        main -> main (fetch first)"],
    ["npm test", "12 passed, 0 failed, yet the coverage is 71 % of 80 %\nthreshold of lines is not met"],
    ["cat /etc/ledger.conf", "cat: /etc/ledger.conf: Permission denied"],
    ["git log", "fatal: not a git repository (or any of the parent directories): .git"],
  ])("is one of `%s`", (command, error) => {
    expect(failed(command, error)).toEqual({ command, error });
  });

  it.each([
    ["grep -rn TypeError src", "Exit code 1"],
    ["cat log | grep Error", "TypeError: x is not a function"],
    ["cd app && git log --grep Error", "Error: x"],
    ["rg foo; ls", "fatal: not found"],
    ["rg foo src; ls src", "src/a.ts:12: throw new TypeError(message)\nExit code 2"],
    ["npm test", "exit code 1"],
  ])("is none of `%s`: %s", (command, error) => {
    expect(failed(command, error)).toBe(undefined);
  });

  it("is found in what a command printed, where nothing else tells", () => {
    expect(failed("make || true", undefined, { stdout: "", stderr: "fatal: no rule" })?.error).toBe("fatal: no rule");
    expect(failed("make", undefined, { stdout: "fine", stderr: "" })).toBe(undefined);
    expect(failed("make", undefined, 7)).toBe(undefined);
  });

  it("is none that the host does not call one, where all tests passed", () => {
    expect(failed("npm test", undefined, "12 passed, 0 failed, TypeError is handled")).toBe(undefined);
  });

  it("is told with the line that says why, wherever that stands in a long output", () => {
    const around = "✓ rounds to cents\n".repeat(2_000);
    const output = `${around}TypeError: closeBooks is not a function\n${around}`;
    expect(failed("npm test", output)?.error).toContain("closeBooks is not a function");
  });

  it("is told by its beginning and its end", () => {
    const error = `TypeError: first\n${"at x\n".repeat(5000)}last words`;
    const told = failed("npm test", error)?.error ?? "";
    expect(told.length).toBeLessThanOrEqual(4000);
    expect([told.startsWith("TypeError: first"), told.endsWith("last words")]).toEqual([true, true]);
  });

  it.each([995, 498])("is told without a secret that lies across a cut, at %i", (at) => {
    const token = ["gh", "p_", "aB3".repeat(12)].join("");
    const upTo = (text: string) => `${text}${"x ".repeat(500)}`.slice(0, at);
    const error = `${upTo("TypeError: ")} ${token} ${"at x\n".repeat(2000)}`;
    const command = `${upTo("npm test ")} ${token}`;
    const told = JSON.stringify(failed(command, error));
    expect(told).toContain("TypeError");
    expect(told).not.toContain(token.slice(0, 4));
  });
});

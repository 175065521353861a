import { ChestError } from "@chest/contracts";
import { aCall, testExecutor } from "@chest/testing";
import { describe, expect, it } from "vitest";
import type { Executor } from "../executor.ts";
import { logCalls } from "./log-calls.ts";

function backend() {
  const lines: [fields: Readonly<Record<string, unknown>>, message: string][] = [];
  const log = {
    info: (fields: Readonly<Record<string, unknown>>, message: string) => void lines.push([fields, message]),
  };
  return { lines, wrapped: (inner: Executor) => logCalls(log, inner) };
}

describe("a call", () => {
  it("is one line with its tool, outcome, time and caller, and nothing that was said", async () => {
    const { lines, wrapped } = backend();
    const executor = wrapped((await testExecutor()).executor);
    const fact = {
      entity_name: "acme secretive",
      entity_kind: "project",
      layer: "learning",
      content: "confidential words",
    };
    await executor.execute("chest_remember", fact, aCall({ requestId: "r-1" }));
    await executor.execute("chest_recall", { query: "confidential" }, aCall({ requestId: "r-2" }));
    expect(lines).toEqual([
      [
        { tool: "chest_remember", outcome: "ok", ms: expect.any(Number), member: "shared", requestId: "r-1" },
        "tool call",
      ],
      [
        { tool: "chest_recall", outcome: "ok", ms: expect.any(Number), member: "shared", requestId: "r-2" },
        "tool call",
      ],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/confidential|secretive/);
  });

  it("that fails is logged by its code and fails all the same", async () => {
    const { lines, wrapped } = backend();
    const failing = (error: Error) => wrapped({ execute: () => Promise.reject(error) });
    const ours = new ChestError("NOT_FOUND", "memory 5 not found");
    await expect(failing(ours).execute("chest_forget", {}, aCall())).rejects.toBe(ours);
    const theirs = new Error("SQL with secrets");
    await expect(failing(theirs).execute("chest_forget", {}, aCall())).rejects.toBe(theirs);
    expect(lines.map(([{ outcome }]) => outcome)).toEqual(["NOT_FOUND", "INTERNAL_ERROR"]);
    expect(JSON.stringify(lines)).not.toContain("SQL");
  });
});

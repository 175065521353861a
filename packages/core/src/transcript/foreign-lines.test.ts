import { describe, expect, it } from "vitest";
import { readEntry } from "./entry.ts";
import { slimLine } from "./slim.ts";

const read = (value: object) => readEntry(JSON.stringify(value));
const at = "2026-11-27T10:00:00.000Z";
const codex = (payload: object, type = "response_item") => read({ timestamp: at, ordinal: 1, type, payload });
const copilot = (type: string, data: object) => read({ type, data, id: "e1", timestamp: at, parentId: null });

describe("a rollout of Codex", () => {
  it("names its session and folder first", () => {
    const meta = {
      id: "01a2",
      session_id: "01a2",
      cwd: "/home/dev/acme",
      git: { branch: "main" },
      cli_version: "0.171.0",
    };
    expect(codex(meta, "session_meta")).toMatchObject({
      kind: "turn",
      isAside: true,
      session: "01a2",
      cwd: "/home/dev/acme",
      branch: "main",
      text: "",
    });
  });

  it("holds what was said, and leaves out what the host says", () => {
    const message = (role: string, text: string) =>
      codex({
        type: "message",
        id: "m1",
        role,
        content: [{ type: role === "user" ? "input_text" : "output_text", text }],
      });
    expect(message("user", "Always lint.")).toMatchObject({
      role: "user",
      text: "Always lint.",
      isAside: false,
      uuid: "m1",
    });
    expect(message("assistant", "Done.")).toMatchObject({ role: "assistant", text: "Done.", at: new Date(at) });
    expect(message("user", "<environment_context>\n<cwd>/x</cwd>")).toMatchObject({ isAside: true });
    const inEditor = "# Context from my IDE setup:\n\n## Active file: a.md\n\n## My request for Codex:\nAlways lint.\n";
    expect(message("user", inEditor)).toMatchObject({ text: "Always lint.", isAside: false });
    expect(message("developer", "rules")).toEqual({ kind: "other" });
    for (const type of ["event_msg", "turn_context", "world_state", "of_a_version_to_come"])
      expect(codex({ type: "token_count" }, type)).toEqual({ kind: "other" });
  });

  it.each([
    [
      { type: "function_call", name: "exec_command", arguments: '{"cmd":"npm test"}' },
      { operation: "bash", command: "npm test" },
    ],
    [
      { type: "function_call", name: "shell", arguments: '{"command":["bash","-lc","npm test"]}' },
      { operation: "bash", command: "npm test" },
    ],
    [
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n" },
      { operation: "edit", path: "src/a.ts" },
    ],
    [{ type: "function_call", name: "mcp__chest-memory__chest_remember", arguments: "{}" }, { operation: "remember" }],
  ])("tells the use of a tool: %j", (payload, use) => {
    expect(codex({ call_id: "c1", ...payload })).toMatchObject({ role: "assistant", uses: [{ id: "c1", ...use }] });
  });

  it("tells a failure by its exit code", () => {
    const result = (output: unknown) => codex({ type: "function_call_output", call_id: "c1", output });
    expect(
      result("Wall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nls: cannot access 'x'\n"),
    ).toMatchObject({
      role: "user",
      results: [{ useId: "c1", isError: true, failure: "ls: cannot access 'x'\n" }],
    });
    expect(result('{"output":"TypeError: x","metadata":{"exit_code":1}}')).toMatchObject({
      results: [{ isError: true, failure: "TypeError: x" }],
    });
    expect(result("Process exited with code 0\nOutput:\nfine")).toMatchObject({
      results: [{ isError: false, failure: "" }],
    });
    expect(result("stored [memory:41] as learning")).toMatchObject({ results: [{ memory: 41 }] });
  });
});

describe("events of GitHub Copilot CLI", () => {
  it("hold session, words, tools and failures", () => {
    expect(copilot("session.start", { sessionId: "s-1", context: { cwd: "/work" } })).toMatchObject({
      session: "s-1",
      cwd: "/work",
      isAside: true,
    });
    expect(copilot("user.message", { content: "Always lint.", transformedContent: "x" })).toMatchObject({
      role: "user",
      text: "Always lint.",
    });
    const toolRequests = [
      { toolCallId: "c1", name: "bash", arguments: { command: "npm test" } },
      { toolCallId: "c2", name: "create", arguments: { path: "/work/a.ts", file_text: "x" } },
    ];
    expect(copilot("assistant.message", { content: "", toolRequests })).toMatchObject({
      uses: [
        { id: "c1", operation: "bash", command: "npm test" },
        { id: "c2", operation: "write", path: "/work/a.ts" },
      ],
    });
    const content =
      'Error: no\n<shellId: 0 completed with exit code 2>\n\nTool "bash" succeeded. Additional guidance\nCTX';
    expect(
      copilot("tool.execution_complete", {
        toolCallId: "c1",
        success: true,
        shellExecution: { exitCode: 2 },
        result: { content },
      }),
    ).toMatchObject({ results: [{ useId: "c1", isError: true, failure: "Error: no" }] });
    for (const type of ["hook.start", "assistant.turn_end", "of.a.version.to.come"])
      expect(copilot(type, {})).toEqual({ kind: "other" });
  });
});

describe("records of Gemini CLI", () => {
  it("hold session, words, tools and failures, without what hooks told", () => {
    expect(read({ sessionId: "s-1", projectHash: "a2", startTime: at, kind: "main" })).toMatchObject({
      session: "s-1",
    });
    const content = [
      { text: "<hook_context>told</hook_context>\n\nAlways lint." },
      { text: "<hook_context>x</hook_context>" },
    ];
    expect(read({ id: "m1", timestamp: at, type: "user", content })).toMatchObject({
      role: "user",
      text: "Always lint.",
    });
    expect(read({ id: "m2", timestamp: at, type: "gemini", content: "Done.", thoughts: [] })).toMatchObject({
      role: "assistant",
      text: "Done.",
    });
    const toolCalls = [{ id: "c1", name: "run_shell_command", args: { command: "npm test" }, result: [] }];
    expect(read({ id: "m2", timestamp: at, type: "gemini", content: "Done.", toolCalls })).toMatchObject({
      text: "",
      uses: [{ id: "c1", operation: "bash", command: "npm test" }],
    });
    const output =
      "<untrusted_context>\nOutput: TypeError: x\nExit Code: 2\n</untrusted_context>\n\n<hook_context>y</hook_context>";
    const functionResponse = { id: "c1", name: "run_shell_command", response: { output } };
    const result = read({ id: "m3", timestamp: at, type: "user", content: [{ functionResponse }] });
    expect(result).toMatchObject({
      results: [{ useId: "c1", isError: true, failure: expect.stringMatching(/^TypeError: x/) }],
    });
    expect(JSON.stringify(result)).not.toContain("hook_context");
    expect(read({ $set: { lastUpdated: at } })).toEqual({ kind: "other" });
  });
});

it("travels as the same turn", () => {
  const line = JSON.stringify({
    timestamp: at,
    type: "response_item",
    payload: { type: "function_call", name: "exec_command", arguments: '{"cmd":"npm test"}', call_id: "c1" },
  });
  expect(readEntry(slimLine(line))).toEqual(readEntry(line));
});

it("reads a line of Claude Code as before, and one of no known form as none", () => {
  expect(read({ type: "user", message: { content: "hello" } })).toMatchObject({ role: "user", text: "hello" });
  expect(read({ type: "user" })).toMatchObject({ kind: "turn", text: "" });
  expect(read({ type: "mystery" })).toEqual({ kind: "skipped", reason: "unknown_type" });
});

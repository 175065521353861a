import { expect, it } from "vitest";
import { HOSTS, hostOf } from "./index.ts";

const read = (host: string, value: object) => hostOf(host)?.read(value as Readonly<Record<string, unknown>>);
const base = { session_id: "s", cwd: "/work" };

// As each program sends them, or as its documentation shows them.
it.each([
  [
    "codex",
    { ...base, tool_name: "Bash", tool_input: { command: "npm test" }, tool_response: "no" },
    { tool_name: "Bash" },
  ],
  [
    "codex",
    { ...base, tool_name: "apply_patch", tool_input: { command: "*** Begin Patch\n*** Update File: src/a.ts\n" } },
    { tool_name: "Edit", tool_input: { file_path: "src/a.ts" } },
  ],
  ["codex", { ...base, prompt: "why", last_assistant_message: "so" }, { prompt: "why", last_assistant_message: "so" }],
  ["gemini", { ...base, prompt: "<hook_context>told</hook_context>\n\nwhy" }, { prompt: "why" }],
  ["gemini", { ...base, prompt_response: "so" }, { last_assistant_message: "so" }],
  [
    "gemini",
    {
      ...base,
      tool_name: "run_shell_command",
      tool_input: { command: "npm test" },
      tool_response: { llmContent: "Output: no\nExit Code: 2\n", returnDisplay: "no" },
    },
    { tool_name: "Bash", tool_input: { command: "npm test" }, error: "no" },
  ],
  [
    "gemini",
    { ...base, tool_name: "write_file", tool_input: { file_path: "/repo/a.ts", content: "x" }, tool_response: {} },
    { tool_name: "Write", tool_input: { file_path: "/repo/a.ts" } },
  ],
  [
    "copilot",
    {
      ...base,
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_result: { result_type: "success", text_result_for_llm: "no\n<shellId: 0 completed with exit code 2>" },
    },
    { tool_name: "Bash", error: expect.stringContaining("no") },
  ],
  [
    "copilot",
    { ...base, tool_name: "Write", tool_input: { path: "/repo/a.ts" }, tool_result: { result_type: "success" } },
    { tool_name: "Write", tool_input: { file_path: "/repo/a.ts" }, tool_response: "" },
  ],
  [
    "cursor",
    { conversation_id: "c", workspace_roots: ["/work"], prompt: "why" },
    { session_id: "c", cwd: "/work", prompt: "why" },
  ],
  ["cursor", { conversation_id: "c", text: "so" }, { last_assistant_message: "so" }],
  [
    "cursor",
    {
      conversation_id: "c",
      tool_name: "Shell",
      tool_input: { command: "ls" },
      tool_output: '{"output":"no","exitCode":1}',
    },
    { tool_name: "Bash", tool_input: { command: "ls" }, error: "no" },
  ],
  [
    "cursor",
    { conversation_id: "c", tool_name: "Shell", tool_input: { command: "ls" }, error_message: "timed out" },
    { tool_name: "Bash", error: "timed out" },
  ],
  [
    "windsurf",
    { agent_action_name: "pre_user_prompt", trajectory_id: "t", tool_info: { user_prompt: "why" } },
    { session_id: "t", prompt: "why" },
  ],
  [
    "windsurf",
    { agent_action_name: "post_run_command", trajectory_id: "t", tool_info: { command_line: "ls", cwd: "/work" } },
    { tool_name: "Bash", tool_input: { command: "ls" }, cwd: "/work" },
  ],
  [
    "windsurf",
    { agent_action_name: "post_cascade_response", trajectory_id: "t", tool_info: { response: "so" } },
    { last_assistant_message: "so" },
  ],
  [
    "cline",
    { hookName: "UserPromptSubmit", taskId: "t", workspaceRoots: ["/work"], userPromptSubmit: { prompt: "why" } },
    { session_id: "t", cwd: "/work", prompt: "why" },
  ],
  [
    "cline",
    {
      hookName: "PostToolUse",
      taskId: "t",
      postToolUse: { toolName: "execute_command", parameters: { command: "ls" }, result: "no", success: false },
    },
    { tool_name: "Bash", tool_input: { command: "ls" }, error: "no" },
  ],
  [
    "devin",
    {
      ...base,
      tool_name: "exec",
      tool_input: { command: "ls", shell_id: "main" },
      tool_response: { success: false, output: "no\n", error: null },
    },
    { tool_name: "Bash", tool_input: { command: "ls" }, error: "no\n" },
  ],
  [
    "devin",
    {
      ...base,
      tool_name: "write",
      tool_input: { file_path: "/repo/a.ts" },
      tool_response: { success: true, output: "ok", error: null },
    },
    { tool_name: "Write", tool_input: { file_path: "/repo/a.ts" }, tool_response: "ok" },
  ],
  ["devin", { ...base, prompt: "why" }, { prompt: "why" }],
  [
    "vscode",
    {
      sessionId: "s",
      hookEventName: "PostToolUse",
      tool_name: "editFiles",
      tool_input: { files: ["src/a.ts"] },
      tool_response: "ok",
    },
    { session_id: "s", hook_event_name: "PostToolUse", tool_name: "Edit", tool_input: { file_path: "src/a.ts" } },
  ],
  [
    "opencode",
    { ...base, tool_name: "shell", tool_input: { command: "ls" }, tool_output: "no", exit: 2 },
    { tool_name: "Bash", tool_input: { command: "ls" }, error: "no" },
  ],
  ["opencode", { ...base, prompt: '"always \\"lint\\" it"' }, { prompt: 'always "lint" it' }],
  ["opencode", { ...base, prompt: '"a" and "b"' }, { prompt: '"a" and "b"' }],
  [
    "opencode",
    { ...base, tool_name: "edit", tool_input: { filePath: "/repo/a.ts" }, tool_output: "ok" },
    { tool_name: "Edit", tool_input: { file_path: "/repo/a.ts" }, tool_response: "ok" },
  ],
])("reads an event of %s under the names of Claude Code: %j", (host, value, expected) => {
  expect(read(host, value)).toMatchObject(expected);
});

it("reads an event of any form without failing", () => {
  const odd = [{}, { tool_name: 1, tool_input: [], tool_response: null }, { tool_name: "Shell", tool_output: "{" }];
  for (const host of HOSTS) for (const value of odd) expect(() => host.read(value)).not.toThrow();
});

it("names no event twice, and answers only where the agent reads it", () => {
  for (const { events } of HOSTS) expect(new Set(events.map(({ event }) => event)).size).toBe(events.length);
  expect(hostOf("cursor")?.answer("sessionStart", "x")).toEqual({ additional_context: "x" });
  expect(hostOf("cursor")?.answer("beforeSubmitPrompt", "x")).toBe(undefined);
  expect(hostOf("vscode")?.answer("UserPromptSubmit", "x")).toBe(undefined);
  expect(hostOf("windsurf")?.answer("pre_user_prompt", "x")).toBe(undefined);
  expect(hostOf("cline")?.answer("TaskStart", "x")).toEqual({ cancel: false, contextModification: "x" });
});

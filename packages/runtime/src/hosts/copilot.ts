import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Env } from "../env.ts";
import { type Host, objectOf, toolOutcome, toolUse } from "./host.ts";
import { isOfVscode, VSCODE } from "./vscode.ts";

const stateFolder = ({ COPILOT_HOME }: Env): string =>
  join(COPILOT_HOME ? resolve(COPILOT_HOME) : join(homedir(), ".copilot"), "session-state");

const EDITS: Readonly<Record<string, "Edit" | "Write">> = {
  Edit: "Edit",
  Write: "Write",
  edit: "Edit",
  create: "Write",
};

/**
 * GitHub Copilot CLI, with events in the form of VS Code: their fields are those of Claude Code, except the output of
 * tools.
 */
export const COPILOT: Host = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  events: [
    { event: "SessionStart", moment: "session-start" },
    { event: "UserPromptSubmit", moment: "user-prompt" },
    { event: "PreToolUse", moment: "pre-tool", matcher: "edit|create" },
    { event: "PostToolUse", moment: "post-tool", matcher: "bash|powershell|edit|create" },
    { event: "PostToolUseFailure", moment: "post-tool", matcher: "bash|powershell" },
    { event: "PreCompact", moment: "pre-compact" },
    { event: "Stop", moment: "stop" },
    { event: "SessionEnd", moment: "session-end" },
  ],
  otherOf: (value) => (isOfVscode(value) ? VSCODE : undefined),
  read(value) {
    const { tool_name: name, tool_result: given } = value;
    if (typeof name !== "string") return value;
    const kind = EDITS[name] ?? (/^(?:bash|powershell)$/i.test(name) ? "Bash" : undefined);
    const use = toolUse(kind, name, objectOf(value.tool_input));
    const { text_result_for_llm: output, result_type } = objectOf(given);
    if (given === undefined) return { ...value, ...use };
    const text = typeof output === "string" ? output : "";
    const hasFailed = result_type !== "success" || /completed with exit code [1-9]\d{0,2}>\s*$/.test(text.slice(-100));
    return { ...value, ...use, ...toolOutcome(text, hasFailed) };
  },
  answer: (_, additionalContext) => ({ additionalContext }),
  transcripts: stateFolder,
  transcriptOf: (session, env) => join(stateFolder(env), session, "events.jsonl"),
};

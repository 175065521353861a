import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Fields, type Host, objectOf } from "./host.ts";

const EDITS = "apply_patch|Edit|Write";

/** Codex: its events and fields are those of Claude Code, but for its edits. */
export const CODEX: Host = {
  name: "codex",
  title: "Codex",
  events: [
    { event: "SessionStart", moment: "session-start" },
    { event: "SubagentStart", moment: "subagent-start" },
    { event: "UserPromptSubmit", moment: "user-prompt" },
    { event: "PreToolUse", moment: "pre-tool", matcher: EDITS },
    { event: "PostToolUse", moment: "post-tool", matcher: `Bash|${EDITS}` },
    { event: "PreCompact", moment: "pre-compact" },
    { event: "Stop", moment: "stop" },
    // More is cut down to three, with a warning at every start.
    { event: "SessionEnd", moment: "session-end", timeoutS: 3 },
  ],
  read: (value) => (value.tool_name === "apply_patch" ? { ...value, ...patched(objectOf(value.tool_input)) } : value),
  answer: (event, additionalContext) => ({ hookSpecificOutput: { hookEventName: event, additionalContext } }),
  transcripts: ({ CODEX_HOME }) => join(CODEX_HOME ? resolve(CODEX_HOME) : join(homedir(), ".codex"), "sessions"),
};

const MAX_PATCH = 200_000;

/** A patch as an edit of its first file. */
function patched({ command, input = command }: Fields): Fields {
  const patch = typeof input === "string" ? input.slice(0, MAX_PATCH) : "";
  const [, path] = /^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$/m.exec(patch) ?? [];
  return { tool_name: "Edit", tool_input: path === undefined ? {} : { file_path: path.trim() } };
}

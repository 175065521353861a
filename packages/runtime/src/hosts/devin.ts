import { type Host, objectOf, toolOutcome, toolUse } from "./host.ts";

const TOOLS = { exec: "Bash", edit: "Edit", write: "Write" } as const;

/**
 * Devin CLI, which Devin Desktop uses as well: events and fields of Claude Code, but for its tools. It names the project's folder
 * in its environment alone.
 */
export const DEVIN: Host = {
  name: "devin",
  title: "Devin CLI",
  events: [
    { event: "SessionStart", moment: "session-start" },
    { event: "UserPromptSubmit", moment: "user-prompt" },
    { event: "PostToolUse", moment: "post-tool", matcher: Object.keys(TOOLS).join("|") },
    { event: "Stop", moment: "stop" },
    { event: "SessionEnd", moment: "session-end" },
  ],
  read(value) {
    const { tool_name: name, tool_response: given } = value;
    if (typeof name !== "string") return value;
    const kind = Object.hasOwn(TOOLS, name) ? TOOLS[name as keyof typeof TOOLS] : undefined;
    const { success, output, error } = objectOf(given);
    const outcome = toolOutcome(success === false ? error || output : output, success === false);
    return { ...value, tool_response: undefined, ...toolUse(kind, name, objectOf(value.tool_input)), ...outcome };
  },
  answer: (event, additionalContext) => ({ hookSpecificOutput: { hookEventName: event, additionalContext } }),
};

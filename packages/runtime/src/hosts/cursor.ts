import { type Fields, type Host, isObject, objectOf, toolOutcome, toolUse } from "./host.ts";

const TOOLS: Readonly<Record<string, "Bash" | "Edit" | "Write">> = {
  Shell: "Bash",
  Write: "Write",
  Edit: "Edit",
  StrReplace: "Edit",
  MultiEdit: "Edit",
};
const ANSWERED = new Set(["sessionStart", "postToolUse"]);

/**
 * Cursor. It accepts no context at a prompt, so memories are shown at a start, after a tool, and by its rules and
 * tools.
 */
export const CURSOR: Host = {
  name: "cursor",
  title: "Cursor",
  events: [
    { event: "sessionStart", moment: "session-start" },
    { event: "beforeSubmitPrompt", moment: "user-prompt" },
    { event: "postToolUse", moment: "post-tool", matcher: Object.keys(TOOLS).join("|") },
    { event: "postToolUseFailure", moment: "post-tool", matcher: "Shell" },
    { event: "afterAgentResponse", moment: "response" },
    { event: "preCompact", moment: "pre-compact" },
    { event: "stop", moment: "stop" },
    { event: "sessionEnd", moment: "session-end" },
  ],
  read(value) {
    const { conversation_id, session_id = conversation_id, workspace_roots, tool_name: name } = value;
    const [root] = Array.isArray(workspace_roots) ? workspace_roots : [];
    const common = { ...value, session_id, cwd: value.cwd || root, last_assistant_message: value.text };
    if (typeof name !== "string") return common;
    const use = toolUse(TOOLS[name], name, objectOf(value.tool_input));
    if (value.error_message !== undefined)
      return { ...common, ...use, ...toolOutcome(value.error_message, true), is_interrupt: value.is_interrupt };
    return { ...common, ...use, ...outcomeOf(value.tool_output) };
  },
  answer: (event, context) => (ANSWERED.has(event) ? { additional_context: context } : undefined),
};

/** Reads the output of a tool, which comes as JSON in a text. */
function outcomeOf(input: unknown): Fields {
  const told = typeof input === "string" ? parsed(input) : input;
  if (!isObject(told)) return toolOutcome(told, false);
  const { output, stdout, stderr, exitCode, exit_code = exitCode } = told;
  const text =
    typeof output === "string" ? output : [stderr, stdout].filter((each) => typeof each === "string").join("\n");
  return toolOutcome(text, typeof exit_code === "number" && exit_code !== 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // As it is.
  }
}

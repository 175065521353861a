import { type Fields, type Host, toolOutcome, toolUse } from "./host.ts";

const TOOLS: Readonly<Record<string, "Bash" | "Edit" | "Write">> = {
  runTerminalCommand: "Bash",
  run_in_terminal: "Bash",
  editFiles: "Edit",
  insert_edit_into_file: "Edit",
  replace_string_in_file: "Edit",
  createFile: "Write",
  create_file: "Write",
};
const ANSWERED = new Set(["SessionStart", "SubagentStart", "PreToolUse", "PostToolUse"]);

/**
 * VS Code's own agent, which runs the hooks that Copilot CLI has in the home, on events of its own form. It takes no context at a
 * prompt, and tells nothing of what the agent said.
 */
export const VSCODE: Host = {
  name: "vscode",
  title: "VS Code",
  events: [],
  read(value) {
    const { sessionId: session_id, hookEventName: hook_event_name, tool_name: name } = value;
    const common = { ...value, session_id, hook_event_name };
    if (typeof name !== "string") return common;
    const use = toolUse(TOOLS[name], name, inputOf(value.tool_input));
    return value.tool_response === undefined
      ? { ...common, ...use }
      : { ...common, ...use, ...toolOutcome(value.tool_response, false) };
  },
  answer: (event, additionalContext) =>
    ANSWERED.has(event) ? { hookSpecificOutput: { hookEventName: event, additionalContext } } : undefined,
};

/** Whether an event is one of VS Code's own agent; Copilot CLI names the same fields with underscores. */
export const isOfVscode = ({ sessionId, hookEventName, session_id }: Fields): boolean =>
  typeof sessionId === "string" && typeof hookEventName === "string" && session_id === undefined;

function inputOf(raw: unknown): Fields {
  const { files, filePath, ...input } = (raw ?? {}) as Fields;
  const [file] = Array.isArray(files) ? files : [filePath];
  return typeof file === "string" ? { ...input, file_path: file } : input;
}

import { type Host, objectOf, toolOutcome, toolUse } from "./host.ts";

const TOOLS: Readonly<Record<string, "Bash" | "Edit" | "Write">> = {
  execute_command: "Bash",
  replace_in_file: "Edit",
  apply_patch: "Edit",
  write_to_file: "Write",
};

/** Cline: each hook is a program of the event's name; what it adds is read by the next request. */
export const CLINE: Host = {
  name: "cline",
  title: "Cline",
  events: [
    { event: "TaskStart", moment: "session-start" },
    { event: "TaskResume", moment: "session-start" },
    { event: "UserPromptSubmit", moment: "user-prompt" },
    { event: "PostToolUse", moment: "post-tool" },
    { event: "PreCompact", moment: "pre-compact" },
    { event: "TaskCancel", moment: "session-end" },
    { event: "TaskComplete", moment: "session-end" },
  ],
  read(value) {
    const { hookName: event, taskId: session_id, workspaceRoots } = value;
    const name = typeof event === "string" ? event : "";
    const told = objectOf(value[name.charAt(0).toLowerCase() + name.slice(1)]);
    const [cwd] = Array.isArray(workspaceRoots) ? workspaceRoots : [];
    const source = name === "TaskResume" ? "resume" : "startup";
    const common = { session_id, hook_event_name: event, cwd, source, prompt: told.prompt };
    const { toolName, parameters, result, success } = told;
    if (typeof toolName !== "string") return common;
    const use = toolUse(TOOLS[toolName], toolName, objectOf(parameters));
    return { ...common, ...use, ...toolOutcome(result, success === false) };
  },
  answer: (_, contextModification) => ({ cancel: false, contextModification }),
};

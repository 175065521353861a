import { type Host, objectOf, toolOutcome, toolUse } from "./host.ts";

const TOOLS: Readonly<Record<string, "Bash" | "Edit" | "Write">> = {
  bash: "Bash",
  // OpenCode 2 calls the tool `shell`.
  shell: "Bash",
  edit: "Edit",
  write: "Write",
  patch: "Edit",
};

/** OpenCode, whose hooks are a plugin of ours: it tells each moment by our own name, and adds the answer itself. */
export const OPENCODE: Host = {
  name: "opencode",
  title: "OpenCode",
  events: [
    { event: "session-start", moment: "session-start" },
    { event: "user-prompt", moment: "user-prompt" },
    { event: "post-tool", moment: "post-tool", matcher: Object.keys(TOOLS).join("|") },
    { event: "pre-compact", moment: "pre-compact" },
    { event: "stop", moment: "stop" },
    { event: "session-end", moment: "session-end" },
  ],
  read(value) {
    const { tool_name: name, tool_output, exit } = value;
    if (typeof name !== "string")
      return typeof value.prompt === "string" ? { ...value, prompt: unquoted(value.prompt) } : value;
    const use = toolUse(TOOLS[name], name, objectOf(value.tool_input));
    return { ...value, ...use, ...toolOutcome(tool_output, typeof exit === "number" && exit !== 0) };
  },
  answer: (_, additionalContext) => ({ additionalContext }),
};

/** `opencode run` puts quotes around a prompt of several words, by which it would read as a quotation. */
function unquoted(prompt: string): string {
  const inner = prompt.slice(1, -1).replaceAll('\\"', "");
  const isQuoted = prompt.length > 2 && prompt.startsWith('"') && prompt.endsWith('"') && !inner.includes('"');
  return isQuoted ? prompt.slice(1, -1).replaceAll('\\"', '"') : prompt;
}

import { homedir } from "node:os";
import { join } from "node:path";
import { type Fields, type Host, objectOf, toolOutcome, toolUse } from "./host.ts";

const TOOLS = { run_shell_command: "Bash", replace: "Edit", write_file: "Write" } as const;

/**
 * Gemini CLI. It does not pass the output of `BeforeTool` to the model, and raises `PreCompress` before every request,
 * compressed or not: neither is registered.
 */
export const GEMINI: Host = {
  name: "gemini",
  title: "Gemini CLI",
  events: [
    { event: "SessionStart", moment: "session-start" },
    { event: "BeforeAgent", moment: "user-prompt" },
    { event: "AfterTool", moment: "post-tool", matcher: Object.keys(TOOLS).join("|") },
    { event: "AfterAgent", moment: "stop" },
    { event: "SessionEnd", moment: "session-end" },
  ],
  read(value) {
    const { tool_name: name, tool_response: given } = value;
    const said = typeof value.prompt === "string" ? { prompt: withoutContext(value.prompt) } : {};
    if (typeof name !== "string") return { ...value, ...said, last_assistant_message: value.prompt_response };
    const kind = Object.hasOwn(TOOLS, name) ? TOOLS[name as keyof typeof TOOLS] : undefined;
    return { ...value, ...toolUse(kind, name, objectOf(value.tool_input)), ...outcomeOf(objectOf(given)) };
  },
  answer: (event, additionalContext) => ({ hookSpecificOutput: { hookEventName: event, additionalContext } }),
  transcripts: ({ GEMINI_CLI_HOME }) => join(GEMINI_CLI_HOME || homedir(), ".gemini", "tmp"),
};

function outcomeOf({ llmContent, returnDisplay, error }: Fields): Fields {
  const text = typeof llmContent === "string" ? llmContent : "";
  const shown = typeof returnDisplay === "string" ? returnDisplay : text;
  return toolOutcome(shown, error !== undefined || /^Exit Code: [1-9]/m.test(text.slice(-2000)));
}

const CLOSE = "</hook_context>";

/** Without a terminal Gemini puts the context of `SessionStart` before the first prompt. */
function withoutContext(prompt: string): string {
  const end = prompt.startsWith("<hook_context>") ? prompt.indexOf(CLOSE) : -1;
  return end < 0 ? prompt : prompt.slice(end + CLOSE.length).trim();
}

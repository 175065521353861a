import { type Host, objectOf, toolUse } from "./host.ts";

/** Windsurf: it calls hooks with events of a session and ignores their output, so they record and show nothing. */
export const WINDSURF: Host = {
  name: "windsurf",
  title: "Windsurf",
  events: [
    { event: "pre_user_prompt", moment: "user-prompt" },
    { event: "post_write_code", moment: "post-tool" },
    { event: "post_run_command", moment: "post-tool" },
    { event: "post_cascade_response", moment: "stop" },
  ],
  read({ agent_action_name: event, trajectory_id, tool_info }) {
    const { cwd, user_prompt: prompt, response, command_line: command, file_path } = objectOf(tool_info);
    const common = { session_id: trajectory_id, hook_event_name: event, cwd, prompt, last_assistant_message: response };
    if (event === "post_write_code") return { ...common, ...toolUse("Edit", undefined, { file_path }) };
    return event === "post_run_command" ? { ...common, ...toolUse("Bash", undefined, { command }) } : common;
  },
  answer: () => undefined,
};

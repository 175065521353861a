import type { EventHandler } from "../hook-event.ts";

/** Handlers of hook events, by the word that the installed command ends with. */
export const EVENTS: Readonly<Record<string, () => Promise<EventHandler>>> = {
  "session-start": async () => (await import("./session-start.ts")).sessionStart,
  "subagent-start": async () => (await import("./subagent-start.ts")).subagentStart,
  "user-prompt": async () => (await import("./user-prompt.ts")).userPrompt,
  "pre-tool": async () => (await import("./pre-tool.ts")).preTool,
  "post-tool": async () => (await import("./post-tool.ts")).postTool,
  "pre-compact": async () => (await import("./pre-compact.ts")).preCompact,
  response: async () => (await import("./response.ts")).response,
  stop: async () => (await import("./stop.ts")).stop,
  "session-end": async () => (await import("./session-end.ts")).sessionEnd,
};

/** Names of events in version 1.5, with their present names. */
export const OLD_NAMES: Readonly<Record<string, string>> = {
  sync: "stop",
  precompact: "pre-compact",
  "user-prompt-submit": "user-prompt",
};

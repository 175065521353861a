/** Event of Claude Code for which a hook is installed. */
export interface HookEvent {
  readonly event: string;
  /** Name of the event in the hook program. */
  readonly argument: string;
  /** Tools it is for; empty: all, or an event without tools. */
  readonly matcher: string;
  /** Version from which Claude Code is assumed to know the event: older ones ignore a settings file with an unknown event. */
  readonly since?: readonly [number, number, number];
}

const EDITS = "Edit|MultiEdit|Write|NotebookEdit";

export const HOOK_EVENTS: readonly HookEvent[] = [
  { event: "SessionStart", argument: "session-start", matcher: "" },
  { event: "SubagentStart", argument: "subagent-start", matcher: "", since: [2, 1, 100] },
  { event: "UserPromptSubmit", argument: "user-prompt", matcher: "" },
  { event: "PreToolUse", argument: "pre-tool", matcher: EDITS },
  { event: "PostToolUse", argument: "post-tool", matcher: `Bash|${EDITS}` },
  // PostToolUse does not report failed commands.
  { event: "PostToolUseFailure", argument: "post-tool", matcher: "Bash", since: [2, 1, 100] },
  { event: "PreCompact", argument: "pre-compact", matcher: "" },
  { event: "Stop", argument: "stop", matcher: "" },
  { event: "SessionEnd", argument: "session-end", matcher: "" },
];

/** Time limit in seconds after which Claude Code stops a hook; hooks end long before it. */
export const HOOK_TIMEOUT_S = 5;

/** Whether a version of Claude Code knows an event. If no version was found, a current one is assumed. */
export function isKnownTo(version: string | undefined, { since }: HookEvent): boolean {
  if (!since) return true;
  const numbers = /(?<!\d)(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (!numbers) return true;
  const at = since.findIndex((least, index) => numbers[index] !== least);
  return at === -1 || (numbers[at] ?? 0) > (since[at] ?? 0);
}

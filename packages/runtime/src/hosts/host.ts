import type { Env } from "../env.ts";

/**
 * Moments of a session at which the hook program acts, whatever agent it is called by. Only `session-start`,
 * `subagent-start`, `user-prompt`, `pre-tool` and `post-tool` may answer with context; the others note.
 */
export type Moment =
  | "session-start"
  | "subagent-start"
  | "user-prompt"
  | "pre-tool"
  | "post-tool"
  | "pre-compact"
  | "response"
  | "stop"
  | "session-end";

/** An event of an agent that the hook program acts on. */
export interface HostEvent {
  /** Name of the event in the agent's configuration. */
  readonly event: string;
  readonly moment: Moment;
  /** Tools it is for; all, or an event without tools, where it is absent. */
  readonly matcher?: string;
  /** Seconds after which the agent ends a hook, where it is not the usual five. */
  readonly timeoutS?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

/** An agent with hooks: its events, what they say and how they are answered. */
export interface Host {
  readonly name: string;
  readonly title: string;
  readonly events: readonly HostEvent[];
  /** Another program that runs this agent's hooks, by the form of its events. */
  otherOf?(value: Fields): Host | undefined;
  /** Fields of an event by the names that Claude Code gives them, with its names of tools. */
  read(value: Fields): Fields;
  /** The document that gives context to the agent; undefined where this event cannot. */
  answer(event: string, context: string): object | undefined;
  /** Folder that holds the agent's transcripts; absent where the hooks write down the session themselves. */
  transcripts?(env: Env): string;
  /** File that records a session, where not every event names it. */
  transcriptOf?(session: string, env: Env): string;
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** A tool's use under Claude Code's name and names of arguments; another tool keeps its own. */
export function toolUse(kind: "Bash" | "Edit" | "Write" | undefined, name: unknown, input: Fields): Fields {
  const file = input.file_path ?? input.filePath ?? input.path ?? input.absolute_path;
  if (kind === "Bash") return { tool_name: kind, tool_input: { command: input.command ?? input.cmd } };
  return kind ? { tool_name: kind, tool_input: { file_path: file } } : { tool_name: name, tool_input: input };
}

/** Outcome of a tool: `error` where it failed, as Claude Code tells it. */
export const toolOutcome = (output: unknown, hasFailed: boolean): Fields =>
  hasFailed ? { error: typeof output === "string" && output !== "" ? output : "failed" } : { tool_response: output };

import type { GitState } from "@chest/core/continuity";

/** Questions of hooks, by the route that answers them on a backend. */
export type Question = "prompt" | "pre-edit" | "post-tool" | "session-start";

export interface HookAnswer {
  /** Text for the agent's context; undefined if there is none. */
  readonly context: string | undefined;
  readonly ids: readonly number[];
  /** Whether the first prompt decides if the session continues another one. */
  readonly isPending?: boolean;
  /** Whether the block asks the agent to save something, which it does once a session. */
  readonly isAsked?: boolean;
}

/** End of a session, sent with its unfinished work. */
export interface SessionEnd {
  readonly git?: GitState | undefined;
  /** The host's reason for the end. */
  readonly reason?: string | undefined;
}

/** The memory that hooks use: a backend, or this machine's store. Failures are `ChestError`s. */
export interface HookBackend {
  ask(question: Question, request: Readonly<Record<string, unknown>>): Promise<HookAnswer>;
  /**
   * Sends lines of a session's transcript.
   * @returns index of the first line that was not processed: `fromLine` if no line is usable yet
   */
  take(session: string, lines: readonly string[], fromLine: number): Promise<number>;
  /** Stores a snapshot of the session's work. */
  keep(session: string, occasion: "precompact" | "session-end", left: SessionEnd): Promise<void>;
  close(): Promise<void>;
}

import type { GitState } from "@chest/core";

/** Questions of hooks, by the route that answers them on a backend. */
export type Question = "prompt" | "pre-edit" | "post-tool" | "session-start";

export interface HookAnswer {
  /** A block for the agent's context; undefined when there is nothing to say. */
  readonly context: string | undefined;
  readonly ids: readonly number[];
  /** Whether the first prompt decides if the session continues another one. */
  readonly isPending?: boolean;
  /** Whether the block asks the agent to save something, which it does once a session. */
  readonly isAsked?: boolean;
}

/** End of a session, sent with the work it was at. */
export interface Left {
  readonly git?: GitState | undefined;
  /** The host's word for why it ended. */
  readonly reason?: string | undefined;
}

/** Memory as hooks use it: a backend, or the store of this machine. Failures are `ChestError`s. */
export interface HookBackend {
  ask(question: Question, asked: Readonly<Record<string, unknown>>): Promise<HookAnswer>;
  /**
   * Takes lines of a session's transcript. @returns the index of the first line that is not known there: `fromLine` when
   * none of the lines says anything yet.
   */
  take(session: string, lines: readonly string[], fromLine: number): Promise<number>;
  /** Keeps what a session is at. */
  keep(session: string, occasion: "precompact" | "session-end", left: Left): Promise<void>;
  close(): Promise<void>;
}

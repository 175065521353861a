import type { HookBackend } from "./backend/memory-backend.ts";
import type { Budget } from "./process/deadline.ts";
import type { HookInput } from "./process/hook-input.ts";
import type { Journal } from "./session/session-journal.ts";

/** An event with everything needed to handle it. */
export interface EventContext {
  readonly input: HookInput;
  readonly session: string;
  readonly dataDir: string;
  readonly project: string | undefined;
  /** Folder in which the session began; the agent may have changed folders. */
  readonly folder: string;
  /** Whether the session may be recorded. */
  readonly mayNote: boolean;
  /** Whether a session with this kind of start is shown anything. */
  isShownAt(source: string): boolean;
  readonly budget: Budget;
  readonly journal: Journal;
  readonly memory: Memory;
  /** The agent's own transcript, if it named one. */
  readonly transcript: string | undefined;
  /** Whether the agent reads the output of this event. */
  readonly canSay: boolean;
  /** Adds text to the agent's context. At most once. */
  say(context: string): void;
}

/** The backend or store, opened on demand and closed after the event. */
export interface Memory {
  /** Its name, even if it cannot be opened. */
  readonly name: string;
  /** Whether it is a backend; otherwise the name is the file of the local store. */
  readonly isRemote: boolean;
  /** Undefined if there is no store. Throws `UNAVAILABLE` while the backend is skipped for being slow. */
  open(purpose: "read" | "write", project: string | undefined): Promise<HookBackend | undefined>;
  readonly hasOutbox: boolean;
}

/**
 * Handles an event.
 * @returns the outcome, for the log
 */
export type EventHandler = (eventContext: EventContext) => Promise<string>;

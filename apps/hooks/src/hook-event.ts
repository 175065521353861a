import type { HookBackend } from "./backend/memory-backend.ts";
import type { Budget } from "./process/deadline.ts";
import type { HookInput } from "./process/hook-input.ts";
import type { Journal } from "./session/session-journal.ts";

/** One event, and what there is to act on it with. */
export interface EventContext {
  readonly input: HookInput;
  readonly session: string;
  readonly dataDir: string;
  readonly project: string | undefined;
  /** Folder that the session began in: the agent may be elsewhere at the moment. */
  readonly folder: string;
  /** Whether anything of the session may be noted. */
  readonly mayNote: boolean;
  /** Whether a session that begins in such a way is shown anything. */
  isShownAt(source: string): boolean;
  readonly budget: Budget;
  readonly journal: Journal;
  readonly memory: Memory;
  /** The agent's transcript, where it named one of its own. */
  readonly transcript: string | undefined;
  /** Whether the agent reads what this event says. */
  readonly canSay: boolean;
  /** Gives the agent something to read. Once at most. */
  say(context: string): void;
}

/** The place, opened when it is needed and closed when the event is over. */
export interface Memory {
  /** Name of the place, whether it can be opened or not. */
  readonly name: string;
  /** Whether it is a backend's; otherwise the name is the file of this machine's store. */
  readonly isRemote: boolean;
  /** Undefined while there is no store. Throws `UNAVAILABLE` while the place is not asked for being slow. */
  open(purpose: "read" | "write", project: string | undefined): Promise<HookBackend | undefined>;
  readonly hasOutbox: boolean;
}

/** Acts on an event. @returns what became of it, for the log. */
export type EventHandler = (eventContext: EventContext) => Promise<string>;

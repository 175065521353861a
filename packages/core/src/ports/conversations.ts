import type { Keywords } from "../conversation/keywords.ts";
import type { TurnFacts } from "../conversation/relevance.ts";
import type { Memory } from "../memory/memory.ts";

/** Place of captured conversations: one project, or none. */
export interface TurnQuery {
  /** Undefined: all conversations there. */
  readonly conversationId: string | undefined;
  readonly projectKey: string | undefined;
  /** Most turns to return, newest first. */
  readonly limit: number;
}

export interface ConversationSummary {
  readonly id: string;
  readonly turns: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Sum over all its turns. */
  readonly score: number;
}

/** Conversations that the caller may see; live turns only. */
export interface ConversationReads {
  /** Newest first. */
  turns(query: TurnQuery): Promise<readonly TurnFacts[]>;
  /** Turns of one conversation that contain this exact text, newest first. */
  turnsWith(text: string, query: TurnQuery): Promise<readonly number[]>;
  /** The most used first. */
  list(query: {
    readonly projectKey: string | undefined;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly total: number; readonly conversations: readonly ConversationSummary[] }>;
}

export interface NewTurn {
  readonly conversationId: string;
  readonly keywords: Keywords;
  readonly at: Date;
}

export interface ConversationWrites extends Pick<ConversationReads, "turnsWith"> {
  /** Marks a memory that this transaction added as a turn. */
  mark(memory: Memory, turn: NewTurn): Promise<void>;
}

import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";

export const SPEAKERS = ["user", "assistant", "system"] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** One message of a conversation. */
export interface Message {
  readonly role: Speaker;
  readonly content: string;
}

/** How much the words of each role count. */
export type RoleWeights = Readonly<Record<Speaker, number>>;
export const DEFAULT_ROLE_WEIGHTS: RoleWeights = { user: 2.7, assistant: 2, system: 1 };

/** Names of those who speak, by role. */
export type Participants = Readonly<Partial<Record<string, string>>>;

/** A message as it may be stored: well-formed and without secrets. */
export const cleanMessage = <T extends Message>(message: T): T => ({
  ...message,
  content: redact(wellFormed(message.content)).trim(),
});

/** Messages as the text of one memory, each beginning with its speaker. */
export const textOf = (messages: readonly Message[], participants: Participants = {}): string =>
  messages.map(({ role, content }) => `${participants[role] ?? role}: ${content}`).join("\n");

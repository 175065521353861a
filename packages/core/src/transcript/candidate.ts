import type { Layer } from "../memory/layer.ts";
import type { FileOperation } from "./entry.ts";

/** Rules that find memories in a transcript; the rule is stored as the memory's source. */
export const CAPTURE_RULES = {
  first_intent: { layer: "context", importance: 0.6 },
  automated_task: { layer: "context", importance: 0.3 },
  clarification: { layer: "context", importance: 0.5 },
  file_edit: { layer: "implementation", importance: 0.6 },
  // Nothing that rules find is protected: a person confirms it first.
  realize: { layer: "learning", importance: 0.6 },
  decision: { layer: "learning", importance: 0.6 },
  finding: { layer: "learning", importance: 0.5 },
  fix: { layer: "learning", importance: 0.6 },
  error_recovery: { layer: "context", importance: 0.4 },
  memory_file: { layer: "context", importance: 0.5 },
  // A failed command and its outcome, shown when it fails again in the same way.
  failure: { layer: "context", importance: 0.5 },
  episode: { layer: "context", importance: 0.25 },
  session_summary: { layer: "implementation", importance: 0.4 },
  // Made by maintenance, of a week's side notes.
  digest: { layer: "learning", importance: 0.6 },
  // Made by a language model, if one is configured.
  session_lesson: { layer: "learning", importance: 0.6 },
} as const satisfies Record<string, { readonly layer: Layer; readonly importance: number }>;
export type CaptureRule = keyof typeof CAPTURE_RULES;

/** Rule of the memories that a language model makes of a session that ended. */
export const LESSON_RULE = "session_lesson" satisfies CaptureRule;

/** Source of turns of conversations. An agent stores them by a tool; they are never shown unasked. */
export const TURN_RULE = "turn";
/** Origin of a memory that no agent wrote as such. */
export type SourceRule = CaptureRule | typeof TURN_RULE;

/** Rules for rows that retell a session or a conversation: what was said or run, what failed, and how it began. */
export const RETELLING_RULES: readonly SourceRule[] = [
  "episode",
  "session_summary",
  "automated_task",
  "error_recovery",
  "failure",
  TURN_RULE,
];

/**
 * Rules for rows that are the journal of a session, and no knowledge: what was asked, edited and run in it. Such a row is
 * shown where a session is looked at, and to who asks for the journal; once a member changes it, it is a memory.
 */
export const JOURNAL_RULES: readonly CaptureRule[] = [
  "first_intent",
  "automated_task",
  "clarification",
  "file_edit",
  "error_recovery",
  "failure",
  "episode",
  "session_summary",
  "digest",
];

/** Whether a row that a rule made is of the journal. */
export const isJournalRule = (rule: string | undefined): boolean => JOURNAL_RULES.some((each) => each === rule);

/** Days after which the journal of a session expires, unless a setting says otherwise. */
export const JOURNAL_DAYS = 90;

/** Something in a transcript that is worth a memory. Redacted, and the same for the same lines whenever they are read. */
export interface Candidate {
  readonly rule: CaptureRule;
  /** Key within its session: a turn, a path, an ordinal. */
  readonly key: string;
  readonly text: string;
  readonly at: Date;
  /** The file it is about; absolute, as the agent named it. */
  readonly path?: string | undefined;
}

/** One physical use of a file. Redacted. */
export interface FileTouch {
  readonly turn: string;
  /** Within its turn, from 0. */
  readonly ordinal: number;
  readonly path: string;
  readonly operation: FileOperation;
  /** Request behind a change; undefined for a mere read, and where nothing was asked. */
  readonly intent: string | undefined;
  readonly at: Date;
  /** Key of the `file_edit` candidate that tells why. */
  readonly candidate: string | undefined;
}

/** Found by the rules, in the order of the transcript. */
export interface Extracted {
  readonly candidates: readonly Candidate[];
  readonly touches: readonly FileTouch[];
}

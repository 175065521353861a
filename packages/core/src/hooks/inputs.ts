import { z } from "zod";
import { shownName } from "../access/name-validation.ts";
import { gitState } from "../continuity/git-state.ts";
import { wellFormed } from "../text/characters.ts";
import { isTranscriptSession } from "../transcript/entry.ts";
import { LANGUAGES } from "./language.ts";

export const sessionId = () =>
  shownName(z.string().refine(isTranscriptSession, "is not a session id: 1 to 128 of A-Za-z0-9._:-"));

const text = (most: number) => z.string().max(most).transform(wellFormed);

/** Memories that this session was shown already, and is not shown again. */
const shown = () => z.array(z.int().positive()).max(500).default([]);

/** The language of the last prompt. */
const language = () => z.enum(LANGUAGES).default("en");

export const promptHookInput = z.strictObject({
  session_id: sessionId().optional(),
  prompt: text(8000),
  files: z
    .array(text(1000).pipe(z.string().min(1)))
    .max(20)
    .default([])
    .describe("Files that the session has at hand"),
  shown: shown(),
  /** The first of its session, with something to go on with: see the answer of the session's start. */
  is_first: z.boolean().default(false),
  git: gitState.optional(),
  /** Was the session asked to save something: see `unsaved` of the answer. */
  is_asked: z.boolean().optional(),
});
export type PromptHookInput = z.output<typeof promptHookInput>;

export const fileHookInput = z.strictObject({
  session_id: sessionId().optional(),
  path: text(1000).pipe(z.string().min(1)).describe("As the project knows it"),
  operation: z.enum(["read", "edit"]).default("edit"),
  language: language(),
  shown: shown(),
});
export type FileHookInput = z.output<typeof fileHookInput>;

export const failureHookInput = z.strictObject({
  session_id: sessionId().optional(),
  command: text(500).default(""),
  error: text(4000),
  language: language(),
  shown: shown(),
});
export type FailureHookInput = z.output<typeof failureHookInput>;

export const sessionStartInput = z.strictObject({
  session_id: sessionId(),
  source: z.enum(["startup", "resume", "clear", "compact"]).default("startup"),
  language: language(),
  shown: shown(),
  git: gitState.optional(),
  plans: z.array(text(200)).max(5).default([]).describe("Names of plan and task files"),
});
export type SessionStartInput = z.output<typeof sessionStartInput>;

/** An event as its host tells it: hosts say more of it than is needed here, and more with every release. */
export const sessionInput = z.looseObject({
  session_id: sessionId(),
  reason: z.unknown().optional().describe("`clear` where its context was cleared"),
  git: gitState.optional(),
});
export type SessionInput = z.output<typeof sessionInput>;

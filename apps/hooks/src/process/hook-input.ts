import { isTranscriptSession } from "@chest/core/transcript";
import { readStdin } from "./stdin.ts";

/** Edits contain the whole file twice; parsing more than this exceeds an event's time. */
const MAX_BYTES = 67_108_864;
const LEAST_PATIENCE_MS = 100;
/** Time reserved to record the event for the next one. */
const TO_NOTE_MS = 150;

/** Input of an event. Unknown keys, and keys of the wrong type, are dropped. */
export interface HookInput {
  readonly session: string | undefined;
  /** Id of the subagent; undefined for the main agent. */
  readonly agent: string | undefined;
  readonly event: string | undefined;
  readonly transcript: string | undefined;
  readonly cwd: string;
  readonly source: string | undefined;
  /** Why a session ended. */
  readonly reason: string | undefined;
  readonly prompt: string | undefined;
  /** The agent's words in this event; Claude Code's are read from its transcript. */
  readonly response: string | undefined;
  readonly tool: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly toolResponse: unknown;
  readonly error: string | undefined;
  readonly isInterrupted: boolean;
  readonly isStopActive: boolean;
  /** Whether the input pipe is still open. */
  readonly isOpen: boolean;
}

/**
 * Reads the event from stdin; undefined if it is no JSON object, too long or too slow.
 * @param named renames another agent's fields to those of Claude Code
 */
export async function readInput(leftMs: number, named = AS_IT_IS): Promise<HookInput | undefined> {
  const patienceMs = Math.max(LEAST_PATIENCE_MS, leftMs - TO_NOTE_MS);
  const isWhole = (text: string) => parsed(text) !== undefined;
  const read = await readStdin({ maxBytes: MAX_BYTES, patienceMs, isWhole });
  const value = read && parsed(read.text);
  return value && inputOf(named(value), read.isOpen);
}

const AS_IT_IS = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => value;

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Half of an event, or none: there is nothing to act on.
  }
}

function inputOf(value: Readonly<Record<string, unknown>>, isOpen: boolean): HookInput {
  const session = textOf(value.session_id);
  return {
    session: session !== undefined && isTranscriptSession(session) ? session : undefined,
    agent: textOf(value.agent_id)?.slice(0, 128),
    event: textOf(value.hook_event_name),
    transcript: textOf(value.transcript_path),
    cwd: textOf(value.cwd) ?? process.cwd(),
    source: textOf(value.source),
    reason: textOf(value.reason)?.slice(0, 100),
    prompt: beginningOf(textOf(value.prompt)),
    response: beginningOf(textOf(value.last_assistant_message)),
    tool: textOf(value.tool_name),
    toolInput: isObject(value.tool_input) ? value.tool_input : {},
    toolResponse: value.tool_response,
    error: textOf(value.error),
    isInterrupted: value.is_interrupt === true,
    isStopActive: value.stop_hook_active === true,
    isOpen,
  };
}

const MAX_TEXT = 65_536;

/** The start of a long text, cut at a word, because half a secret is not recognised. */
export const beginningOf = <T extends string | undefined>(text: T): T | string =>
  text === undefined || text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT).replace(/\S*$/, "");

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

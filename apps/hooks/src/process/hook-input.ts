import { isTranscriptSession } from "@chest/core";
import { readStdin } from "./stdin.ts";

const MAX_BYTES = 262_144;
const PATIENCE_MS = 300;

/** Input of an event. Unknown keys, and keys of the wrong type, are dropped. */
export interface HookInput {
  readonly session: string | undefined;
  readonly event: string | undefined;
  readonly transcript: string | undefined;
  readonly cwd: string;
  readonly source: string | undefined;
  /** Why a session ended. */
  readonly reason: string | undefined;
  readonly prompt: string | undefined;
  readonly tool: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>>;
  readonly toolResponse: unknown;
  readonly error: string | undefined;
  readonly isInterrupted: boolean;
  readonly isStopActive: boolean;
}

/** Reads the event from stdin; undefined for what is no object of JSON, too long, or too slow in coming. */
export async function readInput(): Promise<HookInput | undefined> {
  const text = await readStdin(MAX_BYTES, PATIENCE_MS);
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isObject(value) ? inputOf(value) : undefined;
  } catch {
    return undefined; // Half of an event, or none: there is nothing to act on.
  }
}

function inputOf(value: Readonly<Record<string, unknown>>): HookInput {
  const session = textOf(value.session_id);
  return {
    session: session !== undefined && isTranscriptSession(session) ? session : undefined,
    event: textOf(value.hook_event_name),
    transcript: textOf(value.transcript_path),
    cwd: textOf(value.cwd) ?? process.cwd(),
    source: textOf(value.source),
    reason: textOf(value.reason)?.slice(0, 100),
    prompt: textOf(value.prompt),
    tool: textOf(value.tool_name),
    toolInput: isObject(value.tool_input) ? value.tool_input : {},
    toolResponse: value.tool_response,
    error: textOf(value.error),
    isInterrupted: value.is_interrupt === true,
    isStopActive: value.stop_hook_active === true,
  };
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

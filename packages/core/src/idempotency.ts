import { createHash } from "node:crypto";
import { ChestError } from "@chest/contracts";
import type { Caller } from "./access/caller.ts";
import type { Call } from "./executor.ts";
import type { Engine } from "./ports/engine.ts";

/** Idempotency of a write: the facts that identify a repeat. */
export interface Once {
  /** A repeat under the same key returns the first answer. */
  readonly idempotencyKey?: string | undefined;
  /** Request that the key stands for: a tool, or route, with its input. Without it, keys have no effect. */
  readonly request?: { readonly tool: string; readonly input: unknown } | undefined;
  /** Called when the first answer is given again. */
  readonly onReplay?: (() => void) | undefined;
}

/**
 * Runs work that takes more than one transaction. A repeat under the same key gets the first answer, and the work does
 * not run again.
 */
export type RunOnce = <T>(call: Call, work: (call: Call) => Promise<T>) => Promise<T>;

/** Concurrent calls under one key run one after the other. */
export function openOnce(engine: Pick<Engine, "as">): RunOnce {
  const running = new Map<string, Promise<unknown>>();
  return async <T>(call: Call, work: (call: Call) => Promise<T>): Promise<T> => {
    const { idempotencyKey, ...unkeyed } = call;
    if (idempotencyKey === undefined) return work(unkeyed);
    const name = `${call.caller.member.id}\n${idempotencyKey}`;
    for (let other = running.get(name); other; other = running.get(name)) await other.catch(() => undefined);
    const turn = answered(engine.as(call), () => work(unkeyed));
    running.set(name, turn);
    try {
      return await turn;
    } finally {
      running.delete(name);
    }
  };
}

const answered = <T>(store: ReturnType<Engine["as"]>, work: () => Promise<T>): Promise<T> =>
  store.once(async () => {
    const done = await work();
    // The answer is stored after the work, so a repeat continues interrupted work.
    return store.write(async () => done);
  });

type ToolRequest = NonNullable<Once["request"]>;

/** A fingerprint of a call: the same tool in the same project with the same input, in any order of its keys. */
export const requestHash = ({ tool, input }: ToolRequest, { project, isProjectRemembered }: Where): string =>
  sha256(JSON.stringify([tool, isProjectRemembered ? null : (project ?? null), ordered(input)]));

// A project that the session remembers is no part of a request: the first attempt came before it was remembered.
type Where = Pick<Caller, "project" | "isProjectRemembered">;

/** Whether a request has this kept fingerprint. Those of 0.1.0 name no project. */
export const isSameRequest = (kept: string, request: ToolRequest, caller: Where): boolean =>
  kept === requestHash(request, caller) ||
  kept === sha256(`${request.tool}\n${JSON.stringify(ordered(request.input))}`);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, ordered(part)]),
  );
}

export function idempotencyMismatch(): ChestError {
  return new ChestError("IDEMPOTENCY_MISMATCH", "this Idempotency-Key was used for another request", {
    hint: "make a new key for every intended write",
  });
}

/** Refuses a repeat whose first answer is about something now closed to the caller, or to this token of the member. */
export function closedAnswer(): ChestError {
  return new ChestError("NOT_FOUND", "what was done under this Idempotency-Key is not among what you may open", {
    hint: "ask an admin to open its project to you, or use the token that it was done with",
  });
}

/** Refuses a repeat whose first answer held a value that is shown once and stored nowhere. */
export function alreadyDone(what: string, { hint, id }: { readonly hint: string; readonly id: number }): ChestError {
  return new ChestError("ALREADY_DONE", `${what} ${id} was made by this request before, and is shown once`, {
    hint,
    details: { id },
  });
}

import type { Call } from "../executor.ts";
import type { Engine } from "../ports/engine.ts";

/** Calls of one client that are so far apart belong to two sessions. */
export const SESSION_PAUSE_MS = 30 * 60_000;

/**
 * The call in the project that its session named at an earlier write, where the call itself names none. An inferred
 * session remembers nothing: two agents of one member may share it, each at work in a project of its own.
 */
export async function inSessionProject(call: Call, engine: Pick<Engine, "as">): Promise<Call> {
  const { caller } = call;
  const { session } = caller.client;
  if (caller.project !== undefined || session === undefined) return call;
  const project = await engine.as(call).sessions.project(session);
  return project === undefined ? call : { ...call, caller: { ...caller, project, isProjectRemembered: true } };
}

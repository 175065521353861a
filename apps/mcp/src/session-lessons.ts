import { localCaller } from "@chest/core/access";
import type { HostPorts } from "@chest/core/executor";
import type { Engine } from "@chest/core/ports";
import { learnFromSession } from "@chest/core/wording";
import type { Log } from "./log.ts";

/** Work of a language model on sessions that ended, beside the agent. */
export interface SessionLessons {
  start(): void;
  stop(): Promise<void>;
}

/** Sessions that are looked at after a start, the newest first. */
const MOST_SESSIONS = 3;

/**
 * Asks the model what the last sessions taught, once each, after this program has started: a session that ends takes
 * its client with it, so the next one's does it. Idle without a configured model.
 */
export function openSessionLessons(
  engine: Pick<Engine, "as">,
  { llm, clock, hasReview, embedSoon }: Pick<HostPorts, "llm" | "clock" | "hasReview" | "embedSoon">,
  log: Pick<Log, "warn">,
): SessionLessons {
  const closing = new AbortController();
  let work = Promise.resolve();
  const storeOf = (project: string | undefined) => {
    const caller = localCaller(project, { name: "chest-memory", version: "1" });
    return { caller, store: engine.as({ caller, requestId: "session-lessons", signal: closing.signal }) };
  };

  async function learn(): Promise<void> {
    if (!llm) return;
    const { sessions } = storeOf(undefined).store;
    for (const { session } of await sessions.handoffs(MOST_SESSIONS)) {
      if (closing.signal.aborted) return;
      const { caller, store } = storeOf(await sessions.project(session));
      await learnFromSession(session, { store, llm, clock, hasReview, embedSoon }, caller, closing.signal);
    }
  }

  return {
    start() {
      work = learn().catch((error: unknown) => {
        // Sessions that were not summarised are summarised after the next start.
        log.warn({ err: error instanceof Error ? error.name : "unknown" }, "nothing was learned of the last sessions");
      });
    },
    async stop() {
      closing.abort();
      await work;
    },
  };
}

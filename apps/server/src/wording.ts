import { localCaller, MAINTENANCE } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import type { AnsweredCall } from "@chest/core/pipeline";
import type { Clock, EmbedSoon, Engine, Llm, Store } from "@chest/core/ports";
import { judgeConflicts, learnFromSession, wordSession, wordSummaries } from "@chest/core/wording";
import type { Logger } from "@chest/runtime/logger";

/** Lets a language model rewrite texts that rules made, in the background. */
export interface Wording {
  /** Examines the contradictions that an answer reports. */
  after(done: Pick<AnsweredCall, "answer" | "call">): void;
  /** Called when a session is over and adds nothing more for now. */
  sessionEnded(call: Call, session: string): void;
  /** Called when a session begins; catches up on the member's last sessions that no model has examined. */
  sessionStarted(call: Call): void;
  /** Called when maintenance has made these summaries. */
  summarised(ids: readonly number[]): void;
  /** Resolves when all accepted jobs are done. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Most waiting jobs; the texts of further ones keep the words of their rule. */
const MOST_WAITING = 50;

/** Most earlier sessions of a member that are examined when its next one begins. */
const MOST_MADE_UP_FOR = 3;

// Reads what the team shares only: private memories are not sent to a model unasked.
const MAINTENANCE_CALLER = {
  ...localCaller(undefined, { name: "chest-maintenance", version: "1" }),
  member: MAINTENANCE,
};

/** Opens the pass that rewrites texts with a language model; it is idle without a configured model. */
export function openWording(
  {
    engine,
    llm,
    clock,
    hasReview,
    embedSoon,
  }: {
    readonly engine: Pick<Engine, "as">;
    readonly llm: Llm | undefined;
    readonly clock: Clock;
    readonly hasReview?: boolean | undefined;
    readonly embedSoon?: EmbedSoon | undefined;
  },
  log: Pick<Logger, "warn">,
): Wording {
  const closing = new AbortController();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  /** Runs one job after another, each as its caller and with that caller's rights. */
  function later(call: Call, job: (store: Store, llm: Llm) => Promise<unknown>): void {
    if (!llm || waiting >= MOST_WAITING || closing.signal.aborted) return;
    waiting += 1;
    const { idempotencyKey: _, ...own } = call;
    last = last.then(async () => {
      try {
        if (!closing.signal.aborted) await job(engine.as({ ...own, signal: closing.signal }), llm);
      } catch (error) {
        // The words of the rule are stored already, and stay.
        log.warn({ err: error instanceof Error ? error.name : "unknown" }, "nothing was worded");
      } finally {
        waiting -= 1;
      }
    });
  }

  const learn =
    (session: string, { caller }: Call) =>
    (store: Store, model: Llm) =>
      learnFromSession(session, { store, llm: model, clock, hasReview, embedSoon }, caller, closing.signal);

  return {
    after({ answer, call: { request: _, ...call } }) {
      const pairs = pairsIn(answer);
      if (pairs.length > 0) later(call, (store, model) => judgeConflicts(pairs, store, model, closing.signal));
    },
    sessionEnded(call, session) {
      // Runs first, while the session's rows still have the words in which they were captured.
      later(call, learn(session, call));
      later(call, (store, model) => wordSession(session, store, model, closing.signal));
    },
    sessionStarted(call) {
      later(call, async (store, model) => {
        const left = await store.sessions.handoffs(MOST_MADE_UP_FOR);
        // Lessons belong to the project of their session, so sessions of other projects wait until the caller works
        // there.
        for (const { session } of left)
          if ((await store.sessions.project(session)) === call.caller.project) await learn(session, call)(store, model);
      });
    },
    summarised(ids) {
      const call = { caller: MAINTENANCE_CALLER, requestId: "maintenance", signal: closing.signal };
      later(call, (store, model) => wordSummaries(ids, store, model, closing.signal));
    },
    idle: () => last,
    async close() {
      closing.abort();
      await last;
    },
  };
}

/** Collects the pairs that a save reports as contradictory, the new memory first. */
function pairsIn({ memory_id: id, contradicts }: Record<string, unknown>): (readonly [number, number])[] {
  if (typeof id !== "number" || !Array.isArray(contradicts)) return [];
  return contradicts.flatMap((each) => (typeof each?.id === "number" ? [[id, each.id] as const] : []));
}

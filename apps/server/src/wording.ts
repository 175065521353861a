import {
  type Call,
  type Clock,
  type EmbedSoon,
  type Engine,
  judgeConflicts,
  type Llm,
  learnFromSession,
  localCaller,
  MAINTENANCE,
  type Store,
  type Wrap,
  wordSession,
  wordSummaries,
} from "@chest/core";
import type { Logger } from "@chest/runtime/logger";

/** Lets a language model improve what rules wrote, in the background. */
export interface Wording {
  /** Looks at contradictions that an answer tells of. */
  readonly wrap: Wrap;
  /** A session is over, and will say nothing more for now. */
  sessionEnded(call: Call, session: string): void;
  /** A session begins: what its member's last ones were not asked for is made up for. */
  sessionStarted(call: Call): void;
  /** Maintenance has made these summaries. */
  summarised(ids: readonly number[]): void;
  /** Resolves when everything that was taken on is done. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Jobs that wait: what comes on top stays in the words of its rule. */
const MOST_WAITING = 50;

/** Sessions of one member that are looked at when the next one begins. */
const MOST_MADE_UP_FOR = 3;

// Opens what the team shares: what is one member's own is sent to no model unasked.
const UPKEEP = { ...localCaller(undefined, { name: "chest-maintenance", version: "1" }), member: MAINTENANCE };

/** Opens the pass that words memories by a model; it is idle without a configured model. */
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

  /** One job after another, as its caller and with its rights. */
  function later(call: Call, job: (store: Store, llm: Llm) => Promise<unknown>): void {
    if (!llm || waiting >= MOST_WAITING || closing.signal.aborted) return;
    waiting += 1;
    const { idempotencyKey: _, ...own } = call;
    last = last.then(async () => {
      try {
        if (!closing.signal.aborted) await job(engine.as({ ...own, signal: closing.signal }), llm);
      } catch (error) {
        // The rule's words are stored and stay.
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
    wrap: (next) => ({
      async execute(name, input, call) {
        const answer = await next.execute(name, input, call);
        const pairs = pairsIn(answer);
        if (pairs.length > 0) later(call, (store, model) => judgeConflicts(pairs, store, model, closing.signal));
        return answer;
      },
    }),
    sessionEnded(call, session) {
      // First, since the rows of the session are then still in the words that they were captured in.
      later(call, learn(session, call));
      later(call, (store, model) => wordSession(session, store, model, closing.signal));
    },
    sessionStarted(call) {
      later(call, async (store, model) => {
        const left = await store.sessions.handoffs(MOST_MADE_UP_FOR);
        // What it says belongs to its own project, in which this caller may not be now.
        for (const { session } of left)
          if ((await store.sessions.project(session)) === call.caller.project) await learn(session, call)(store, model);
      });
    },
    summarised(ids) {
      const call = { caller: UPKEEP, requestId: "maintenance", signal: closing.signal };
      later(call, (store, model) => wordSummaries(ids, store, model, closing.signal));
    },
    idle: () => last,
    async close() {
      closing.abort();
      await last;
    },
  };
}

/** Pairs that an answer of a save says contradict each other, the new one first. */
function pairsIn({ memory_id: id, contradicts }: Record<string, unknown>): (readonly [number, number])[] {
  if (typeof id !== "number" || !Array.isArray(contradicts)) return [];
  return contradicts.flatMap((each) => (typeof each?.id === "number" ? [[id, each.id] as const] : []));
}

import {
  type Call,
  type Engine,
  judgeConflicts,
  type Llm,
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
  /** Maintenance has made these summaries. */
  summarised(ids: readonly number[]): void;
  /** Resolves when everything that was taken on is done. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Jobs that wait: what comes on top stays in the words of its rule. */
const MOST_WAITING = 50;

// Opens what the team shares: what is one member's own is sent to no model unasked.
const UPKEEP = { ...localCaller(undefined, { name: "chest-maintenance", version: "1" }), member: MAINTENANCE };

/** Opens the pass that words memories by a model; it is idle without a configured model. */
export function openWording(
  { engine, llm }: { readonly engine: Pick<Engine, "as">; readonly llm: Llm | undefined },
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

  return {
    wrap: (next) => ({
      async execute(name, input, call) {
        const answer = await next.execute(name, input, call);
        const pairs = pairsIn(answer);
        if (pairs.length > 0) later(call, (store, model) => judgeConflicts(pairs, store, model, closing.signal));
        return answer;
      },
    }),
    sessionEnded: (call, session) => later(call, (store, model) => wordSession(session, store, model, closing.signal)),
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

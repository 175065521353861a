import { ChestError } from "@chest/contracts";
import type { FastifyInstance } from "fastify";
import { requesterOf } from "./rate-limit.ts";

/**
 * Longest time that a request holds its turn; a longer request waits for something other than the processor, such as a
 * language model.
 */
const MOST_HELD_MS = 500;
/** Longest time for which a request that waited lets others finish before it begins. */
const MOST_YIELDED_MS = 250;
/** Time after its last request for which a member counts as active. */
const RECENT_MS = 10 * 60_000;
const MOST_WAITING = 256;
const RETRY_AFTER_MS = 2000;

/**
 * Keeps one member's requests from filling the backend while others are active: it works on one request per member at a
 * time, and that member's other requests wait. A request that waited begins after the running requests of members who
 * have none waiting. A single active member is not limited. `npm run bench -- beside-worst` measures how long others wait
 * beside a member that sends the longest allowed texts, sixteen at a time.
 */
export function addTurns(app: FastifyInstance): void {
  const turns = new Turns();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const end = await turns.begin(requesterOf(request));
      try {
        // The client disconnected while the request waited, or was answered with a timeout.
        if (reply.sent || reply.raw.destroyed) return reply.hijack();
        return await handler.call(this, request, reply);
      } finally {
        end();
      }
    };
  });
}

interface Member {
  /** Number of requests that hold the member's turn; several when they began while no other member was active. */
  running: number;
  /** Ends of the requests that have begun. */
  readonly ends: Set<Promise<void>>;
  readonly waiting: (() => void)[];
}

/** Running and waiting requests of each member. */
class Turns {
  readonly #members = new Map<string, Member>();
  /** Member of the latest request, and the latest member other than that one. */
  #last = { name: "", at: Number.NEGATIVE_INFINITY };
  #lastOther = { name: "", at: Number.NEGATIVE_INFINITY };

  /**
   * Waits until a request may run.
   * @returns a function that ends its turn.
   * @throws a refusal when too many of the member's requests wait.
   */
  async begin(name: string): Promise<() => void> {
    this.#note(name);
    const member = this.#members.get(name) ?? { running: 0, ends: new Set(), waiting: [] };
    this.#members.set(name, member);
    if (member.waiting.length >= MOST_WAITING) throw tooMany();
    if (member.running > 0 && this.#hasOthers()) {
      await new Promise<void>((resolve) => {
        member.waiting.push(resolve);
      });
    } else {
      member.running += 1;
    }
    return this.#start(name, member);
  }

  #start(name: string, member: Member): () => void {
    let note = () => {};
    const ended = new Promise<void>((resolve) => {
      note = resolve;
    });
    member.ends.add(ended);
    const end = () => {
      if (!member.ends.delete(ended)) return;
      clearTimeout(held);
      note();
      void this.#next(name, member);
    };
    const held = setTimeout(end, MOST_HELD_MS).unref();
    return end;
  }

  /**
   * Passes a free turn to the member's next request, but lets the running requests of members without waiting ones go
   * first.
   */
  async #next(name: string, member: Member): Promise<void> {
    const next = member.waiting.shift();
    if (next) {
      await allWithin(this.#endsOfOthers(member), MOST_YIELDED_MS);
      next();
      return;
    }
    member.running -= 1;
    if (member.running === 0) this.#members.delete(name);
  }

  #endsOfOthers(member: Member): Promise<void>[] {
    const others = [...this.#members.values()].filter((other) => other !== member && other.waiting.length === 0);
    return others.flatMap(({ ends }) => [...ends]);
  }

  #note(name: string): void {
    if (this.#last.name !== name) this.#lastOther = this.#last;
    this.#last = { name, at: performance.now() };
  }

  #hasOthers(): boolean {
    return performance.now() - this.#lastOther.at < RECENT_MS;
  }
}

/** Waits for all promises, at most so long. */
async function allWithin(promises: readonly Promise<void>[], mostMs: number): Promise<void> {
  if (promises.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs);
  });
  await Promise.race([Promise.all(promises), late]);
  clearTimeout(timer);
}

const tooMany = (): ChestError =>
  new ChestError("RATE_LIMITED", `${MOST_WAITING} requests of yours wait already: the most that one member may have`, {
    hint: "wait as long as `retry_after_ms` says, and send fewer at the same time",
    details: { limit: MOST_WAITING, retry_after_ms: RETRY_AFTER_MS },
  });

import { ChestError } from "@chest/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** A request that takes longer waits for something other than this backend's processor, such as a language model. */
const MOST_HELD_MS = 500;
/** Time after a request for which its member counts as one who asks. */
const RECENT_MS = 10 * 60_000;
const MOST_WAITING = 256;
const RETRY_AFTER_MS = 2000;

/**
 * Lets no member's requests fill the backend while others ask: one of each is worked on at a time, and the others of that member
 * wait. A member who is alone is not held up. How long others wait beside one who sends sixteen at a time the longest texts
 * that he may: `npm run bench -- beside-worst`.
 */
export function addTurns(app: FastifyInstance): void {
  const turns = new Turns();
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const end = await turns.begin(holderOf(request));
      try {
        // Its client left, or was told that it is late.
        if (reply.sent || reply.raw.destroyed) return reply.hijack();
        return await handler.call(this, request, reply);
      } finally {
        end();
      }
    };
  });
}

/** A token that many hold is no member's: its address tells them apart. */
const holderOf = ({ caller, ip }: FastifyRequest): string => (caller?.member ? `member ${caller.member.id}` : ip);

interface Member {
  /** Those that hold the member's turn; more than one where they began while nobody else asked. */
  running: number;
  readonly waiting: (() => void)[];
}

/** The requests of each member that are worked on and that wait. */
class Turns {
  readonly #members = new Map<string, Member>();
  /** The member who asked last, and the last one before who was another. */
  #last = { name: "", at: Number.NEGATIVE_INFINITY };
  #lastOther = { name: "", at: Number.NEGATIVE_INFINITY };

  /**
   * Waits until a request may be worked on.
   * @returns what ends its turn, once.
   * @throws a refusal where too many of the member's requests wait.
   */
  async begin(name: string): Promise<() => void> {
    this.#note(name);
    const member = this.#members.get(name) ?? { running: 0, waiting: [] };
    this.#members.set(name, member);
    if (member.waiting.length >= MOST_WAITING) throw tooMany();
    if (member.running > 0 && this.#hasOthers()) {
      await new Promise<void>((resolve) => {
        member.waiting.push(resolve);
      });
    } else {
      member.running += 1;
    }
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(held);
      this.#next(name, member);
    };
    const held = setTimeout(end, MOST_HELD_MS).unref();
    return end;
  }

  /** Gives a turn that has ended to the member's next request. */
  #next(name: string, member: Member): void {
    const next = member.waiting.shift();
    if (next) {
      next();
      return;
    }
    member.running -= 1;
    if (member.running === 0) this.#members.delete(name);
  }

  #note(name: string): void {
    if (this.#last.name !== name) this.#lastOther = this.#last;
    this.#last = { name, at: performance.now() };
  }

  #hasOthers(): boolean {
    return performance.now() - this.#lastOther.at < RECENT_MS;
  }
}

const tooMany = (): ChestError =>
  new ChestError("RATE_LIMITED", `${MOST_WAITING} requests of yours wait already: the most that one member may have`, {
    hint: "wait as long as `retry_after_ms` says, and send fewer at the same time",
    details: { limit: MOST_WAITING, retry_after_ms: RETRY_AFTER_MS },
  });

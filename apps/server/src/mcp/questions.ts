import { randomUUID } from "node:crypto";
import { ChestError, type Scope } from "@chest/contracts";
import { type Caller, lacksScope } from "@chest/core";
import type { JSONRPCResponse } from "@modelcontextprotocol/sdk/types.js";

type Asking = Pick<Caller, "member" | "token" | "scopes">;

/**
 * Questions to clients that wait for an answer. An answer comes in a request of its own, and no session tells whose
 * it is.
 */
export interface Questions {
  /**
   * Gives the id to ask under: nobody guesses it, and no other member's answer counts.
   * @param scope of the call that asks.
   */
  ask(asking: Asking, scope: Scope, answered: (answer: JSONRPCResponse) => void): string;
  /**
   * Passes an answer on; one that nobody waits for is ignored.
   * @throws `FORBIDDEN` for a token of that member which could not make the call itself: the question goes on waiting.
   */
  answer(answering: Asking, answer: JSONRPCResponse): void;
  withdraw(ids: Iterable<string>): void;
}

interface OpenQuestion {
  readonly asking: Asking;
  readonly scope: Scope;
  answered(answer: JSONRPCResponse): void;
}

export function openQuestions(): Questions {
  const waiting = new Map<unknown, OpenQuestion>();
  return {
    ask(asking, scope, answered) {
      const id = randomUUID();
      waiting.set(id, { asking, scope, answered });
      return id;
    },
    answer(answering, answer) {
      const question = waiting.get(answer.id);
      if (question?.asking.member.id !== answering.member.id) return;
      if (!answering.scopes.has(question.scope)) throw lacksScope(question.scope);
      if (!opensAsMuch(answering, question.asking)) throw tooNarrow();
      waiting.delete(answer.id);
      question.answered(answer);
    },
    withdraw(ids) {
      for (const id of ids) waiting.delete(id);
    },
  };
}

/** Does a token open every project that another one of its member opens. */
function opensAsMuch({ token: answering }: Asking, { token: asking }: Asking): boolean {
  if (answering?.projectIds === undefined) return true;
  return asking?.projectIds?.every((id) => answering.projectIds?.includes(id)) ?? false;
}

const tooNarrow = () =>
  new ChestError("FORBIDDEN", "this token opens fewer projects than the one that asks", {
    hint: "answer with the token that made the call",
  });

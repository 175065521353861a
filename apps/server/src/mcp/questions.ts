import { randomUUID } from "node:crypto";
import type { Member } from "@chest/core";
import type { JSONRPCResponse } from "@modelcontextprotocol/sdk/types.js";

/**
 * Questions to clients that wait for an answer. An answer comes in a request of its own, and no session tells whose
 * it is.
 */
export interface Questions {
  /** Gives the id to ask under: nobody guesses it, and no other member's answer counts. */
  ask(member: Member, answered: (answer: JSONRPCResponse) => void): string;
  /** Passes an answer on; one that no call waits for is ignored. */
  answer(member: Member, answer: JSONRPCResponse): void;
  withdraw(ids: Iterable<string>): void;
}

export function openQuestions(): Questions {
  const waiting = new Map<unknown, { readonly memberId: number; answered(answer: JSONRPCResponse): void }>();
  return {
    ask(member, answered) {
      const id = randomUUID();
      waiting.set(id, { memberId: member.id, answered });
      return id;
    },
    answer(member, answer) {
      const question = waiting.get(answer.id);
      if (question?.memberId !== member.id) return;
      waiting.delete(answer.id);
      question.answered(answer);
    },
    withdraw(ids) {
      for (const id of ids) waiting.delete(id);
    },
  };
}

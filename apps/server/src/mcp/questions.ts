import { randomUUID } from "node:crypto";
import { ChestError, type Scope } from "@chest/contracts";
import { type Caller, lacksScope, parsedJson, type Signals } from "@chest/core";
import type { JSONRPCResponse } from "@modelcontextprotocol/sdk/types.js";

type Asking = Pick<Caller, "member" | "token" | "scopes">;

/**
 * Questions to clients that wait for an answer. An answer comes in a request of its own, and no session tells whose
 * it is.
 */
export interface Questions {
  /**
   * Returns an unguessable id for the question; only an answer of the same member counts.
   * @param scope of the call that asks.
   */
  ask(asking: Asking, scope: Scope, answered: (answer: JSONRPCResponse) => void): string;
  /**
   * Passes an answer on, to another process where none here waits for it; an answer without a question is ignored.
   * @throws `FORBIDDEN` for a token of that member which could not make the call itself: the question goes on waiting.
   */
  answer(answering: Asking, answer: JSONRPCResponse): Promise<void>;
  withdraw(ids: Iterable<string>): void;
}

interface OpenQuestion {
  readonly asking: Asking;
  readonly scope: Scope;
  answered(answer: JSONRPCResponse): void;
}

/** @param signals by which an answer reaches the process that asked, where several share a store. */
export function openQuestions(signals?: Signals): Questions {
  const waiting = new Map<unknown, OpenQuestion>();

  function take(answering: Asking, answer: JSONRPCResponse): "taken" | "unknown" {
    const question = waiting.get(answer.id);
    if (!question) return "unknown";
    if (question.asking.member.id !== answering.member.id) return "taken";
    if (!answering.scopes.has(question.scope)) throw lacksScope(question.scope);
    if (!opensAsMuch(answering, question.asking)) throw tooNarrow();
    waiting.delete(answer.id);
    question.answered(answer);
    return "taken";
  }

  signals?.hear((text) => {
    const passed = passedOn(text);
    if (!passed) return;
    try {
      take({ ...passed.answering, scopes: new Set(passed.answering.scopes) }, passed.answer);
    } catch {
      // The client may not answer: the question stays open, and there is no other client to ask.
    }
  });

  return {
    ask(asking, scope, answered) {
      const id = randomUUID();
      waiting.set(id, { asking, scope, answered });
      return id;
    },
    async answer(answering, answer) {
      if (take(answering, answer) === "taken" || !signals) return;
      const { member, token, scopes } = answering;
      const passed: PassedOn = { kind: KIND, answering: { member, token, scopes: [...scopes] }, answer };
      await signals.send(JSON.stringify(passed));
    },
    withdraw(ids) {
      for (const id of ids) waiting.delete(id);
    },
  };
}

const KIND = "mcp answer";

/** An answer that came to another process than the one that asked. */
interface PassedOn {
  readonly kind: typeof KIND;
  readonly answering: Omit<Asking, "scopes"> & { readonly scopes: readonly Scope[] };
  readonly answer: JSONRPCResponse;
}

function passedOn(text: string): PassedOn | undefined {
  const passed = parsedJson(text) as Partial<PassedOn> | undefined;
  return passed?.kind === KIND ? (passed as PassedOn) : undefined;
}

/** Whether a token opens every project that another token of the same member opens. */
function opensAsMuch({ token: answering }: Asking, { token: asking }: Asking): boolean {
  if (answering?.projectIds === undefined) return true;
  return asking?.projectIds?.every((id) => answering.projectIds?.includes(id)) ?? false;
}

const tooNarrow = () =>
  new ChestError("FORBIDDEN", "this token opens fewer projects than the one that asks", {
    hint: "answer with the token that made the call",
  });

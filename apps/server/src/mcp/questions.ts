import { randomUUID } from "node:crypto";
import { ChestError, type Scope } from "@chest/contracts";
import { type Caller, lacksScope } from "@chest/core/access";
import type { Signals } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import type { JSONRPCResponse } from "@modelcontextprotocol/sdk/types.js";

type AskingCaller = Pick<Caller, "member" | "token" | "scopes">;

/**
 * Questions to clients that wait for an answer. Each answer comes in a separate request, and no session ties it to the
 * question.
 */
export interface Questions {
  /**
   * Registers a question and returns an unguessable id for it. Only an answer by the same member counts.
   * @param scope of the call that asks.
   */
  ask(asking: AskingCaller, scope: Scope, answered: (answer: JSONRPCResponse) => void): string;
  /**
   * Passes an answer to the call that asked, in another process if need be. An answer without a question is ignored.
   * @throws `FORBIDDEN` for a token of the member that could not make the call itself; the question goes on waiting.
   */
  answer(answering: AskingCaller, answer: JSONRPCResponse): Promise<void>;
  withdraw(ids: Iterable<string>): void;
}

interface OpenQuestion {
  readonly asking: AskingCaller;
  readonly scope: Scope;
  answered(answer: JSONRPCResponse): void;
}

/** @param signals pass an answer to the process that asked, where several processes share a store. */
export function openQuestions(signals?: Signals): Questions {
  const waiting = new Map<unknown, OpenQuestion>();

  function take(answering: AskingCaller, answer: JSONRPCResponse): "taken" | "unknown" {
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
      // The answering token lacks the rights of the call. The question stays open; this process has no client to report
      // to.
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

/** An answer that reached another process than the one that asked. */
interface PassedOn {
  readonly kind: typeof KIND;
  readonly answering: Omit<AskingCaller, "scopes"> & { readonly scopes: readonly Scope[] };
  readonly answer: JSONRPCResponse;
}

function passedOn(text: string): PassedOn | undefined {
  const passed = parsedJson(text) as Partial<PassedOn> | undefined;
  return passed?.kind === KIND ? (passed as PassedOn) : undefined;
}

/** Tells whether a token opens every project that another token of the same member opens. */
function opensAsMuch({ token: answering }: AskingCaller, { token: asking }: AskingCaller): boolean {
  if (answering?.projectIds === undefined) return true;
  return asking?.projectIds?.every((id) => answering.projectIds?.includes(id)) ?? false;
}

const tooNarrow = () =>
  new ChestError("FORBIDDEN", "this token opens fewer projects than the one that asks", {
    hint: "answer with the token that made the call",
  });

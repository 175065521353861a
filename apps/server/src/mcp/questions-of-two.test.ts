import type { Signals } from "@chest/core/ports";
import { aCaller } from "@chest/testing";
import { expect, it } from "vitest";
import { openQuestions } from "./questions.ts";

/** Opens the questions of two processes that receive each other's signals. */
function openTwo() {
  const listeners: ((text: string) => void)[] = [];
  const signals: Signals = {
    async send(text) {
      for (const listener of listeners) listener(text);
    },
    hear(listener) {
      listeners.push(listener);
      return () => undefined;
    },
  };
  return [openQuestions(signals), openQuestions(signals)] as const;
}

const YES = { jsonrpc: "2.0", result: { action: "accept" } } as const;
const ALICE = aCaller({ member: { id: 11, name: "alice" } });

it("an answer that reaches another process is passed to the one that asked", async () => {
  const [asking, other] = openTwo();
  const answers: unknown[] = [];
  const id = asking.ask(ALICE, "write", (answer) => answers.push(answer));
  await other.answer(ALICE, { ...YES, id });
  expect(answers).toEqual([{ ...YES, id }]);
});

it("an answer of another member, or of a token with fewer rights, is passed to no process", async () => {
  const [asking, other] = openTwo();
  const answers: unknown[] = [];
  const id = asking.ask(ALICE, "write", (answer) => answers.push(answer));
  await other.answer(aCaller({ member: { id: 12, name: "bob" } }), { ...YES, id });
  await other.answer({ ...ALICE, scopes: new Set(["read"]) }, { ...YES, id });
  expect(answers).toEqual([]);
});

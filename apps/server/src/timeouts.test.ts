import { TIME_LIMITS } from "@chest/contracts";
import { expect, it } from "vitest";
import { TIMEOUTS } from "./timeouts.ts";

it("each limit is longer than what it contains", () => {
  const { identityProvider, model, answer, longAnswer, proxy, longProxy, call, longCall } = TIME_LIMITS;
  const chains = [
    [4 * identityProvider, answer, proxy, call],
    [2 * model, answer],
    [longAnswer, longProxy, longCall],
  ];
  for (const chain of chains) expect(chain).toEqual(chain.toSorted((a, b) => a - b));
  expect(TIMEOUTS.answerMs).toBeLessThan(proxy - TIMEOUTS.checkMs);
  expect(TIMEOUTS.longAnswerMs).toBeLessThan(longProxy - TIMEOUTS.checkMs);
  expect(TIMEOUTS.keepAliveMs).toBeGreaterThan(proxy);
});

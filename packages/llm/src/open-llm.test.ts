import { fixedClock, type LlmStandIn, openLlmStandIn } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LlmOptions, openLlm, type ProviderSpec } from "./open-llm.ts";

let server: LlmStandIn;
beforeEach(async () => {
  server = await openLlmStandIn();
});
afterEach(() => server.close());

const REQUEST = { system: "Answer in one word.", prompt: "a private question", maxTokens: 50 };
const KEY = ["sk", "test", "0123456789abcdef"].join("-");

function open(over: Partial<LlmOptions> = {}, spec: Partial<ProviderSpec> = {}) {
  const clock = fixedClock();
  const log = { warn: vi.fn() };
  const outcomes: string[] = [];
  const llm = openLlm(
    { provider: "openai", url: server.url, model: "stand-in", apiKey: KEY, ...spec },
    { dailyTokens: 100_000, clock, log, onRequest: (outcome) => void outcomes.push(outcome), ...over },
  );
  const write = () => llm.write(REQUEST, new AbortController().signal);
  return { llm, clock, log, outcomes, write };
}

describe("a language model", () => {
  it.each([
    ["openai", "/v1/chat/completions", "authorization", `Bearer ${KEY}`],
    ["anthropic", "/v1/messages", "x-api-key", KEY],
  ] as const)(
    "of the provider %s is sent the instructions and the data apart, and gives its text",
    async (provider, path, header, value) => {
      server.reply = () => "  written  ";
      const { write, llm, outcomes } = open({}, { provider });
      expect(await write()).toEqual({ text: "written" });
      const [asked] = server.asked;
      expect(asked).toMatchObject({ path, headers: { [header]: value }, body: { model: "stand-in", temperature: 0 } });
      const users = asked?.body.messages.filter(({ role }) => role === "user");
      expect(JSON.stringify(users)).toContain(REQUEST.prompt);
      expect(JSON.stringify(users)).not.toContain(REQUEST.system);
      expect(asked?.text).toContain(REQUEST.system);
      expect([llm.state().used, outcomes]).toEqual([15, ["ok"]]);
    },
  );

  it.each([
    ["stalls", () => "never" as const, { failure: "timeout" }],
    ["answers with 500", () => ({ status: 500 }), { failure: "failed", cause: "HTTP 500" }],
    ["refuses the key", () => ({ status: 401 }), { failure: "failed", cause: "HTTP 401" }],
    [
      "answers something that is no answer",
      () => ({ raw: "<html>" }),
      { failure: "failed", cause: "its answer is not of this API" },
    ],
    ["says nothing", () => " ", { failure: "unusable" }],
  ])("that %s gives the reason, and nothing of it or of the question is logged", async (_, reply, expected) => {
    server.reply = reply;
    const { failure } = expected;
    const { write, log, outcomes } = open({ deadlineMs: failure === "timeout" ? 1500 : 20_000 });
    expect(await write()).toEqual(expected);
    expect(outcomes).toEqual([failure]);
    expect(server.asked).toHaveLength(1);
    expect(JSON.stringify(log.warn.mock.calls)).not.toMatch(/private|one word|sk-test|html/);
  });

  it("that is not there is told by its error's code", async () => {
    const { write } = open();
    await server.close();
    expect(await write()).toEqual({ failure: "failed", cause: "ECONNREFUSED" });
  });

  it("is asked two things at once, the others wait for their turn", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    server.reply = async () => {
      await held;
      return "done";
    };
    const { write } = open();
    const all = Promise.all(Array.from({ length: 6 }, write));
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    release();
    expect(await all).toEqual(Array.from({ length: 6 }, () => ({ text: "done" })));
    expect(server.most()).toBe(2);
  });

  it("gives up waiting for its turn when its caller does", async () => {
    server.reply = () => "never";
    const { llm, write } = open({ deadlineMs: 1000 });
    const held = [write(), write()];
    const caller = new AbortController();
    const third = llm.write(REQUEST, caller.signal);
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    caller.abort();
    expect(await third).toEqual({ failure: "busy" });
    expect(await Promise.all(held)).toEqual([{ failure: "timeout" }, { failure: "timeout" }]);
    expect(server.asked).toHaveLength(2);
  });

  it("rests after three failures in a row, and is asked again a minute later", async () => {
    server.reply = () => ({ status: 500 });
    const { write, llm, clock } = open();
    for (let times = 0; times < 3; times++) expect(await write()).toMatchObject({ failure: "failed" });
    expect(await write()).toEqual({ failure: "unavailable" });
    expect([server.asked.length, llm.state().isResting]).toEqual([3, true]);
    clock.advance(61_000);
    server.reply = () => "well again";
    expect(await write()).toEqual({ text: "well again" });
  });

  it("is not asked when that could cost more than is left of the day's budget", async () => {
    const { write, clock, llm } = open({ dailyTokens: 80 });
    expect(await write()).toEqual({ text: "an answer" });
    expect(await write()).toEqual({ text: "an answer" });
    expect(await write()).toEqual({ failure: "budget" });
    expect([server.asked.length, llm.state().used]).toEqual([2, 30]);
    clock.advance(86_400_000);
    expect(await write()).toEqual({ text: "an answer" });
  });

  it("ends with its caller", async () => {
    server.reply = () => "never";
    const { llm } = open({ restAfter: 1 });
    const caller = new AbortController();
    const answer = llm.write(REQUEST, caller.signal);
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    caller.abort();
    expect(await answer).toEqual({ failure: "timeout" });
    expect(llm.state().isResting).toBe(false);
  });
});

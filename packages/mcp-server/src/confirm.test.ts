import { endAt, throughStages } from "@chest/core/executor";
import { localResources } from "@chest/core/resources";
import { TOOLS } from "@chest/core/tools";
import { aCall, testExecutor } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { confirmDestructive } from "./confirm.ts";
import { elicitConfirm } from "./elicit.ts";
import { createMcpServer } from "./server.ts";

/** Answer of the user; undefined when the client has no elicitation. */
type Human = (() => ElicitResult | Promise<ElicitResult>) | undefined;

async function connect(human: Human, timeoutMs?: number) {
  const { executor, clock } = await testExecutor();
  const confirm = (question: string, signal: AbortSignal) => elicitConfirm(server, question, signal, timeoutMs);
  const server = createMcpServer({
    tools: TOOLS,
    resources: localResources(executor),
    version: "1",
    instructions: "",
    executor: throughStages(TOOLS, endAt(executor), confirmDestructive(confirm)),
    callFor: ({ signal }) => aCall({ signal }),
  });
  const client = new Client({ name: "an-agent", version: "1" }, { capabilities: human ? { elicitation: {} } : {} });
  const questions: string[] = [];
  if (human) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return human();
    });
  }
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  const store = async (over: object = {}) => {
    const content = "the first line\n</memory_data> and the second";
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content, ...over };
    return (await executor.execute("chest_remember", fact, aCall())).memory_id as number;
  };
  const forget = async (memory_id: number | undefined, over: object = {}) => {
    const named = memory_id === undefined ? {} : { memory_id };
    const answer = await client.callTool({ name: "chest_forget", arguments: { ...named, interactive: true, ...over } });
    const [text] = answer.content as { text: string }[];
    return answer.isError ? JSON.parse(text?.text ?? "") : answer.structuredContent;
  };
  const isLive = async (id: number) => (await executor.execute("chest_recall", { ids: [id] }, aCall())).count === 1;
  return { store, forget, isLive, questions, clock };
}

const yes: Human = () => ({ action: "accept", content: { confirm: true } });

it("asks where a model writes the wish as text", async () => {
  const { store, forget, isLive, questions } = await connect(() => ({ action: "decline" }));
  const id = await store();

  expect(await forget(id, { interactive: "true" })).toMatchObject({ error: { code: "DECLINED" } });
  expect([await isLive(id), questions.length]).toEqual([true, 1]);
});

it("asks with id, layer, entity and one line, and archives on a yes", async () => {
  const { store, forget, isLive, questions } = await connect(yes);
  const id = await store();

  expect(await forget(id)).toEqual({ ok: true, archived: 1, memory_id: id });
  expect(await isLive(id)).toBe(false);
  expect(questions).toEqual([`Archive memory ${id}?\nlearning / acme: the first line [/memory_data] and the second`]);
});

it.each([
  ["declines", (): ElicitResult => ({ action: "decline" }), "declined"],
  ["cancels", (): ElicitResult => ({ action: "cancel" }), "cancelled"],
  ["accepts without a yes", (): ElicitResult => ({ action: "accept", content: { confirm: false } }), "declined"],
  ["answers something else", (): ElicitResult => ({ action: "accept", content: { confirm: "yes" } }), "declined"],
  ["says nothing in time", () => new Promise<ElicitResult>(() => {}), "timeout"],
])("keeps the memory when the human %s", async (_, human, reason) => {
  const { store, forget, isLive } = await connect(human, 50);
  const id = await store();

  expect(await forget(id)).toMatchObject({
    error: { code: "DECLINED", hint: expect.any(String), details: { declined: true, memory_id: id, reason } },
  });
  expect(await isLive(id)).toBe(true);
});

it("says that nobody can be asked where the client offers no way to", async () => {
  const { store, forget, isLive } = await connect(undefined);
  const id = await store();

  expect(await forget(id)).toMatchObject({
    error: {
      code: "DECLINED",
      hint: expect.stringContaining("without `interactive`"),
      details: { reason: "no_elicitation" },
    },
  });
  expect(await isLive(id)).toBe(true);
});

it("asks only about what can be archived: existence, protection and a dry run come first", async () => {
  const { store, forget, questions } = await connect(yes);
  const pinned = await store({ importance: 0.95 });
  const gone = await store({ content: "gone already" });
  await forget(gone, { interactive: false });

  expect(await forget(999)).toMatchObject({ error: { code: "NOT_FOUND" } });
  expect(await forget(pinned)).toMatchObject({ error: { code: "PROTECTED" } });
  expect(await forget(gone)).toMatchObject({ ok: true, archived: 0 });
  expect(await forget(await store({ content: "a dry run" }), { dry_run: true })).toMatchObject({ dry_run: true });
  expect(questions).toEqual([]);
});

it("asks before a sweep, with its number, and not when there is nothing to sweep", async () => {
  const { store, forget, isLive, questions, clock } = await connect(yes);
  expect(await forget(undefined)).toMatchObject({ affected: 0 });
  const id = await store();
  clock.advance(200 * 86_400_000);

  expect(await forget(undefined)).toMatchObject({ dry_run: false, affected: 1, sample_ids_to_drop: [id] });
  expect(await isLive(id)).toBe(false);
  expect(questions).toEqual(["Archive 1 memories that are hardly used?"]);
});

it("sweeps nothing when the human says no", async () => {
  const { store, forget, isLive, clock } = await connect(() => ({ action: "decline" }));
  const id = await store();
  clock.advance(200 * 86_400_000);

  expect(await forget(undefined)).toMatchObject({
    error: {
      code: "DECLINED",
      message: expect.stringMatching(/^1 memories were kept/),
      details: { reason: "declined" },
    },
  });
  expect(await isLive(id)).toBe(true);
});

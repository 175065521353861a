import { type LlmStandIn, openLlmStandIn } from "@chest/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";

let llm: LlmStandIn;
let backend: Backend;
let agent: StdioClient | undefined;

beforeEach(async () => {
  llm = await openLlmStandIn();
});
afterEach(async () => {
  await agent?.stop();
  await backend.stop();
  await llm.close();
});

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const user = (content: string, timestamp?: string) => ({ role: "user", content, ...(timestamp && { timestamp }) });

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers without their types, like an assistant
type Answer = any;

/** Assistant that uses only the official client and records all its questions and answers. */
async function anAssistant(env: NodeJS.ProcessEnv) {
  backend = await startBackend({ env });
  agent = await connectStdioClient({
    env: {
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: backend.url,
      CHEST_API_TOKEN: backend.token,
      CHEST_PROJECT: "host/org/home",
    },
  });
  const { client } = agent;
  const transcript: string[] = [];
  const use = async (name: string, input: Record<string, unknown>): Promise<{ answer: Answer; text: string }> => {
    const { structuredContent: answer, content, isError } = await client.callTool({ name, arguments: input });
    const [{ text = "" } = {}] = content as { text?: string }[];
    transcript.push(`> ${name} ${JSON.stringify(input)}`, text, "");
    expect(isError, text).toBeFalsy();
    return { answer, text };
  };
  const recall = (content: string, over: object = {}) =>
    use("chest_conversation", { action: "recall", conversation_id: "talk", messages: [user(content)], ...over });
  return { use, recall, transcript };
}

const SAID = [
  ["My son is allergic to eggs.", "I will only suggest recipes without."],
  ["The oven has been broken since Monday.", "Then let us use the stove."],
  ["息子の誕生日は十二月です。", "覚えておきます。"],
  ["我们的猫叫毛毛。", "好名字。"],
  ["우리는 바닷가에 살아요.", "기억할게요."],
  ["Aunt May visits in June.", "Lovely."],
] as const;

it("stores and recalls for a talking assistant, with a language model and without", async ({ annotate }) => {
  const { use, recall, transcript } = await anAssistant({
    CHEST_LLM_PROVIDER: "openai",
    CHEST_LLM_URL: llm.url,
    CHEST_LLM_MODEL: "stand-in",
  });
  for (const [at, [asked, said]] of SAID.entries()) {
    const messages = [user(asked, ago(at + 1)), { role: "assistant", content: said, timestamp: ago(at + 1) }];
    await use("chest_conversation", { action: "capture", conversation_id: "talk", messages });
  }

  const found = await recall("Which cake has no eggs? My son is coming.", { flashback: 2, seed: 7 });
  expect(found.answer.top[0].content).toContain("My son is allergic to eggs.");
  expect(found.answer.flashback).toHaveLength(2);
  expect(found.text).toMatch(/flashback, talk, \d{4}-/);
  const idsOf = ({ flashback }: Answer) => flashback.map(({ id }: { id: number }) => id);
  const again = await recall("Which cake has no eggs? My son is coming.", { flashback: 2, seed: 7 });
  expect(idsOf(again.answer)).toEqual(idsOf(found.answer));
  const drawn = new Set<string>();
  for (let seed = 0; seed < 8; seed++) drawn.add(String(idsOf((await recall("eggs", { seed })).answer)));
  expect(drawn.size).toBeGreaterThan(1);
  for (const [question, wanted] of [
    ["息子の誕生日はいつですか", "十二月"],
    ["猫叫什么名字？", "毛毛"],
    ["바닷가에 누가 살아요?", "바닷가"],
  ] as const) {
    expect((await recall(question, { flashback: 0 })).answer.top[0].content).toContain(wanted);
  }

  const now = new Date();
  const rule = (content: string, trigger: unknown) => use("chest_remember", { content, layer: "learning", trigger });
  const dayIn = (days: number) => {
    const day = new Date(now.getTime() + days * DAY_MS);
    return { month: day.getMonth() + 1, day: day.getDate() };
  };
  // The test may run past midnight.
  const { answer: date } = await rule("It is the day of the festival.", { dates: [dayIn(0), dayIn(1)] });
  await rule("The festival was three days ago.", { dates: [dayIn(3)] });
  const { answer: words } = await rule("Bake without eggs, always.", { any: ["cake", "蛋糕"] });
  const triggeredBy = async (content: string) =>
    (await recall(content, { flashback: 0 })).answer.triggered.map(({ id }: { id: number }) => id);
  expect(await triggeredBy("Good morning.")).toEqual([date.memory_id]);
  expect(await triggeredBy("我想吃蛋糕")).toEqual(expect.arrayContaining([date.memory_id, words.memory_id]));
  const briefing = await use("chest_context", { task: "bake a cake" });
  expect(briefing.text).toContain(`[memory:${words.memory_id}]`);

  const asked = { query: "How do we bake?", format: "answer" };
  llm.reply = () => `Without eggs [memory:${words.memory_id}].`;
  const written = await use("chest_recall", asked);
  expect(written.answer.answer).toMatchObject({ written_by: "llm", model: "stand-in", sources: [words.memory_id] });
  const [instructions, data] = llm.asked.at(-1)?.body.messages ?? [];
  expect([instructions?.role, data?.role]).toEqual(["system", "user"]);
  expect(JSON.stringify(instructions)).not.toContain("without eggs");
  llm.reply = () => ({ status: 500 });
  const extracted = await use("chest_recall", asked);
  expect(extracted.answer.answer).toMatchObject({ written_by: "extract" });
  expect(extracted.answer.degraded).toContainEqual({ leg: "llm", reason: "failed" });
  expect(extracted.text).toContain(`Bake without eggs, always. [memory:${words.memory_id}]`);
  await annotate(transcript.join("\n"));
});

it("answers at once where no language model was ever configured", async () => {
  const { use } = await anAssistant({});
  const { answer } = await use("chest_remember", { content: "Bake without eggs, always.", layer: "learning" });
  const extracted = await use("chest_recall", { query: "How do we bake?", format: "answer" });
  expect(extracted.answer.answer).toMatchObject({
    written_by: "extract",
    text: `Bake without eggs, always. [memory:${answer.memory_id}]`,
  });
  expect(extracted.answer.degraded).toContainEqual({ leg: "llm", reason: "not_configured" });
  expect(llm.asked).toEqual([]);
});

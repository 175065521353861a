import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/clients/cli.ts";
import { type Newcomer, type Newcomers, openNewcomers } from "../support/clients/newcomer.ts";
import { cleanEnv } from "../support/process.ts";

let backend: Newcomers;
let one: Newcomer;
beforeAll(async () => {
  backend = await openNewcomers({ CHEST_CONV_KEEP: "3", CHEST_AUTO_MAINTENANCE: "0" });
  one = await backend.agent("host/org/talk");
});
afterAll(() => backend?.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const says = (content: string, timestamp?: string) => [{ role: "user", content, ...(timestamp && { timestamp }) }];
const capture = (conversation_id: string, content: string, at = ago(2 * HOUR_MS), over: object = {}) =>
  one.use("chest_conversation", { action: "capture", conversation_id, messages: says(content, at), ...over });
const recall = (conversation_id: string, content: string, over: object = {}) =>
  one.use("chest_conversation", { action: "recall", conversation_id, messages: says(content), flashback: 0, ...over });
const contents = (turns: { content: string }[]) => turns.map(({ content }) => content);

describe("short-term memory of memory-mcp-server", () => {
  it("Short-term memory per conversation; tool add_short_term_memory; tool search_short_term_memories", async () => {
    const { memory_id, keywords } = await capture("eggs", "My son is allergic to eggs and hazelnuts.");
    expect(memory_id).toBeGreaterThan(0);
    expect(keywords).toEqual(expect.arrayContaining(["allergic", "hazelnuts"]));
    const { top } = await recall("eggs", "Which cake has no hazelnuts or eggs?");
    expect(top[0].content).toContain("allergic to eggs");
  });

  it("TF-IDF keyword extraction with jieba: a rare word outweighs a frequent one, in Chinese as well", async () => {
    for (const day of ["Monday", "Tuesday", "Friday"]) await capture("tfidf", `The meeting on ${day} was long.`);
    const { keywords } = await capture("tfidf", "The meeting about walruses was long.");
    expect(keywords.indexOf("walruses")).toBeLessThan(keywords.indexOf("meeting"));
    expect((await capture("tfidf", "我们修复了数据库崩溃的问题")).keywords).toEqual(
      expect.arrayContaining(["修复", "崩溃", "数据"]),
    );
  });

  it("Exponential time decay of relevance", async () => {
    await capture("decay", "The heron pond needs new reeds.", ago(40 * HOUR_MS));
    await capture("decay", "The heron pond needs new reeds, and stones.", ago(900 * HOUR_MS));
    const { top } = await recall("decay", "What does the heron pond need?");
    expect(contents(top)[0]).toContain("new reeds.");
    expect(top[0].relevance).toBeGreaterThan(top[1].relevance);
  });

  it("Relevance = keywords − time penalty + score: what is brought back counts for more the next time", async () => {
    await capture("score", "The kestrel feeds at the quarry in the evening.");
    const first = (await recall("score", "kestrel quarry evening")).top[0].relevance;
    await expect
      .poll(async () => (await recall("score", "kestrel quarry evening")).top[0].relevance, { timeout: 15_000 })
      .toBeGreaterThan(first + 4);
  });

  it("Three-tier selection incl. random flashback: two, one, and old moments that a seed repeats", async () => {
    for (let nth = 0; nth < 6; nth++)
      await capture("tiers", `Curlew note ${nth}: tide ${nth * 7} at the estuary.`, ago((3 + nth) * HOUR_MS));
    const ask = (seed: number) => recall("tiers", "curlew at the estuary", { flashback: 2, seed });
    const [found, again] = [await ask(7), await ask(7)];
    expect([found.top.length, found.next.length, found.flashback.length]).toEqual([2, 1, 2]);
    expect(contents(again.flashback)).toEqual(contents(found.flashback));
  });

  it("20-minute and 10-minute exclusion", async () => {
    await capture("recent", "The plover nests on gravel.", ago(5 * MINUTE_MS));
    expect((await recall("recent", "Where does the plover nest?")).top).toEqual([]);
    await capture("recent", "The plover nests on shingle.", ago(60 * MINUTE_MS));
    await capture("recent", "The plover nests on shingle, too.", ago(64 * MINUTE_MS));
    expect((await recall("recent", "Where does the plover nest?")).top).toHaveLength(1);
  });

  it("roleWeights, participants: weigh who speaks, and name them", async () => {
    const messages = [
      { role: "user", content: "We talk about dunlins.", timestamp: ago(3 * HOUR_MS) },
      { role: "assistant", content: "Then about godwits.", timestamp: ago(3 * HOUR_MS) },
    ];
    const asked = { action: "capture", conversation_id: "roles", messages, participants: { user: "Ann" } };
    const usual = await one.use("chest_conversation", asked);
    expect(usual.keywords.indexOf("dunlins")).toBeLessThan(usual.keywords.indexOf("godwits"));
    const weights = { ...asked, conversation_id: "roles-2", role_weights: { user: 0.5, assistant: 9 } };
    const turned = await one.use("chest_conversation", weights);
    expect(turned.keywords.indexOf("godwits")).toBeLessThan(turned.keywords.indexOf("dunlins"));
    expect((await recall("roles", "dunlins")).top[0].content).toContain("Ann: We talk about dunlins.");
  });

  it("Conversation isolation: another conversation, and another project, see nothing", async () => {
    await capture("mine", "The wryneck is back.");
    expect((await recall("theirs", "wryneck")).top).toEqual([]);
    expect(contents((await recall("*", "Is the wryneck back?")).top).join()).toContain("The wryneck is back.");
    const elsewhere = await backend.agent("host/org/elsewhere");
    const asked = { action: "recall", conversation_id: "*", messages: says("wryneck"), flashback: 0 };
    expect((await elsewhere.use("chest_conversation", asked)).top).toEqual([]);
  });

  it("tool delete_short_term_memories (pattern): letter by letter, after a preview", async () => {
    for (const nth of [1, 2, 3, 4]) await capture("delete", `foo* bar ${nth}`);
    const asked = { conversation_id: "delete", text: "foo* bar" };
    expect((await one.use("chest_forget", asked)).matched).toBe(4);
    await one.use("chest_forget", { ...asked, confirm: true });
    expect((await recall("delete", "foo bar")).top).toEqual([]);
  });

  it("tool get_frequent_conversation; tool get_memory_stats", async () => {
    const { items } = await one.use("chest_inspect", { view: "conversations" });
    expect(items[0]).toMatchObject({ conversation_id: "tiers", turns: 6 });
    const [stats] = (await one.use("chest_inspect", { view: "stats" })).items;
    const turns = items.reduce((sum: number, each: { turns: number }) => sum + each.turns, 0);
    expect(stats.by_category.conversation).toBe(turns);
  });

  it("Auto cleanup; tool cleanup_memories: what is over a year old goes, the best always stay", async () => {
    for (let nth = 0; nth < 5; nth++) await capture("old", `Ancient note ${nth}.`, ago((400 + nth) * 24 * HOUR_MS));
    const env = cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir, CHEST_CONV_KEEP: "3" });
    const { exitCode, stdout } = await runCli(["up", "--pass", "conversations", "--json"], env);
    expect(exitCode, stdout).toBe(0);
    const { items } = await one.use("chest_inspect", { view: "conversations" });
    expect(items.some(({ conversation_id: id }: { conversation_id: string }) => id === "old")).toBe(false);
    expect(items.length).toBeGreaterThan(0);
  });
});

describe("long-term memory of memory-mcp-server", () => {
  const triggered = async (content: string) =>
    (await recall("long", content)).triggered.map(({ id }: { id: number }) => id);

  it("Trigger conditions (long-term); tool add_long_term_memory (name, trigger); tool search_long_term_memories", async () => {
    const id = await one.store("Ask Ann before a deploy.", { name: "deploy-rule", trigger: { any: ["deploy"] } });
    expect(await triggered("We deploy today.")).toEqual([id]);
    expect(await triggered("We rest today.")).toEqual([]);
  });

  it("tool update_long_term_memory by name; Context tracking; tool get_memory_context", async () => {
    const id = await one.store("Call the vet.", { name: "vet", trigger: { any: ["vet"] } });
    expect(await one.store("Call the vet on Friday.", { name: "vet", trigger: { any: ["horse"] } })).toBe(id);
    expect([await triggered("vet"), await triggered("horse")]).toEqual([[], [id]]);
    const { items } = await one.use("chest_inspect", { view: "history", id });
    expect(items).toMatchObject([
      { content: "Call the vet on Friday.", trigger: { any: ["horse"] } },
      { content: "Call the vet.", trigger: { any: ["vet"] } },
    ]);
  });

  it("tool list_long_term_memories; tool delete_long_term_memory by name", async () => {
    const id = await one.store("Feed the owl.", { name: "owl", trigger: { any: ["owl"] } });
    const listed = async () =>
      (await one.use("chest_inspect", { view: "triggers" })).items.map((item: { id: number }) => item.id);
    expect(await listed()).toContain(id);
    await one.use("chest_forget", { memory_id: id });
    expect(await listed()).not.toContain(id);
  });

  it("Trigger helpers match_keys, match_keys_all, Date", async () => {
    const now = new Date();
    const keys = await one.store("Two keys.", { trigger: "match_keys(['rook', 'crow'], 'user', 4) >= 2" });
    const all = await one.store("All keys.", { trigger: "match_keys_all(['rook', 'raven'])" });
    const dated = await one.store("Now.", {
      trigger: `match_keys('jackdaw') || (match_keys('jay') && new Date().getFullYear() >= ${now.getFullYear()})`,
    });
    expect(await triggered("a rook and a crow")).toEqual([keys]);
    expect(await triggered("a rook and a raven")).toEqual([all]);
    expect(await triggered("a jay")).toEqual([dated]);
  });

  it("Sandboxed JS; Sandbox timeout, no fs, no network: nothing runs at all", async () => {
    for (const trigger of ["while(true){}", "require('fs')", "fetch('http://x')", "Date.constructor('return 1')()"]) {
      const refused = await one.refused("chest_remember", { content: "an attack", layer: "learning", trigger });
      expect(refused, trigger).toMatch(/at character \d+/);
    }
  });
});

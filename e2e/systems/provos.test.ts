import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/clients/cli.ts";
import { type Newcomer, type Newcomers, openNewcomers } from "../support/clients/newcomer.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { cleanEnv, ROOT } from "../support/process.ts";

let backend: Newcomers;
let one: Newcomer;
beforeAll(async () => {
  backend = await openNewcomers();
  one = await backend.agent("host/org/provos");
});
afterAll(() => backend?.stop());

type Rows = { memories: { id: number; content: string }[] };
const recall = (query: string, over: object = {}) => one.use("chest_recall", { query, ...over });
const idsOf = ({ memories }: Rows) => memories.map(({ id }) => id);

describe("memory_store of @provos' server", () => {
  it("memory_store (content, tags, importance): nothing else is needed but what kind it is", async () => {
    const { memory_id: id } = await one.use("chest_remember", {
      content: "The avocet service listens on 8443.",
      category: "discovery",
      tags: ["ports", "avocet"],
      importance: 0.8,
    });
    const [row] = (await one.use("chest_recall", { ids: [id], format: "raw" })).memories;
    expect(row).toMatchObject({ importance: 0.8, tags: ["avocet", "ports"], category: "discovery" });
  });

  it("Near-exact duplicate auto-merge at store: the same words are one memory, with the tags of both", async () => {
    const first = await one.store("Bitterns boom at dawn.", { tags: ["birds"] });
    expect(
      await one.use("chest_remember", { content: "Bitterns boom at dawn.", layer: "learning", tags: ["dawn"] }),
    ).toMatchObject({
      memory_id: first,
      action: "merged",
    });
    const [row] = (await one.use("chest_recall", { ids: [first], format: "raw" })).memories;
    expect(row.tags).toEqual(["birds", "dawn"]);
  });

  it("Namespace isolation; MEMORY_NAMESPACE", async () => {
    await one.store("The ruff ledger is closed.", { visibility: "project" });
    const elsewhere = await backend.agent("host/org/other");
    const found = async (over: object) =>
      JSON.stringify((await elsewhere.use("chest_recall", { query: "ruff ledger", ...over })).memories);
    expect(await found({ limit: 10 })).not.toContain("ledger is closed");
    expect(await found({ project: "*" })).toContain("ledger is closed");
  });
});

describe("memory_recall of @provos' server", () => {
  it("memory_recall (token_budget, tags ALL, format); Tag filter; format list / raw", async () => {
    const both = await one.store("Smews dive in the mere.", { tags: ["water", "diving"] });
    await one.store("Smews rest on the mere.", { tags: ["water"] });
    expect(idsOf(await recall("smews", { tags: ["water", "diving"] }))).toEqual([both]);
    const [line] = (await recall("smews diving", { format: "list" })).memories;
    expect(line.content).toMatch(/^- \[\d{4}-\d\d-\d\d\] Smews /);
    expect((await recall("smews diving", { format: "raw" })).memories[0]).toHaveProperty("certainty");
  });

  it("Token-budget-aware retrieval, skip not break", async () => {
    await one.store(`The snipe manual: ${"snipe ".repeat(700)}`);
    const short = await one.store("The snipe is brown.");
    expect(idsOf(await recall("snipe", { token_budget: 200 }))).toContain(short);
  });

  it("format=answer (direct question answering); Works without an LLM; Graceful degradation", async () => {
    const id = await one.store("The knot gateway restarts every Sunday at four.");
    const { answer, degraded } = await recall("When does the knot gateway restart?", { format: "answer" });
    expect(answer).toMatchObject({ written_by: "extract", text: expect.stringContaining(`[memory:${id}]`) });
    expect(degraded).toContainEqual({ leg: "llm", reason: "not_configured" });
  });

  it("format=summary: what is alike stands in one line with all its sources", async () => {
    const alike = [
      "The smew feeds on fish in the harbour basin.",
      "At night the smew feeds on shrimp in the harbour basin.",
    ];
    const ids: number[] = [];
    for (const content of alike) ids.push(await one.store(content, { force: true }));
    const { answer } = await recall("smew fish harbour", { format: "summary" });
    expect(answer).toMatchObject({ written_by: "extract", sources: expect.arrayContaining(ids) });
    expect(answer.text.split("\n")[0]).toMatch(/^- .*smew feeds.*\[memory:\d+\] \(related: .*\[memory:\d+\]\)$/);
  });

  it("KNN 50 + BM25 50, Porter, bigram phrases; Gate at 5 %; Score-based hybrid fusion", async () => {
    const id = await one.store("Whimbrels migrated over the fields.");
    expect(idsOf(await recall("a whimbrel migrating over a field"))[0]).toBe(id);
    expect((await recall("xqzt vbnmq")).memories).toEqual([]);
  });

  it("Dedup by embedding similarity in the answer: what says the same is shown once", async () => {
    await one.store("The stint cache is flushed at midnight.", { force: true });
    await one.store("The stint cache is flushed at midnight!", { force: true });
    const { memories }: Rows = await recall("stint cache flushed");
    expect(memories.filter(({ content }) => content.startsWith("The stint cache"))).toHaveLength(1);
  });
});

describe("memory_context of @provos' server", () => {
  it("memory_context (task, token_budget): what the task needs, within the budget by the count of o200k", async () => {
    const id = await one.store("Dotterels are ringed with blue rings.");
    for (let nth = 0; nth < 12; nth++) {
      await one.store(`Release ${nth} of the bird tracker changed the way in which rings are read. `.repeat(6));
      await one.store(`${nth}番目の配送の設定は深夜に更新されるので、朝に確認してください。`.repeat(6));
      await one.store(`第${nth}个数据库在夜间更新，请在早上检查日志是否有错误。`.repeat(6));
      await one.store(`${nth}번째 배송 설정은 밤에 갱신되므로 아침에 확인해야 합니다. `.repeat(6));
    }
    for (const token_budget of [200, 800, 2000, 6000]) {
      const asked = { task: "ring dotterels", token_budget };
      const { sections, tokens } = await one.use("chest_context", asked);
      expect(sections[0].kind).toBe("task");
      expect(sections[0].items.map((item: { id: string }) => item.id)).toContain(String(id));
      const counted = encode(await one.text("chest_context", asked)).length;
      expect(Math.abs(tokens / counted - 1)).toBeLessThan(0.1);
      expect(tokens).toBeLessThanOrEqual(token_budget);
    }
  });
});

describe("memory_forget of @provos' server", () => {
  const gone = async (id: number) => !idsOf(await one.use("chest_recall", { ids: [id] })).includes(id);

  it("memory_forget ids; memory_forget confirm / dry_run; Compaction keeps originals soft-deleted", async () => {
    const ids = [await one.store("A first crake."), await one.store("A second crake.")];
    expect((await one.use("chest_forget", { ids })).matched).toBe(2);
    expect(await gone(ids[0] as number)).toBe(false);
    await one.use("chest_forget", { ids, confirm: true });
    expect(await gone(ids[0] as number)).toBe(true);
    await one.use("chest_update_memory", { memory_id: ids[0], archived: false });
    expect(await gone(ids[0] as number)).toBe(false);
  });

  it("memory_forget tags; memory_forget query", async () => {
    const tagged = await one.store("A tagged scoter.", { tags: ["scoter"] });
    await one.use("chest_forget", { tags: ["scoter"], confirm: true });
    expect(await gone(tagged)).toBe(true);
    const asked = await one.store("The phalarope spins clockwise.");
    expect((await one.use("chest_forget", { query: "unrelated basalt words" })).matched).toBe(0);
    await one.use("chest_forget", { query: "phalarope spins", confirm: true });
    expect(await gone(asked)).toBe(true);
  });

  it("memory_forget before", async () => {
    const id = await one.store("A new turnstone.", { tags: ["turnstone"] });
    const asked = { tags: ["turnstone"], before: "2020-01-01" };
    expect((await one.use("chest_forget", asked)).matched).toBe(0);
    expect(await gone(id)).toBe(false);
    const before = new Date(Date.now() + 86_400_000).toISOString();
    await one.use("chest_forget", { tags: ["turnstone"], before, confirm: true });
    expect(await gone(id)).toBe(true);
  });
});

describe("memory_inspect of @provos' server", () => {
  const view = (name: string, over: object = {}) => one.use("chest_inspect", { view: name, ...over });

  it("memory_inspect stats; memory_inspect recent; memory_inspect important; memory_inspect tags", async () => {
    const counted = async () => (await view("stats")).items[0].memories;
    const before = await counted();
    await one.store("One more godwit for the count.");
    expect(await counted()).toBe(before + 1);
    const id = await one.store("The newest and weightiest godwit.", { importance: 0.95, tags: ["godwit"] });
    for (const name of ["recent", "important"]) expect((await view(name)).items[0].id, name).toBe(id);
    expect((await view("tags", { limit: 200 })).items).toContainEqual(
      expect.objectContaining({ tag: "godwit", count: 1 }),
    );
  });

  it("memory_inspect ids; memory_inspect export", async () => {
    const id = await one.store("An exported pratincole.");
    expect(idsOf(await one.use("chest_recall", { ids: [id] }))).toEqual([id]);
    const env = cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir });
    const { stdout } = await runCli(["export"], env);
    expect(stdout).toContain("An exported pratincole.");
  });
});

describe("around the tools of @provos' server", () => {
  it("Package exports prompts for agents (system prompt, builder)", async () => {
    const { systemPrompt } = await import(pathToFileURL(join(ROOT, "apps/mcp/dist/prompts.js")).href);
    expect(systemPrompt()).toContain("lasting memory");
  });

  it("Automatic maintenance: consolidation, decay, compaction: each is a pass of one run", async () => {
    const env = cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir });
    const { exitCode, stdout } = await runCli(["up", "--json"], env);
    expect(exitCode, stdout).toBe(0);
    for (const pass of ["consolidation", "confidence", "forgetting"]) expect(stdout).toContain(`"${pass}"`);
  });

  it("SQLite only, no services; MEMORY_DB_PATH: an agent alone keeps its memories in the one file that is named", async () => {
    const dir = await mkdtemp(join(tmpdir(), "chest-provos-"));
    const path = join(dir, "own.db");
    const env = { CHEST_MODE: "local", CHEST_DB_PATH: path, CHEST_DATA_DIR: join(dir, "data") };
    const alone = await connectStdioClient({ env });
    const fact = { content: "The bittern booms in a file of its own.", layer: "learning" };
    await alone.client.callTool({ name: "chest_remember", arguments: fact });
    await alone.stop();
    expect(readFileSync(path).subarray(0, 15).toString()).toBe("SQLite format 3");
    expect((await runCli(["export"], cleanEnv(env))).stdout).toContain(fact.content);
    await rm(dir, { recursive: true, force: true });
  });
});

describe("commands of mcp-chest-memory 1.5", () => {
  it("--dry-run reports the backlog only, with the model on this machine or without it", async () => {
    const env = cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir, CHEST_EMBED_MODEL: "bge-m3" });
    const { exitCode, stdout } = await runCli(["pending-resync", "--dry-run", "--json"], env);
    expect(exitCode, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, remaining: expect.any(Number), estimated_seconds: null });
  });
});

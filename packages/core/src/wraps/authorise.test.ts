import { aCall, aCaller, testEngine, testPorts } from "@chest/testing";
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../executor.ts";
import { openPipeline } from "../pipeline.ts";
import { TOOLS } from "../tools/index.ts";
import { scopeOf } from "./authorise.ts";

const FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "a fact" };

describe("a caller", () => {
  const ports = testPorts();
  let executor: Executor;
  beforeAll(async () => {
    executor = openPipeline(TOOLS, await testEngine({ clock: ports.clock }), ports);
  });
  const call = (...scopes: ("read" | "write" | "operate" | "admin")[]) =>
    aCall({ caller: aCaller({ scopes: new Set(scopes) }) });

  it("needs `write` for what writes and `read` for what reads, and neither stands for the other", async () => {
    await expect(executor.execute("chest_remember", FACT, call("write"))).resolves.toMatchObject({ ok: true });
    await expect(executor.execute("chest_recall", { query: "fact" }, call("read"))).resolves.toMatchObject({
      count: 1,
    });
    const refused = { code: "FORBIDDEN", status: 403 };
    await expect(executor.execute("chest_remember", FACT, call("read", "operate", "admin"))).rejects.toMatchObject({
      ...refused,
      details: { scope: "write" },
      message: expect.stringContaining("`write`"),
    });
    await expect(executor.execute("chest_recall", { query: "fact" }, call("write"))).rejects.toMatchObject({
      ...refused,
      details: { scope: "read" },
    });
  });

  it("that may only write is shown nothing that is stored", async () => {
    const told = { ...FACT, entity_name: "orders", content: "The orders database is PostgreSQL 15." };
    const { memory_id: id } = await executor.execute("chest_remember", told, call("read", "write"));
    const turn = { action: "capture", conversation_id: "c1", messages: [{ role: "user", content: "a word" }] };
    await executor.execute("chest_conversation", turn, call("write"));
    for (const previewed of [
      { memory_id: id, dry_run: true },
      { ids: [id] },
      { query: "orders database" },
      { query: "orders database", confirm: true },
      { conversation_id: "c1" },
      { conversation_id: "c1", text: "word", confirm: true },
      { dry_run: true },
    ]) {
      await expect(executor.execute("chest_forget", previewed, call("write"))).rejects.toMatchObject({
        code: "FORBIDDEN",
        details: { scope: "read" },
      });
    }
    for (const looked of [{ action: "find" }, { dry_run: true }]) {
      await expect(executor.execute("chest_consolidate", looked, call("write"))).rejects.toMatchObject({
        code: "FORBIDDEN",
        details: { scope: "read" },
      });
    }
    const otherwise = { ...told, content: "The orders database is MySQL." };
    const answer = await executor.execute("chest_remember", otherwise, call("write"));
    expect(answer).toMatchObject({ contradicts: [{ id, reason: "value" }] });
    expect(JSON.stringify(answer)).not.toContain("PostgreSQL");
    const changed = { memory_id: answer.memory_id, content: "The orders database is MariaDB." };
    expect(JSON.stringify(await executor.execute("chest_update_memory", changed, call("write")))).not.toContain(
      "Postgre",
    );
    await expect(executor.execute("chest_forget", { memory_id: id }, call("write"))).resolves.toMatchObject({
      archived: 1,
    });
  });

  it("that may only write changes the work of others and is not told of it", async () => {
    const item = { action: "add", title: "rotate the vault keys", detail: "they lie in the blue safe" };
    const added = await executor.execute("chest_work", item, call("write"));
    expect(JSON.stringify(added)).toContain("rotate the vault keys");
    const [{ id }] = added.items as [{ id: string }];
    for (const change of [{ action: "close" }, { action: "reopen" }, { action: "drop", reason: "not ours" }]) {
      const answer = await executor.execute("chest_work", { id, ...change }, call("write"));
      expect(answer).toMatchObject({ items: [{ id }] });
      expect(JSON.stringify(answer)).not.toMatch(/vault|blue|not ours/);
    }
    const read = await executor.execute("chest_work", { action: "get", id }, call("read"));
    expect(JSON.stringify(read)).toContain("blue safe");
  });

  it("is judged by arguments as they are meant", async () => {
    const shouted = { action: "LIST" };
    await expect(executor.execute("chest_work", shouted, call("read"))).resolves.toMatchObject({ action: "list" });
    await expect(executor.execute("chest_work", shouted, call("write"))).rejects.toMatchObject({
      code: "FORBIDDEN",
      details: { scope: "read" },
    });
  });

  it("learns of an unknown tool whatever it may", async () => {
    await expect(executor.execute("chest_nothing", {}, call())).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
  });

  it("is asked for the right that a tool's effects say", () => {
    const asked = Object.fromEntries(TOOLS.map((tool) => [tool.name, scopeOf(tool)]));
    expect(asked).toMatchObject({ chest_recall: "read", chest_list_entities: "read", chest_remember: "write" });
    for (const { name, effects } of TOOLS) expect(asked[name]).toBe(effects.readOnly ? "read" : "write");
  });
});

import { anAgent, engineFixture, testEngine } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { LAYER_RULES, LAYERS } from "../memory/layer.ts";

const FACT = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "a fact" };

describe("chest_remember", () => {
  const fixture = engineFixture(({ clock }) => testEngine({ clock }));

  it.each(["entity_name", "entity_kind", "content"])("wants %s", async (name) => {
    const refusal = await anAgent(fixture).refused("chest_remember", { ...FACT, [name]: undefined });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: name }] } });
    expect(refusal.message).toContain(name);
  });

  it.each([
    ["entity_name", " \t "],
    ["entity_name", 7],
    ["entity_kind", "animal"],
    ["entity_key", 5],
    ["layer", 3],
    ["content", ""],
    ["content", " \n\t "],
    ["content", { text: "x" }],
    ["importance", -0.01],
    ["importance", 1.01],
    ["importance", "huge"],
    ["category", "gossip"],
    ["certainty", "sure"],
    ["confidence", 1.01],
    ["source_type", "rumour"],
    ["evidence", [""]],
    ["evidence", ["x".repeat(4097)]],
    ["files", ["a\0b"]],
    ["importance", Number.NaN],
    ["importance", Number.POSITIVE_INFINITY],
    ["force", "yes"],
    ["expires_at", 0],
    ["expires_at", -1],
    ["expires_at", 1.5],
    ["expires_at", "2030-13-01"],
    ["supersedes", [0]],
    ["supersedes", ["one"]],
    ["supersedes", [2 ** 53]],
    ["supersedes", true],
    ["tags", ["with blank"]],
    ["tags", [""]],
    ["tags", ["x".repeat(101)]],
    ["tags", "two words"],
    ["project", " "],
    ["visibility", "world"],
  ])("refuses %s %j, names the field and not the value", async (name, value) => {
    const refusal = await anAgent(fixture).refused("chest_remember", { ...FACT, [name]: value });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", hint: expect.any(String) });
    expect(JSON.stringify(refusal.details)).toContain(`"path":"${name}`);
    expect(refusal.message).toContain(name);
  });

  it.each([
    ["entity_name", "x".repeat(501), 500],
    ["entity_key", "x".repeat(501), 500],
    ["project", "x".repeat(201), 200],
    ["supersedes", Array.from({ length: 1001 }, (_, i) => i + 1), 1000],
    ["tags", Array.from({ length: 51 }, (_, i) => `t${i}`), 50],
    ["tags", Array.from({ length: 10_000 }, (_, i) => `t${i}`), 50],
    ["title", "x".repeat(501), 500],
    ["name", "x".repeat(501), 500],
    ["evidence", Array.from({ length: 101 }, (_, i) => `e${i}`), 100],
    ["files", Array.from({ length: 51 }, (_, i) => `f${i}`), 50],
  ])("refuses %s that is too long, with both numbers", async (name, value, limit) => {
    const refusal = await anAgent(fixture).refused("chest_remember", { ...FACT, [name]: value });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: { limit, actual: value.length } });
    expect(refusal.message).toMatch(new RegExp(`${name}.*${value.length}.*${limit}`));
  });

  it("takes each argument at its limit", async () => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({
      entity_name: "x".repeat(500),
      entity_key: "k".repeat(500),
      importance: 1,
      expires_at: 1,
      force: true,
      supersedes: Array.from({ length: 1000 }, (_, i) => 10_000_000 + i),
      tags: Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(100, "x")),
      project: "p".repeat(200),
    });
    expect(answer.skipped).toHaveLength(1000);
    expect(await agent.remember({ importance: 0 })).toMatchObject({ pinned: false });
  });

  it.each(LAYERS.flatMap((layer) => [layer, ...LAYER_RULES[layer].aliases].map((word) => [word, layer])))(
    "takes the layer %s for %s, in any case",
    async (word, layer) => {
      const agent = anAgent(fixture);
      expect(await agent.remember({ layer: word })).toMatchObject({ layer });
      expect(await agent.remember({ layer: ` ${word.toUpperCase()}\n` })).toMatchObject({ layer });
    },
  );

  it.each(["nonsense", " ", "goal realize", "x".repeat(300), "\ud800"])(
    "names the six layers for %j",
    async (layer) => {
      const refusal = await anAgent(fixture).refused("chest_remember", { ...FACT, layer });
      expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { field: "layer", known: LAYERS } });
      expect(refusal.details?.given).toBe(layer.slice(0, 80).toWellFormed());
      for (const known of LAYERS) expect(refusal.hint).toContain(known);
    },
  );

  it("checks the layer before the length, and the length before the paste filter", async () => {
    const agent = anAgent(fixture);
    const pasted = "Error: x\n    at f (a.js:1:2)\n    at g (b.js:3:4)\n".repeat(300);
    const codes = [];
    for (const over of [{ layer: "nonsense" }, {}, { content: pasted.slice(0, 4000) }]) {
      codes.push((await agent.refused("chest_remember", { ...FACT, content: pasted, ...over })).code);
    }
    expect(codes).toEqual(["INVALID_INPUT", "VALIDATION_ERROR", "REJECTED"]);
  });

  it("refuses pasted output with its rule, and `force` lets it through but skips no other check", async () => {
    const agent = anAgent(fixture);
    const content = "Error: boom\n    at load (/srv/app.js:10:5)\n    at main (/srv/app.js:20:9)\n";
    const refusal = await agent.refused("chest_remember", { ...FACT, content });
    expect(refusal).toMatchObject({ code: "REJECTED", details: { rejected: "quality_check", reason: "stack-trace" } });
    expect(refusal.hint).toContain("`force: true`");
    expect(await agent.remember({ content, force: true })).toMatchObject({ ok: true });
    expect(await agent.refused("chest_remember", { ...FACT, content: " ", force: true })).toMatchObject({
      code: "VALIDATION_ERROR",
    });
    const forced = await agent.remember({ content: "PASSWORD=hunter2hunter2", force: true });
    expect((await agent.recall({ ids: [forced.memory_id] })).memories[0]?.content).toBe("PASSWORD=[REDACTED]");
  });

  it("says so where a secret was removed, in an update as well, and of no other text", async () => {
    const agent = anAgent(fixture);
    const removed = [{ reason: "secret_removed", message: expect.stringContaining("[REDACTED]") }];
    const told = await agent.remember({ content: "The vault opens with PASSWORD=hunter2hunter2" });
    expect(told.warnings).toMatchObject(removed);
    const { memory_id } = told;
    expect(
      (await agent.update({ memory_id, content: "It opens with PASSWORD=hunter3hunter3" })).warnings,
    ).toMatchObject(removed);
    expect(await agent.update({ memory_id, importance: 0.6 })).not.toHaveProperty("warnings");
    expect(await agent.update({ memory_id, content: "The vault opens with a card" })).not.toHaveProperty("warnings");
    expect(await agent.remember({ content: "The password lies in the vault" })).not.toHaveProperty("warnings");
  });

  it("names at most twenty faults of a call", async () => {
    const surprises = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`content_${i}`, 1]));
    const refusal = await anAgent(fixture).refused("chest_remember", { ...FACT, ...surprises });
    expect(refusal.details?.issues).toHaveLength(20);
  });

  it.each([
    ["Never restart the ledger while a settlement runs.", "learning", undefined],
    ["本番のデータベースには直接接続しないでください、必ず踏み台を使うこと", "learning", undefined],
    ["不要直接修改生成的代码,请改模板文件 codegen.tpl", "learning", undefined],
    ["We decided to use Caddy 2 for the edge proxy.", "learning", "decision"],
    ["인증은 Keycloak으로 하기로 결정했습니다", "learning", "decision"],
    ["The ferry to the island leaves at half past six.", "learning", undefined],
  ])("takes %j by itself, as capture would: the project's, in the layer %s", async (content, layer, category) => {
    const agent = anAgent(fixture, { project: "tide/clock" });
    const answer = (await agent.call("chest_remember", { content })) as { memory_id: number };
    expect(answer).toMatchObject({ action: "created", layer, ...(category && { category }) });
    const { memories } = await agent.recall({ ids: [answer.memory_id], explain: true });
    expect(memories).toMatchObject([{ content, layer, entity: { kind: "project" }, ...(category && { category }) }]);
  });

  it("saves under a known name without a layer: the one it has stays, with its expiry", async () => {
    const agent = anAgent(fixture, { project: "tide/clock" });
    const first = { content: "The lock keeper is Ines.", name: "lock-keeper", layer: "context" };
    const { memory_id } = (await agent.call("chest_remember", first)) as { memory_id: number };
    const read = async () => (await agent.recall({ ids: [memory_id], explain: true })).memories[0];
    const before = await read();
    const again = { content: "Never call the lock keeper after nine in the evening.", name: "lock-keeper" };
    expect(await agent.call("chest_remember", again)).toMatchObject({ memory_id, action: "updated", layer: "context" });
    expect(await read()).toMatchObject({ content: again.content, expires_at: before?.expires_at });
  });

  it("obeys the limit it was started with", async () => {
    const small = { ...fixture.ports, limits: { ...fixture.ports.limits, contentChars: 10 } };
    const agent = anAgent({ ...fixture, engine: fixture.engine, ports: small });
    expect(await agent.remember({ content: "0123456789" })).toMatchObject({ ok: true });
    expect(await agent.refused("chest_remember", { ...FACT, content: "🦊".repeat(6) })).toMatchObject({
      details: { limit: 10, actual: 12, issues: [{ path: "content", message: expect.stringMatching(/12.*10/) }] },
    });
  });
});

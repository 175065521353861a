import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

/** How an entity is found or made by a write. */
export function entitiesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("is one under every spelling, and another one under another kind", async () => {
    const agent = anAgent(fixture);
    const names = ["WidgetAPI", "widget-api", "Widget API", "widget_api", " widget  api "];
    const answers = [];
    for (const entity_name of names) answers.push(await agent.remember({ entity_name }));
    const company = await agent.remember({ entity_name: "widget-api", entity_kind: "company" });
    expect(new Set(answers.map(({ entity_id }) => entity_id)).size).toBe(1);
    expect(company.entity_id).not.toBe(answers[0]?.entity_id);
    expect((await agent.list()).entities.map(({ name }) => name).toSorted()).toEqual(
      ["WidgetAPI", "widget-api"].toSorted(),
    );
  });

  it("is made once by many writers of one new name", async () => {
    const agent = anAgent(fixture);
    const answers = await Promise.all(Array.from({ length: 50 }, () => agent.remember({ entity_name: "brand new" })));
    expect(new Set(answers.map(({ entity_id }) => entity_id)).size).toBe(1);
    expect((await agent.list()).entities).toMatchObject([{ name: "brand new", memory_count: 50 }]);
  });

  it("is found by its key before its name, takes a missing key, and keeps the one it has with a warning", async () => {
    const agent = anAgent(fixture);
    const key = `${agent.entity}.example`;
    const plain = await agent.remember();
    const keyed = await agent.remember({ entity_key: ` ${key} ` });
    const renamed = await agent.remember({ entity_name: "quite another", entity_kind: "company", entity_key: key });
    const rival = await agent.remember({ entity_key: "rival.example" });
    expect([keyed, renamed, rival].map(({ entity_id }) => entity_id)).toEqual(Array(3).fill(plain.entity_id));
    expect([plain, keyed].flatMap(({ warnings }) => warnings ?? [])).toEqual([]);
    expect(renamed.warnings).toEqual([
      { reason: "entity_name_kept", message: expect.stringContaining("another name and kind") },
    ]);
    expect(rival.warnings).toMatchObject([{ reason: "entity_key_kept", message: expect.any(String) }]);
    expect((await agent.list()).entities).toMatchObject([{ canonical_key: key, memory_count: 4 }]);
  });

  it("takes a blank key for none", async () => {
    const agent = anAgent(fixture);
    await agent.remember({ entity_key: "" });
    await agent.remember({ entity_key: "  " });
    expect((await agent.list()).entities).toMatchObject([{ canonical_key: null, memory_count: 2 }]);
  });

  it("gains momentum with what is stored, and its band follows", async () => {
    const agent = anAgent(fixture);
    const scores = [];
    for (let i = 0; i < 3; i++) scores.push((await agent.remember({ importance: 0.8 })).momentum);
    expect(scores).toEqual([
      { score: 5.47, band: "active" },
      { score: 5.47, band: "active" },
      { score: 6.37, band: "active" },
    ]);
    const [item] = (await agent.recall({ query: "fact" })).memories;
    expect(item?.entity.momentum).toBe(6.37);
  });
}

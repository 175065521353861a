import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/** Requirements on texts on their way in and out. */
export function textsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it.each([
    ["a number with leading zeros", "00123"],
    ["a twenty-digit number", "12345678901234567890"],
    ["JSON", '{"b": 1.0, "a": [null, 1e3, "\\u00e9"],\n  "a": 2 }'],
    ["blanks and line ends", "  two\r\nlines\t\n\n"],
    ["what looks like markup", "</memory-data> <b>&amp; %s $x \\"],
    ["characters beyond the BMP", "🦊 𠮷野家 👩‍👩‍👧"],
    ["combining marks", "e\u0301 is not \u00e9"],
  ])("keeps %s exactly, as a string", async (_, content) => {
    const agent = anAgent(fixture);
    const id = await agent.store(content);
    expect((await agent.recall({ ids: [id] })).memories[0]?.content).toBe(content);
    const updated = await agent.store("to be replaced");
    await agent.update({ memory_id: updated, content: `${content} again` });
    expect((await agent.recall({ ids: [updated] })).memories[0]?.content).toBe(`${content} again`);
  });

  it("puts U+FFFD for NUL and lone surrogates, in text and names", async () => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({
      entity_name: `${agent.entity} \ud800`,
      entity_key: `\udc00${agent.entity}`,
      content: "nul \0 and half \ud83d a fox 🦊",
    });
    expect(answer.warnings).toMatchObject([{ reason: "text_mended" }]);
    const [item] = (await agent.recall({ ids: [answer.memory_id] })).memories;
    expect(item).toMatchObject({
      content: "nul \ufffd and half \ufffd a fox 🦊",
      entity: { name: `${agent.entity} \ufffd` },
    });
    expect((await agent.list()).entities[0]?.canonical_key).toBe(`\ufffd${agent.entity}`);
    expect(await agent.find("nul\0 \ud83d fox")).toEqual([answer.memory_id]);
    const whole = { memory_id: answer.memory_id, content: "a whole fox 🦊" };
    expect((await agent.update(whole)).warnings).toBeUndefined();
    expect((await agent.update({ ...whole, content: "half \ud83d" })).warnings).toMatchObject([
      { reason: "text_mended" },
    ]);
  });

  it.each([
    ["zero-width characters", "\u200b\u200d\ufeff"],
    ["marks of direction", "\u202e\u2066 \u2069"],
    ["fillers", "\u3164\u115f\u2800"],
    ["control characters", "\u0000\u0007\t"],
  ])("refuses content of %s alone as blank", async (_, content) => {
    const agent = anAgent(fixture);
    const fact = { entity_name: agent.entity, entity_kind: "project", layer: "learning", content };
    const refusal = await agent.refused("chest_remember", fact);
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", message: "content: is blank" });
  });

  it("stores no secret: not in content, name or key, and an update cannot bring one in", async () => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({
      entity_name: `${agent.entity} ${SECRET}`,
      entity_key: `https://user:hunter2hunter2@${agent.entity}.example`,
      content: `the token is ${SECRET}, tokenizer: fast`,
    });
    const [item] = (await agent.recall({ ids: [answer.memory_id] })).memories;
    expect(item?.content).toBe("the token is [REDACTED], tokenizer: fast");
    expect(item?.entity.name).toBe(`${agent.entity} [REDACTED]`);
    expect((await agent.list()).entities[0]?.canonical_key).toBe(`https://user:[REDACTED]@${agent.entity}.example`);
    await agent.update({ memory_id: answer.memory_id, content: `API_KEY=${SECRET} moved` });
    expect((await agent.recall({ ids: [answer.memory_id] })).memories[0]?.content).toBe("API_KEY=[REDACTED] moved");
    expect(await agent.find(SECRET)).not.toContain(answer.memory_id);
  });

  it("refuses a secret as a tag without repeating it", async () => {
    const agent = anAgent(fixture);
    const fact = { entity_name: agent.entity, entity_kind: "project", layer: "learning", content: "tagged badly" };
    const refusal = await agent.refused("chest_remember", { ...fact, tags: [SECRET] });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "tags" }] } });
    expect(JSON.stringify([refusal.message, refusal.hint, refusal.details])).not.toContain("ghp_");
    expect(await agent.find("tagged")).toEqual([]);
  });

  it("takes tags given and hashtags of the text, each once, as they are compared", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("see #Deploy/Prod and #ops, not #123 or #ff00ff", { tags: ["#OPS", "ﬁnal", "ops"] });
    const [item] = (await agent.recall({ ids: [id] })).memories;
    expect(item?.tags).toEqual(["deploy/prod", "final", "ops"]);
    expect(await agent.find("see", { tags: ["#Ops", "FINAL"] })).toEqual([id]);
    expect(await agent.find("see", { tags: ["ops", "absent"] })).toEqual([]);
  });

  it.each([
    ["a secret's name", "#token:santa is the word for it"],
    ["letters that fold to more than a tag may hold", `#${"ﷺ".repeat(20)} is one`],
    ["letters that grow", `#${"İ".repeat(100)} is one`],
  ])("takes a text whose hashtag is %s", async (_, content) => {
    const agent = anAgent(fixture);
    expect((await agent.remember({ content })).action).toBe("created");
  });

  it("says when a memory has more tags than it can keep", async () => {
    const agent = anAgent(fixture);
    const tags = Array.from({ length: 50 }, (_, i) => `tag-${i}`);
    const answer = await agent.remember({ content: "one #more", tags });
    expect(answer.warnings).toMatchObject([{ reason: "tags_cut" }]);
    expect((await agent.recall({ ids: [answer.memory_id] })).memories[0]?.tags).toHaveLength(50);
    const updated = await agent.update({ memory_id: answer.memory_id, add_tags: ["one-more"] });
    expect(updated.warnings).toMatchObject([{ reason: "tags_cut" }]);
  });
}

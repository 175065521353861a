import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

/** Requirements on archiving memories. */
export function forgetContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("archives once, says so, and deletes nothing", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a dodo");
    expect(await agent.forget({ memory_id: id })).toEqual({ ok: true, archived: 1, memory_id: id });
    expect(await agent.forget({ memory_id: id })).toEqual({ ok: true, archived: 0, memory_id: id });
    expect(await agent.find("dodo")).toEqual([]);
    expect(await agent.find("dodo", { include_archived: true })).toEqual([id]);
    expect(await fixture.as({ caller: agent.caller }).memories.byId(id)).toMatchObject({ archivedReason: "forget" });
    expect(await agent.list()).toMatchObject({ total: 0 });
  });

  it("a dry run says what would happen and changes nothing, asked for interactively or not", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a moa");
    const preview = `learning / ${agent.entity}: a moa`;
    const dry = { ok: true, dry_run: true, would_archive: id, memory_id: id, preview };
    expect(await agent.forget({ memory_id: id, dry_run: true })).toEqual(dry);
    expect(await agent.forget({ memory_id: id, dry_run: true, interactive: true })).toEqual(dry);
    expect(await agent.find("moa")).toEqual([id]);
    await agent.forget({ memory_id: id });
    expect(await agent.forget({ memory_id: id, dry_run: true })).toEqual({
      ...dry,
      would_archive: null,
      preview: undefined,
    });
  });

  it.each([
    ["a goal", { layer: "goal" }, "goal", [{ layer: "learning" }]],
    ["a pin", { importance: 0.95 }, "pinned", [{ importance: 0.5 }]],
    ["a pinned goal", { layer: "goal", importance: 1 }, "goal", [{ layer: "context" }, { importance: 0.89 }]],
  ])("refuses %s, and the way out that it names leads out", async (_, over, reason, way) => {
    const agent = anAgent(fixture);
    const id = await agent.store("kept", over);
    const refusal = await agent.refused("chest_forget", { memory_id: id });
    expect(refusal).toMatchObject({
      code: "PROTECTED",
      details: { preserved: true, memory_id: id, layer: "layer" in over ? over.layer : "learning", reason },
    });
    expect(refusal.message).toContain(String(id));
    const says = { layer: "another layer", importance: "below 0.9" };
    for (const step of way) {
      for (const key of Object.keys(step)) expect(refusal.hint).toContain(says[key as keyof typeof says]);
      expect(await agent.refused("chest_forget", { memory_id: id })).toMatchObject({ code: "PROTECTED" });
      await agent.update({ memory_id: id, ...step });
    }
    expect(await agent.forget({ memory_id: id })).toMatchObject({ archived: 1 });
  });

  it("refuses a pitfall, which no update releases: only the operator's purge does, says the hint", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a pitfall", { layer: "realize", importance: 1 });
    const forget = await agent.refused("chest_forget", { memory_id: id, dry_run: true });
    expect(forget).toMatchObject({ code: "PROTECTED", details: { layer: "realize", reason: "realize" } });
    expect(forget.hint).toMatch(/operator.*purge/);
    const update = await agent.refused("chest_update_memory", { memory_id: id, layer: "learning" });
    expect(update).toMatchObject({
      code: "PROTECTED",
      details: { preserved: true, memory_id: id, layer: "realize", reason: "realize" },
    });
    expect(update.message).toContain("protected realize");
    expect(update.hint).toMatch(/operator.*purge/);
  });

  it("asks nobody where nobody can be asked: existence and protection come first", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a dodo");
    const goal = await agent.store("a goal", { layer: "goal" });
    const codes = [];
    for (const memory_id of [66_666_666, goal, id]) {
      codes.push((await agent.refused("chest_forget", { memory_id, interactive: true })).code);
    }
    expect(codes).toEqual(["NOT_FOUND", "PROTECTED", "DECLINED"]);
    const declined = await agent.refused("chest_forget", { memory_id: id, interactive: true });
    expect(declined.details).toEqual({ declined: true, memory_id: id, reason: "no_elicitation" });
    expect(await agent.find("dodo")).toEqual([id]);
  });

  it("finds nothing of what the caller may not open", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("mine", { visibility: "private", layer: "goal" });
    const refusal = await anAgent(fixture).refused("chest_forget", { memory_id: id });
    expect(refusal).toMatchObject({ code: "NOT_FOUND", message: `memory ${id} not found`, details: { id } });
  });

  it("of many previews first, then puts away what meets every condition, and keeps what is protected", async () => {
    const agent = anAgent(fixture);
    const old = await agent.store("the old kiwi sleeps", { tags: ["bird"] });
    const pitfall = await agent.store("a kiwi is no fruit", { tags: ["bird"], layer: "realize" });
    fixture.clock.advance(3_600_000);
    const cut = fixture.clock.now().toISOString();
    fixture.clock.advance(3_600_000);
    const fresh = await agent.store("a young kiwi wakes", { tags: ["bird"] });
    const other = await agent.store("an old emu sleeps");
    const preview = await agent.forget({ tags: ["bird"] });
    expect(preview).toMatchObject({
      dry_run: true,
      matched: 3,
      affected: 2,
      ids: [fresh, old],
      kept: [{ id: pitfall, reason: "realize" }],
      remaining: 0,
      preview: expect.stringContaining("the old kiwi sleeps"),
    });
    expect(await agent.forget({ tags: ["bird"], confirm: true, dry_run: true })).toMatchObject({ dry_run: true });
    expect((await agent.find("kiwi")).toSorted((a, b) => a - b)).toEqual([old, pitfall, fresh]);
    const done = await agent.forget({ tags: ["bird"], before: cut, confirm: true });
    expect(done).toMatchObject({ dry_run: false, affected: 1, ids: [old], kept: [{ id: pitfall }] });
    expect(await agent.forget({ query: "sleeps under water", confirm: true })).toMatchObject({ matched: 0, ids: [] });
    expect(await agent.forget({ query: "emu sleeps", confirm: true })).toMatchObject({ ids: [other] });
    const named = await agent.forget({ ids: [fresh, old, 77_777_777], confirm: true });
    expect(named).toMatchObject({ ids: [fresh], not_found: [77_777_777], matched: 2 });
    expect(await agent.find("kiwi")).toEqual([pitfall]);
    expect(await agent.refused("chest_forget", { ids: [old], tags: ["bird"] })).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: "ids" }] },
    });
    expect(await agent.refused("chest_forget", { memory_id: old, tags: ["bird"] })).toMatchObject({
      details: { issues: [{ path: "memory_id" }] },
    });
  });

  it("of many takes at most a cap at once, and a repeat under one key is told the first answer", async () => {
    const small = { ...fixture.ports, limits: { ...fixture.ports.limits, sweepCap: 2 } };
    const agent = anAgent({ ...fixture, engine: fixture.engine, ports: small });
    for (let i = 0; i < 5; i++) await agent.store(`kakapo ${i}`, { tags: ["night"] });
    const key = { idempotencyKey: "many" };
    const first = await agent.forget({ tags: ["night"], confirm: true }, key);
    expect(first).toMatchObject({ affected: 2, remaining: 3, cap: 2 });
    expect(await agent.forget({ tags: ["night"], confirm: true }, key)).toEqual(first);
    expect(await agent.forget({ tags: ["night"] })).toMatchObject({ matched: 3, affected: 2, remaining: 1 });
  });
}

import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk } from "../desk.ts";
import { aHouse } from "./house.ts";

/** Putting a memory out of sight. */
export function forgetContract(open: OpenEngine): void {
  const house = aHouse(open);

  it("archives once, says so, and deletes nothing", async () => {
    const desk = aDesk(house);
    const id = await desk.store("a dodo");
    expect(await desk.forget({ memory_id: id })).toEqual({ ok: true, archived: 1, memory_id: id });
    expect(await desk.forget({ memory_id: id })).toEqual({ ok: true, archived: 0, memory_id: id });
    expect(await desk.find("dodo")).toEqual([]);
    expect(await desk.find("dodo", { include_archived: true })).toEqual([id]);
    expect(await house.as({ caller: desk.caller }).memories.byId(id)).toMatchObject({ archivedReason: "forget" });
    expect(await desk.list()).toMatchObject({ total: 0 });
  });

  it("a dry run says what would happen and changes nothing, asked for interactively or not", async () => {
    const desk = aDesk(house);
    const id = await desk.store("a moa");
    const preview = `learning / ${desk.entity}: a moa`;
    const dry = { ok: true, dry_run: true, would_archive: id, memory_id: id, preview };
    expect(await desk.forget({ memory_id: id, dry_run: true })).toEqual(dry);
    expect(await desk.forget({ memory_id: id, dry_run: true, interactive: true })).toEqual(dry);
    expect(await desk.find("moa")).toEqual([id]);
    await desk.forget({ memory_id: id });
    expect(await desk.forget({ memory_id: id, dry_run: true })).toEqual({
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
    const desk = aDesk(house);
    const id = await desk.store("kept", over);
    const refusal = await desk.refused("chest_forget", { memory_id: id });
    expect(refusal).toMatchObject({
      code: "PROTECTED",
      details: { preserved: true, memory_id: id, layer: "layer" in over ? over.layer : "learning", reason },
    });
    expect(refusal.message).toContain(String(id));
    const says = { layer: "another layer", importance: "below 0.9" };
    for (const step of way) {
      for (const key of Object.keys(step)) expect(refusal.hint).toContain(says[key as keyof typeof says]);
      expect(await desk.refused("chest_forget", { memory_id: id })).toMatchObject({ code: "PROTECTED" });
      await desk.update({ memory_id: id, ...step });
    }
    expect(await desk.forget({ memory_id: id })).toMatchObject({ archived: 1 });
  });

  it("refuses a pitfall, which no update releases: only the operator's purge does, says the hint", async () => {
    const desk = aDesk(house);
    const id = await desk.store("a pitfall", { layer: "realize", importance: 1 });
    const forget = await desk.refused("chest_forget", { memory_id: id, dry_run: true });
    expect(forget).toMatchObject({ code: "PROTECTED", details: { layer: "realize", reason: "realize" } });
    expect(forget.hint).toMatch(/operator.*purge/);
    const update = await desk.refused("chest_update_memory", { memory_id: id, layer: "learning" });
    expect(update).toMatchObject({
      code: "PROTECTED",
      details: { preserved: true, memory_id: id, layer: "realize", reason: "realize" },
    });
    expect(update.message).toContain("protected realize");
    expect(update.hint).toMatch(/operator.*purge/);
  });

  it("asks nobody where nobody can be asked: existence and protection come first", async () => {
    const desk = aDesk(house);
    const id = await desk.store("a dodo");
    const goal = await desk.store("a goal", { layer: "goal" });
    const codes = [];
    for (const memory_id of [66_666_666, goal, id]) {
      codes.push((await desk.refused("chest_forget", { memory_id, interactive: true })).code);
    }
    expect(codes).toEqual(["NOT_FOUND", "PROTECTED", "DECLINED"]);
    const declined = await desk.refused("chest_forget", { memory_id: id, interactive: true });
    expect(declined.details).toEqual({ declined: true, memory_id: id, reason: "no_elicitation" });
    expect(await desk.find("dodo")).toEqual([id]);
  });

  it("finds nothing of what the caller may not open", async () => {
    const desk = aDesk(house);
    const id = await desk.store("mine", { visibility: "private", layer: "goal" });
    const refusal = await aDesk(house).refused("chest_forget", { memory_id: id });
    expect(refusal).toMatchObject({ code: "NOT_FOUND", message: `memory ${id} not found`, details: { id } });
  });
}

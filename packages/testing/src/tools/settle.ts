import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

/** Ways to settle what two memories contradict each other in, and to undo each. */
export function settleContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  const aPair = async (over: object = {}) => {
    const agent = anAgent(fixture);
    const old = await agent.store("The orders database is PostgreSQL. Backups run at night.", {
      tags: ["db"],
      ...over,
    });
    const newer = await agent.store("The orders database is MySQL. Backups run at night.", { tags: ["sql"] });
    return { agent, old, newer, ids: [old, newer] };
  };
  const settle = (agent: Agent, memory_id: number, against: number, how: string, more: object = {}) =>
    agent.update({ memory_id, settle: how, against, ...more });
  const seen = async (agent: Agent, ids: readonly number[]) =>
    (await agent.recall({ ids, include_archived: true, include_superseded: true, explain: false })).memories.map(
      (each) => [each.id, each.state ?? "live", each.contradicted_by],
    );
  const contradicting = ({ old, newer }: { old: number; newer: number }) => [
    [old, "live", [newer]],
    [newer, "live", [old]],
  ];

  it.each(["keep_this", "keep_other"] as const)(
    "%s replaces one by the other, and reopen brings it back",
    async (how) => {
      const pair = await aPair();
      const { agent, old, newer, ids } = pair;
      const [kept, replaced] = how === "keep_this" ? [newer, old] : [old, newer];
      const answer = await settle(agent, newer, old, how);
      expect(answer).toMatchObject({ settled: { against: old, how, superseded: [replaced] } });
      expect(await seen(agent, ids)).toEqual(ids.map((id) => [id, id === kept ? "live" : "superseded", undefined]));
      expect(await settle(agent, newer, old, "reopen")).toMatchObject({ settled: { restored: [replaced] } });
      expect(await seen(agent, ids)).toEqual(contradicting(pair));
    },
  );

  it("reopen links a pair once, whichever of the two it is asked of", async () => {
    const pair = await aPair();
    const { agent, old, newer, ids } = pair;
    for (const [one, other] of [
      [old, newer],
      [newer, old],
    ] as const) {
      await settle(agent, old, newer, "keep_this");
      await settle(agent, one, other, "reopen");
      expect(await seen(agent, ids)).toEqual(contradicting(pair));
      expect(await agent.inspect({ view: "contradictions" })).toMatchObject({ total: 1 });
    }
  });

  it("both_hold keeps both with its reason in their history, no later change links them again, and reopen does", async () => {
    const pair = await aPair();
    const { agent, old, newer, ids } = pair;
    await settle(agent, newer, old, "both_hold", { reason: "MySQL until the move in May" });
    expect(await seen(agent, ids)).toEqual(ids.map((id) => [id, "live", undefined]));
    const store = fixture.as({ caller: agent.caller });
    for (const id of ids) {
      const { versions } = await store.memories.pastVersions({ id, limit: 1, offset: 0 });
      expect(versions).toMatchObject([{ op: "settle", reason: "MySQL until the move in May" }]);
    }
    const changed = await agent.update({ memory_id: newer, content: "The orders database is MySQL 8." });
    expect(changed).not.toHaveProperty("contradicts");
    await settle(agent, newer, old, "reopen");
    expect(await seen(agent, ids)).toEqual(contradicting(pair));
  });

  it.each(["keep_this", "keep_other", "both_hold", "merge"])(
    "reopen of %s brings the reason back that was found at first",
    async (how) => {
      const { agent, old, newer } = await aPair();
      const before = await agent.inspect({ view: "contradictions" });
      expect(before.items).toMatchObject([{ reason: expect.stringMatching(/^(value|opposite|negation)$/) }]);
      await settle(agent, newer, old, how, how === "both_hold" ? { reason: "until May" } : {});
      await settle(agent, newer, old, "reopen");

      const { items } = await agent.inspect({ view: "contradictions" });
      expect(items).toMatchObject([
        { reason: Object(before.items[0]).reason, newer: { id: newer }, older: { id: old } },
      ]);
    },
  );

  it("merge puts both into one, each sentence once, with all tags, and reopen takes it apart", async () => {
    const pair = await aPair();
    const { agent, old, newer, ids } = pair;
    const { settled } = (await settle(agent, newer, old, "merge")) as unknown as { settled: { into: number } };
    const { memories } = await agent.recall({ ids: [settled.into] });
    expect(memories).toMatchObject([
      {
        content: "The orders database is MySQL. Backups run at night.\nThe orders database is PostgreSQL.",
        tags: ["db", "sql"],
      },
    ]);
    expect(await seen(agent, ids)).toEqual(ids.map((id) => [id, "superseded", undefined]));
    await settle(agent, newer, old, "reopen");
    expect(await seen(agent, ids)).toEqual(contradicting(pair));
    expect((await seen(agent, [settled.into]))[0]?.[1]).toBe("archived");
  });

  it("merge keeps a protected one beside what both are merged into", async () => {
    const { agent, old, newer } = await aPair({ importance: 0.95 });
    const { settled } = await settle(agent, newer, old, "merge");
    expect(settled).toMatchObject({ superseded: [newer], kept: [old] });
    const { into } = settled as { into: number };
    expect((await agent.recall({ ids: [into] })).memories).toMatchObject([{ importance: 0.95 }]);
  });

  it("refuses what cannot be settled so, and changes nothing", async () => {
    const pair = await aPair({ importance: 0.95 });
    const { agent, old, newer, ids } = pair;
    const refused = async (memory_id: number, settle: object) =>
      (await agent.refused("chest_update_memory", { memory_id, ...settle })).code;
    expect(await refused(newer, { settle: "keep_this" })).toBe("VALIDATION_ERROR");
    expect(await refused(newer, { against: old })).toBe("VALIDATION_ERROR");
    expect(await refused(newer, { against: newer, settle: "keep_this" })).toBe("VALIDATION_ERROR");
    expect(await refused(newer, { against: old, settle: "both_hold" })).toBe("VALIDATION_ERROR");
    expect(await refused(newer, { against: old, settle: "merge", importance: 0.1 })).toBe("VALIDATION_ERROR");
    expect(await refused(newer, { against: 999_999, settle: "keep_this" })).toBe("NOT_FOUND");
    expect(await refused(newer, { against: old, settle: "keep_this" })).toBe("PROTECTED");
    expect(await refused(newer, { against: old, settle: "keep_other", against_version: 7 })).toBe("VERSION_CONFLICT");
    expect(await refused(newer, { against: old, settle: "reopen" })).toBe("INVALID_INPUT");
    const other = await agent.store("The orders team meets on Mondays.");
    expect(await refused(newer, { against: other, settle: "keep_this" })).toBe("VERSION_CONFLICT");
    expect(await seen(agent, ids)).toEqual(contradicting(pair));
    await agent.forget({ memory_id: newer });
    expect(await refused(old, { against: newer, settle: "keep_this" })).toBe("VERSION_CONFLICT");
  });

  it("settles nothing with a memory that the caller may not open", async () => {
    const { newer, agent } = await aPair();
    const hidden = await anAgent(fixture).store("The orders database is Oracle.", { visibility: "private" });
    const { code } = await agent.refused("chest_update_memory", {
      memory_id: newer,
      settle: "keep_this",
      against: hidden,
    });
    expect(code).toBe("NOT_FOUND");
  });
}

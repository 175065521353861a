import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

interface Found {
  readonly total: number;
  readonly has_more: boolean;
  readonly pairs: readonly { readonly ids: readonly number[]; readonly likeness: number; readonly by: string }[];
}

/** Near duplicates, found and merged. */
export function mergesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("find lists pairs of one space that share most words or tags, the most alike first, and changes nothing", async () => {
    const agent = anAgent(fixture);
    const words = [
      await agent.store("The nightly backup of the ledger database goes to the second region at two"),
      await agent.store("The nightly backup of the ledger database goes to the second region at two in the morning"),
    ];
    const tags = [
      await agent.store("Herons sleep on one leg", { tags: ["birds", "pond", "sleep"] }),
      await agent.store("Storks clap with their beaks", { tags: ["birds", "pond"] }),
    ];
    await agent.store("Nothing else is like this one", { tags: ["birds"] });
    await agent.store("The nightly backup of the ledger database goes to the second region at two", {
      visibility: "private",
    });
    const find = (over: object = {}) => agent.call("chest_consolidate", { action: "find", ...over }) as Promise<Found>;
    const { pairs, ...found } = await find();
    expect(found).toEqual({ ok: true, total: 2, has_more: false });
    expect(pairs).toMatchObject([
      { ids: words.toReversed(), by: "words" },
      { ids: tags.toReversed(), by: "tags", likeness: 0.667 },
    ]);
    expect((await find({ similarity: 0.9 })).pairs).toMatchObject([{ ids: words.toReversed() }]);
  });

  it("a pair that is settled as different is listed nowhere until that is undone, and keeps its reason", async () => {
    const agent = anAgent(fixture);
    const words = "The nightly backup of the ledger database goes to the second region";
    const [one, other] = [await agent.store(`${words} at two`), await agent.store(`${words} at two on staging`)];
    const find = () => agent.call("chest_consolidate", { action: "find" }) as Promise<Found>;
    const listed = async () => [(await find()).total, (await agent.inspect({ view: "duplicates" })).total];
    expect(await listed()).toEqual([1, 1]);
    const settle = (how: string, over: object = {}) =>
      agent.update({ memory_id: one, against: other, settle: how, ...over });
    await settle("different", { reason: "one is about staging" });
    expect(await listed()).toEqual([0, 0]);
    const { items } = await agent.inspect({ view: "related", id: other });
    expect(items).toMatchObject([{ type: "related_to", note: "different things: one is about staging" }]);
    await expect(settle("different")).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    await settle("reopen");
    expect(await listed()).toEqual([1, 1]);
    const { memories } = await agent.recall({ ids: [one, other] });
    expect(memories.map((each) => each.contradicted_by)).toEqual([undefined, undefined]);
  });

  it("a preview of a merge tells the text and changes nothing", async () => {
    const agent = anAgent(fixture);
    const one = await agent.store("Herons nest in March. They come back.");
    const other = await agent.store("Herons nest in March. Two of them.", { force: true });
    const memory_ids = [one, other];
    expect(await agent.call("chest_consolidate", { action: "merge", memory_ids, dry_run: true })).toMatchObject({
      ...{ ok: true, dry_run: true, merged: memory_ids },
      merged_content: "Herons nest in March. They come back.\nTwo of them.",
    });
    expect((await agent.recall({ ids: memory_ids })).memories.map(({ state }) => state)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("forty that say the same are joined by 39 pairs, and none of another subject or number among them", async () => {
    const agent = anAgent(fixture);
    const says = (reader: string, limit: number, nth = "") =>
      `${reader} reads its limits from the file of settings, ${limit} a minute at most${nth}.`;
    for (let at = 0; at < 6; at++) await agent.store(says("secrets", 30, ` `.repeat(at % 2)), { force: true });
    await agent.store(says("secrets", 24), { force: true });
    await agent.store(says("secrets", 30), { entity_name: "another subject", force: true });
    const { total } = await agent.inspect({ view: "duplicates", limit: 50 });
    const { groups } = await fixture.as({ caller: agent.caller }).conflicts.duplicates({
      ...{ reach: "here", tagLikeness: 0.5, limit: 0, offset: 0 },
    });
    expect([total, groups]).toEqual([5, 1]);
  });

  it("two that contradict each other are no duplicates, before and after that is settled", async () => {
    const agent = anAgent(fixture);
    const words = "The nightly backup of the ledger database is kept for";
    const [one, other] = [await agent.store(`${words} 7 days`), await agent.store(`${words} 30 days`)];
    const third = await agent.store(`${words} about 7 days`);
    const listed = async () => {
      const { pairs } = (await agent.call("chest_consolidate", { action: "find" })) as Found;
      const { items } = (await agent.inspect({ view: "duplicates" })) as unknown as {
        items: { newer: { id: number }; older: { id: number } }[];
      };
      expect(items.map(({ newer, older }) => [newer.id, older.id])).toEqual(pairs.map(({ ids }) => ids));
      return pairs.map(({ ids }) => ids.toSorted((a, b) => a - b).join());
    };
    expect(await listed()).not.toContain(`${one},${other}`);
    expect(await listed()).toContain(`${one},${third}`);
    await agent.update({ memory_id: other, against: one, settle: "both_hold", reason: "30 on the main site" });
    expect(await listed()).not.toContain(`${one},${other}`);
  });

  it("two that contradict each other are not settled as different", async () => {
    const agent = anAgent(fixture);
    const [one, other] = [
      await agent.store("The orders database is PostgreSQL."),
      await agent.store("The orders database is MySQL."),
    ];
    await expect(agent.update({ memory_id: one, against: other, settle: "different" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "settle" },
    });
  });

  it("what others hid is in no pair and in no total", async () => {
    const agent = anAgent(fixture);
    const other = anAgent(fixture, { project: agent.caller.project });
    const content = "The queue of the importer holds ten thousand rows at most";
    await agent.store(content);
    await other.store(`${content} now`, { visibility: "private", entity_name: agent.entity });
    expect(await agent.call("chest_consolidate", { action: "find" })).toMatchObject({ total: 0, pairs: [] });
  });

  it("merge takes the sources over as they were noted, of one file the first", async () => {
    const agent = anAgent(fixture);
    const from = (path: string, digit: string) => ({ source: path, source_state: [{ path, hash: digit.repeat(64) }] });
    const ids = [
      await agent.store("Rails run in the reeds.", from("src/rail.ts", "a")),
      await agent.store("Rails hide in the reeds.", from("src/rail.ts", "b")),
      await agent.store("Crakes hide as well.", from("src/crake.ts", "c")),
    ];
    const { memory_id: id } = (await agent.call("chest_consolidate", { action: "merge", memory_ids: ids })) as {
      memory_id: number;
    };
    const { sources } = await fixture.as({ caller: agent.caller }).sources.find({ reach: "here", ids: [id], limit: 9 });
    expect(sources.map(({ path, hash, status }) => [path, hash?.[0], status])).toEqual([
      ["src/crake.ts", "c", "unknown"],
      ["src/rail.ts", "a", "unknown"],
    ]);
  });

  it("merge unites tags, evidence and files, takes the highest confidence and the first category", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("The ledger closes at six.", {
      tags: ["ledger"],
      confidence: 0.6,
      evidence: ["minutes of May", "a ticket"],
      files: ["src/ledger.ts"],
    });
    const second = await agent.store("The ledger closes at six in the evening.", {
      tags: ["evening"],
      category: "decision",
      confidence: 0.9,
      evidence: ["a ticket", "the manual"],
      files: ["docs/ledger.md"],
    });
    const { memory_id: id } = (await agent.call("chest_consolidate", {
      action: "merge",
      memory_ids: [first, second],
    })) as { memory_id: number };
    const { memories } = await agent.recall({ ids: [id], format: "raw" });
    expect(memories).toMatchObject([
      {
        tags: ["evening", "ledger"],
        category: "decision",
        confidence: 0.9,
        evidence: ["minutes of May", "a ticket", "the manual"],
      },
    ]);
    for (const path_substring of ["src/ledger.ts", "docs/ledger.md"]) {
      const { linked_memories: linked } = (await agent.call("chest_recall_file", { path_substring })) as {
        linked_memories: readonly { readonly id: number }[];
      };
      expect(linked.map((each) => each.id)).toEqual([id]);
    }
  });

  it("merge puts the named ones into one, the first saying layer and entity, and they can be found out of sight", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("Herons eat frogs.", { tags: ["birds"], layer: "context", importance: 0.3 });
    const second = await agent.store("Herons eat frogs. They hunt at dawn.", { tags: ["pond"], importance: 0.6 });
    const answer = await agent.call("chest_consolidate", { action: "merge", memory_ids: [first, second] });
    const { memory_id: id } = answer as { memory_id: number };
    expect(answer).toMatchObject({ merged: [first, second] });
    expect((await agent.recall({ ids: [id] })).memories).toMatchObject([
      { content: "Herons eat frogs.\nThey hunt at dawn.", layer: "context", importance: 0.6, tags: ["birds", "pond"] },
    ]);
    expect((await agent.recall({ ids: [first, second] })).not_returned).toEqual([
      { id: first, reason: "superseded" },
      { id: second, reason: "superseded" },
    ]);
  });

  it("refuses what cannot be merged, and changes nothing", async () => {
    const agent = anAgent(fixture);
    const here = await agent.store("Herons eat frogs");
    const hidden = await anAgent(fixture).store("Herons eat frogs", { visibility: "private" });
    const own = await agent.store("Herons eat frogs", { visibility: "private" });
    const refused = async (input: object) => (await agent.refused("chest_consolidate", input)).code;
    expect(await refused({ action: "merge" })).toBe("VALIDATION_ERROR");
    expect(await refused({ action: "merge", memory_ids: [here] })).toBe("VALIDATION_ERROR");
    expect(await refused({ action: "merge", memory_ids: [here, here] })).toBe("INVALID_INPUT");
    expect(await refused({ action: "find", memory_ids: [here, own] })).toBe("VALIDATION_ERROR");
    expect(await refused({ action: "merge", memory_ids: [here, hidden] })).toBe("NOT_FOUND");
    expect(await refused({ action: "merge", memory_ids: [here, own] })).toBe("INVALID_INPUT");
    expect(await refused({ action: "merge", memory_ids: [here, own], merged_content: " " })).toBe("VALIDATION_ERROR");
    expect((await agent.recall({ ids: [here, own] })).count).toBe(2);
  });
}

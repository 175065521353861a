import { noEmbedder } from "@chest/core/ports";
import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk, type Desk } from "../desk.ts";
import { TINY_IDENTITY } from "../fakes.ts";
import { aHouse } from "./house.ts";

const DAY_MS = 86_400_000;
const WORDS = ["amber", "birch", "cedar"];
const buildOn = (word: string) => `nightly build of the gateway failed on the ${word} runner again.`;

interface Swept {
  readonly [key: string]: unknown;
}

/** `chest_forget` without an id, and `chest_consolidate`. */
export function sweepsContract(open: OpenEngine): void {
  const house = aHouse(open);
  /** Looks without leaving a trace: what is looked at counts as used. */
  const look = (desk: Desk, query: string, over: object = {}) => desk.find(query, { mark_accessed: false, ...over });
  const later = (days: number) => house.clock.advance(days * DAY_MS);

  it("a sweep says what it would drop, drops it, and the next one goes on", async () => {
    const small = { ...house.ports, limits: { ...house.ports.limits, sweepCap: 2 } };
    const desk = aDesk({ ...house, engine: house.engine, ports: small });
    const ids = [await desk.store("one"), await desk.store("two"), await desk.store("three")];
    await desk.store("a pitfall", { layer: "realize" });
    later(200);
    const found = { ok: true, to_drop: 3, cap: 2, affected: 2, remaining: 1, to_compress: 0 };
    const dry = (await desk.call("chest_forget", { dry_run: true })) as Swept;
    expect(dry).toMatchObject({ ...found, dry_run: true, sample_ids_to_drop: ids.slice(0, 2) });
    expect(await look(desk, "one two three")).toHaveLength(3);
    expect(await desk.call("chest_forget", {})).toEqual({ ...dry, dry_run: false });
    expect(await look(desk, "one two three")).toEqual([ids[2]]);
    expect(await desk.call("chest_forget", {})).toMatchObject({ to_drop: 1, affected: 1, remaining: 0 });
    expect(await desk.call("chest_forget", {})).toMatchObject({ to_drop: 0, affected: 0, sample_ids_to_drop: [] });
    expect(await look(desk, "pitfall")).toHaveLength(1);
    expect(await look(desk, "one", { include_archived: true })).toEqual([ids[0]]);
    const row = await house.as({ caller: desk.caller }).memories.byId(ids[0] ?? 0);
    expect(row).toMatchObject({ archivedReason: "dropped" });
  });

  it("a repeat under the same key is told the first answer and sweeps nothing", async () => {
    const small = { ...house.ports, limits: { ...house.ports.limits, sweepCap: 1 } };
    const desk = aDesk({ ...house, engine: house.engine, ports: small });
    await desk.store("one");
    await desk.store("two");
    later(200);
    const first = await desk.call("chest_forget", {}, { idempotencyKey: "k" });
    expect(await desk.call("chest_forget", {}, { idempotencyKey: "k" })).toEqual(first);
    expect(await look(desk, "one two")).toHaveLength(1);
  });

  it("asks nobody before a sweep where nobody can be asked, and only when there is something to sweep", async () => {
    const desk = aDesk(house);
    expect(await desk.call("chest_forget", { interactive: true })).toMatchObject({ affected: 0 });
    const id = await desk.store("unused");
    later(200);
    const declined = await desk.refused("chest_forget", { interactive: true });
    expect(declined).toMatchObject({ code: "DECLINED", details: { declined: true, reason: "no_elicitation" } });
    expect(declined.message).toMatch(/^1 memories were kept/);
    expect(await look(desk, "unused")).toEqual([id]);
  });

  it("consolidation does what its dry run says, finds every word again, and then has nothing to do", async () => {
    const desk = aDesk(house);
    for (const word of WORDS) await desk.store(buildOn(word), { layer: "context", tags: [word] });
    await desk.store("used yesterday, and on something else", { layer: "context" });
    expect(await desk.call("chest_consolidate", { dry_run: true })).toMatchObject({
      clusters: 0,
      hint: expect.any(String),
    });
    later(20);
    const dry = (await desk.call("chest_consolidate", { dry_run: true })) as Swept;
    expect(dry).toEqual({
      ok: true,
      dry_run: true,
      clusters: 1,
      memories_replaced_if_run: 3,
      memories_dropped_if_run: 0,
      preview: [{ entity: desk.entity, layer: "context", count: 3 }],
      has_more: false,
      hint: expect.any(String),
    });
    expect(await look(desk, "amber birch cedar")).toHaveLength(3);
    const done = (await desk.call("chest_consolidate", { use_llm: true })) as { learningIdsCreated: number[] };
    expect(done).toEqual({
      ok: true,
      scanned: 4,
      clustersCompressed: 1,
      memoriesReplaced: 3,
      memoriesDropped: 0,
      has_more: false,
      learningIdsCreated: [expect.any(Number)],
      sampling: { applied: false, reason: expect.any(String) },
    });
    for (const word of WORDS) expect(await look(desk, word)).toEqual(done.learningIdsCreated);
    expect(await look(desk, "gateway", { tags: WORDS })).toEqual(done.learningIdsCreated);
    expect(await desk.call("chest_consolidate", {})).toMatchObject({ clustersCompressed: 0, memoriesReplaced: 0 });
    const [summary = 0] = done.learningIdsCreated;
    expect(await desk.forget({ memory_id: summary })).toMatchObject({ archived: 1 });
  });

  it("consolidation keeps to the session that asks, unless it wrote nothing or asks for all", async () => {
    const client = (session: string | undefined) => ({ name: "test", version: "1", session });
    const desk = aDesk(house, { client: client("s-own") });
    const elsewhere = aDesk(house, { ...desk.caller, client: client("s-other") });
    const stranger = aDesk(house, { ...desk.caller, client: client("s-new") });
    await Promise.all(WORDS.map((word) => desk.store(buildOn(word), { layer: "context" })));
    await Promise.all(WORDS.map((word) => elsewhere.store(`${buildOn(word)} elsewhere`, { layer: "context" })));
    later(20);
    const clusters = async (who: typeof desk, scope: string) =>
      ((await who.call("chest_consolidate", { dry_run: true, scope })) as Swept).clusters;
    expect(await clusters(desk, "session")).toBe(1);
    expect(await clusters(desk, "all")).toBe(2);
    expect(await clusters(stranger, "session")).toBe(2);
  });

  it("consolidation is the same whether another member used the id of that session or not", async () => {
    const client = { name: "test", version: "1", session: "s-guessed" };
    const desk = aDesk(house, { client });
    for (const word of WORDS) await desk.store(buildOn(word), { layer: "context" });
    const asking = aDesk(house, { ...desk.caller, member: { id: 7_001, name: "asking" } });
    const owner = aDesk(house, { ...desk.caller, member: { id: 7_002, name: "owner" }, project: "host/org/other" });
    const inNone = { ...client, session: undefined };
    for (const word of WORDS)
      await desk.call(
        "chest_remember",
        { entity_name: "gateway", entity_kind: "concept", layer: "context", content: buildOn(word) },
        { caller: { ...desk.caller, client: inNone } },
      );
    later(20);
    const asked = () => asking.call("chest_consolidate", { dry_run: true, scope: "session" });
    const before = await asked();
    expect(before).toMatchObject({ clusters: 2 });
    await owner.store("written in a session of that id", { visibility: "private" });
    expect(await asked()).toEqual(before);
  });

  it("consolidation waits for the vectors of what is pending, where somebody makes them", async () => {
    const embedders = () => ({
      ...noEmbedder,
      identity: TINY_IDENTITY,
      state: async () => ({ isUsable: true }) as const,
    });
    const desk = aDesk({ ...house, engine: house.engine, ports: { ...house.ports, embedders } });
    for (const word of WORDS) await desk.store(buildOn(word), { layer: "context" });
    later(20);
    expect(await desk.call("chest_consolidate", { dry_run: true })).toMatchObject({ clusters: 0 });
  });

  it("consolidation splits what would be longer than a memory may be, and sweeps what nobody will miss", async () => {
    const short = { ...house.ports, limits: { ...house.ports.limits, contentChars: 400 } };
    const desk = aDesk({ ...house, engine: house.engine, ports: short });
    for (const word of [...WORDS, "alder"])
      await desk.store(buildOn(word), { layer: "context", expires_at: 4_000_000_000 });
    const unused = await desk.store("a lone fact");
    later(200);
    const done = (await desk.call("chest_consolidate", {})) as { learningIdsCreated: number[] };
    expect(done).toMatchObject({ clustersCompressed: 2, memoriesReplaced: 4, memoriesDropped: 1 });
    const { memories } = await desk.recall({ ids: done.learningIdsCreated });
    for (const { content } of memories) expect(content.length).toBeLessThanOrEqual(400);
    expect(await look(desk, "lone")).toEqual([]);
    expect(await look(desk, "lone", { include_archived: true })).toEqual([unused]);
  });
}

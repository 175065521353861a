import { noEmbedder } from "@chest/core/ports";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { TINY_IDENTITY } from "../fakes.ts";
import { engineFixture } from "./engine-fixture.ts";

const DAY_MS = 86_400_000;
const WORDS = ["amber", "birch", "cedar"];
const buildOn = (word: string) => `nightly build of the gateway failed on the ${word} runner again.`;

interface Swept {
  readonly [key: string]: unknown;
}

/** `chest_forget` without an id, and `chest_consolidate`. */
export function sweepsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  /** Looks without leaving a trace: what is looked at counts as used. */
  const look = (agent: Agent, query: string, over: object = {}) => agent.find(query, { mark_accessed: false, ...over });
  const later = (days: number) => fixture.clock.advance(days * DAY_MS);

  it("a sweep says what it would drop, drops it, and the next one goes on", async () => {
    const small = { ...fixture.ports, limits: { ...fixture.ports.limits, sweepCap: 2 } };
    const agent = anAgent({ ...fixture, engine: fixture.engine, ports: small });
    const ids = [await agent.store("one"), await agent.store("two"), await agent.store("three")];
    await agent.store("a pitfall", { layer: "realize" });
    later(200);
    const found = { ok: true, to_drop: 3, cap: 2, affected: 2, remaining: 1, to_compress: 0 };
    const dry = (await agent.call("chest_forget", { dry_run: true })) as Swept;
    expect(dry).toMatchObject({ ...found, dry_run: true, sample_ids_to_drop: ids.slice(0, 2) });
    expect(await look(agent, "one two three")).toHaveLength(3);
    expect(await agent.call("chest_forget", {})).toEqual({ ...dry, dry_run: false });
    expect(await look(agent, "one two three")).toEqual([ids[2]]);
    expect(await agent.call("chest_forget", {})).toMatchObject({ to_drop: 1, affected: 1, remaining: 0 });
    expect(await agent.call("chest_forget", {})).toMatchObject({ to_drop: 0, affected: 0, sample_ids_to_drop: [] });
    expect(await look(agent, "pitfall")).toHaveLength(1);
    expect(await look(agent, "one", { include_archived: true })).toEqual([ids[0]]);
    const row = await fixture.as({ caller: agent.caller }).memories.byId(ids[0] ?? 0);
    expect(row).toMatchObject({ archivedReason: "dropped" });
  });

  it("a repeat under the same key is told the first answer and sweeps nothing", async () => {
    const small = { ...fixture.ports, limits: { ...fixture.ports.limits, sweepCap: 1 } };
    const agent = anAgent({ ...fixture, engine: fixture.engine, ports: small });
    await agent.store("one");
    await agent.store("two");
    later(200);
    const first = await agent.call("chest_forget", {}, { idempotencyKey: "k" });
    expect(await agent.call("chest_forget", {}, { idempotencyKey: "k" })).toEqual(first);
    expect(await look(agent, "one two")).toHaveLength(1);
  });

  it("asks nobody before a sweep where nobody can be asked, and only when there is something to sweep", async () => {
    const agent = anAgent(fixture);
    expect(await agent.call("chest_forget", { interactive: true })).toMatchObject({ affected: 0 });
    const id = await agent.store("unused");
    later(200);
    const declined = await agent.refused("chest_forget", { interactive: true });
    expect(declined).toMatchObject({ code: "DECLINED", details: { declined: true, reason: "no_elicitation" } });
    expect(declined.message).toMatch(/^1 memories were kept/);
    expect(await look(agent, "unused")).toEqual([id]);
  });

  it("consolidation does what its dry run says, finds every word again, and then has nothing to do", async () => {
    const agent = anAgent(fixture);
    for (const word of WORDS) await agent.store(buildOn(word), { layer: "context", tags: [word] });
    await agent.store("used yesterday, and on something else", { layer: "context" });
    expect(await agent.call("chest_consolidate", { dry_run: true })).toMatchObject({
      clusters: 0,
      hint: expect.any(String),
    });
    later(20);
    const dry = (await agent.call("chest_consolidate", { dry_run: true })) as Swept;
    expect(dry).toEqual({
      ok: true,
      dry_run: true,
      clusters: 1,
      memories_replaced_if_run: 3,
      memories_dropped_if_run: 0,
      preview: [{ entity: agent.entity, layer: "context", count: 3 }],
      has_more: false,
      hint: expect.any(String),
    });
    expect(await look(agent, "amber birch cedar")).toHaveLength(3);
    const done = (await agent.call("chest_consolidate", { use_llm: true })) as { learningIdsCreated: number[] };
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
    for (const word of WORDS) expect(await look(agent, word)).toEqual(done.learningIdsCreated);
    expect(await look(agent, "gateway", { tags: WORDS })).toEqual(done.learningIdsCreated);
    expect(await agent.call("chest_consolidate", {})).toMatchObject({ clustersCompressed: 0, memoriesReplaced: 0 });
    const [summary = 0] = done.learningIdsCreated;
    expect(await agent.forget({ memory_id: summary })).toMatchObject({ archived: 1 });
  });

  it("consolidation keeps to the session that asks, unless it wrote nothing or asks for all", async () => {
    const client = (session: string | undefined) => ({ name: "test", version: "1", session });
    const agent = anAgent(fixture, { client: client("s-own") });
    const elsewhere = anAgent(fixture, { ...agent.caller, client: client("s-other") });
    const stranger = anAgent(fixture, { ...agent.caller, client: client("s-new") });
    await Promise.all(WORDS.map((word) => agent.store(buildOn(word), { layer: "context" })));
    await Promise.all(WORDS.map((word) => elsewhere.store(`${buildOn(word)} elsewhere`, { layer: "context" })));
    later(20);
    const clusters = async (who: typeof agent, scope: string) =>
      ((await who.call("chest_consolidate", { dry_run: true, scope })) as Swept).clusters;
    expect(await clusters(agent, "session")).toBe(1);
    expect(await clusters(agent, "all")).toBe(2);
    expect(await clusters(stranger, "session")).toBe(2);
  });

  it("consolidation is the same whether another member used the id of that session or not", async () => {
    const client = { name: "test", version: "1", session: "s-guessed" };
    const agent = anAgent(fixture, { client });
    for (const word of WORDS) await agent.store(buildOn(word), { layer: "context" });
    const asking = anAgent(fixture, { ...agent.caller, member: { id: 7_001, name: "asking" } });
    const owner = anAgent(fixture, {
      ...agent.caller,
      member: { id: 7_002, name: "owner" },
      project: "host/org/other",
    });
    const inNone = { ...client, session: undefined };
    for (const word of WORDS)
      await agent.call(
        "chest_remember",
        { entity_name: "gateway", entity_kind: "concept", layer: "context", content: buildOn(word) },
        { caller: { ...agent.caller, client: inNone } },
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
    const agent = anAgent({ ...fixture, engine: fixture.engine, ports: { ...fixture.ports, embedders } });
    for (const word of WORDS) await agent.store(buildOn(word), { layer: "context" });
    later(20);
    expect(await agent.call("chest_consolidate", { dry_run: true })).toMatchObject({ clusters: 0 });
  });

  it("consolidation splits what would be longer than a memory may be, and sweeps what nobody will miss", async () => {
    const short = { ...fixture.ports, limits: { ...fixture.ports.limits, contentChars: 400 } };
    const agent = anAgent({ ...fixture, engine: fixture.engine, ports: short });
    for (const word of [...WORDS, "alder"])
      await agent.store(buildOn(word), { layer: "context", expires_at: 4_000_000_000 });
    const unused = await agent.store("a lone fact");
    later(200);
    const done = (await agent.call("chest_consolidate", {})) as { learningIdsCreated: number[] };
    expect(done).toMatchObject({ clustersCompressed: 2, memoriesReplaced: 4, memoriesDropped: 1 });
    const { memories } = await agent.recall({ ids: done.learningIdsCreated });
    for (const { content } of memories) expect(content.length).toBeLessThanOrEqual(400);
    expect(await look(agent, "lone")).toEqual([]);
    expect(await look(agent, "lone", { include_archived: true })).toEqual([unused]);
  });
}

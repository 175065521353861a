import { expect, it } from "vitest";
import { anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { engineFixture } from "../engine-fixture.ts";

/** Fetching by ids. */
export function recallIdsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("gives full content in the order asked, each once, whatever else was asked for", async () => {
    const agent = anAgent(fixture);
    const long = `start ${"filler ".repeat(500)} end`;
    const [a, b, c] = [await agent.store("first"), await agent.store(long), await agent.store("third")];
    const answer = await agent.recall({ ids: [c, a, c, b], query: "first", snippet_mode: true, snippet_window: 40 });
    expect(answer.memories.map(({ id }) => id)).toEqual([c, a, b]);
    expect(answer.memories[2]?.content).toBe(long);
    expect(answer).toMatchObject({ search: "ids", count: 3, total_candidates: 3, has_more: false, stopped_by: "end" });
    expect(answer).not.toHaveProperty("not_returned");
    expect(answer).not.toHaveProperty("degraded");
  });

  it("cuts nothing, unless a bound was given", async () => {
    const agent = anAgent(fixture);
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, i) => agent.store(`${i} ${"long text ".repeat(100)}`)),
    );
    expect(await agent.recall({ ids })).toMatchObject({ count: 60, has_more: false, stopped_by: "end" });
    const limited = await agent.recall({ ids, limit: 2, offset: 1, max_tokens: 6000 });
    expect(limited.memories.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(limited).toMatchObject({ total_candidates: 60, has_more: true, stopped_by: "limit", offset: 1 });
    const packed = await agent.recall({ ids, max_tokens: 900 });
    expect(packed).toMatchObject({ has_more: true, stopped_by: "tokens" });
    expect(packed.count).toBeLessThan(4);
  });

  it("accounts for every id: here, or not, with the reason", async () => {
    const agent = anAgent(fixture);
    const stranger = anAgent(fixture);
    const here = await agent.store("here", { tags: ["x"] });
    const archived = await agent.store("archived");
    const old = await agent.store("old");
    const pitfall = await agent.store("another layer", { layer: "realize", tags: ["x"] });
    const other = await agent.store("of another", { entity_name: "someone", tags: ["x"] });
    const untagged = await agent.store("untagged");
    const secret = await stranger.store("not yours", { visibility: "private" });
    await agent.forget({ memory_id: archived });
    const successor = (await agent.remember({ supersedes: [old], tags: ["x"] })).memory_id;
    const ids = [archived, here, old, pitfall, other, untagged, secret, 88_888_888, successor];
    const filter = { layer: "learning", entity_name: agent.entity, tags: ["x"] };
    const answer = await agent.recall({ ids, ...filter });
    expect(answer.memories.map(({ id }) => id)).toEqual([here, successor]);
    expect(answer.not_returned).toEqual([
      { id: archived, reason: "archived" },
      { id: old, reason: "superseded" },
      { id: pitfall, reason: "layer" },
      { id: other, reason: "entity" },
      { id: untagged, reason: "tags" },
      { id: secret, reason: "not_found" },
      { id: 88_888_888, reason: "not_found" },
    ]);
    const hot = await agent.recall({ ids: [here], band: "hot" });
    expect(hot.not_returned).toEqual([{ id: here, reason: "band" }]);
  });

  it("keeps to a project that is named, and to none that the caller works in", async () => {
    const agent = anAgent(fixture);
    const elsewhere = `${agent.caller.project}-elsewhere`;
    const [here, there] = [await agent.store("here"), await agent.store("there", { project: elsewhere })];
    const own = await agent.store("mine there", { project: elsewhere, visibility: "private" });
    const ids = [here, there, own, 88_888_888];
    const named = await agent.recall({ ids, project: elsewhere });
    expect(named.memories.map(({ id }) => id)).toEqual([there, own]);
    expect(named.not_returned).toEqual([
      { id: here, reason: "project" },
      { id: 88_888_888, reason: "not_found" },
    ]);
    for (const reach of [{}, { project: "*" }])
      expect((await agent.recall({ ids, ...reach })).memories.map(({ id }) => id)).toEqual([here, there, own]);
  });

  it("gives archived and superseded rows when asked for, with the reason", async () => {
    const agent = anAgent(fixture);
    const archived = await agent.store("archived");
    const old = await agent.store("old");
    await agent.forget({ memory_id: archived });
    await agent.remember({ supersedes: [old] });
    const answer = await agent.recall({ ids: [archived, old], include_archived: true, include_superseded: true });
    expect(answer.memories.map(({ match_reasons }) => match_reasons)).toMatchObject([
      expect.arrayContaining(["archive_explicit"]),
      expect.arrayContaining(["superseded_explicit"]),
    ]);
    const factors = (await agent.recall({ ids: [old], include_superseded: true })).memories[0]?.score_breakdown;
    expect(factors).toMatchObject({ supersession_penalty: 0.25 });
  });
}

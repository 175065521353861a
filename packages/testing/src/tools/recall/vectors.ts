import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import { type Embedder, noEmbedder, SearchTimeout } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { TINY_IDENTITY, tinyEmbedder } from "../../fakes.ts";
import { engineFixture } from "../engine-fixture.ts";

/** Words and vectors together. */
export function recallVectorsContract(open: OpenEngine): void {
  const embedder = tinyEmbedder();
  const fixture = engineFixture(open, { embedder });

  async function embed(agent: Agent, id: number, vector: Float32Array, identity = TINY_IDENTITY): Promise<void> {
    await fixture.as({ caller: agent.caller }).write(async (tx) => {
      const memory = await tx.memories.byId(id);
      if (memory) await tx.vectors.put(memory, identity, vector);
    });
  }

  it("finds by vector alone, by both, and says which leg found what", async () => {
    const agent = anAgent(fixture);
    const both = await agent.store("the kakapo sings at night");
    const near = await agent.store("a parrot in the dark");
    const far = await agent.store("something about money");
    await embed(agent, both, Float32Array.of(1, 0.2, 0, 0));
    await embed(agent, near, Float32Array.of(1, 0.6, 0, 0));
    await embed(agent, far, Float32Array.of(0, 0, 1, 0));
    embedder.vector = Float32Array.of(1, 0, 0, 0);
    const answer = await agent.recall({ query: "kakapo" });
    expect(answer).toMatchObject({ search: "fts5+vector", total_candidates: 2 });
    expect(answer).not.toHaveProperty("degraded");
    expect(answer).not.toHaveProperty("staleness_warning");
    const [first, second] = answer.memories;
    expect(first).toMatchObject({
      id: both,
      match_reasons: expect.arrayContaining(["content_match_dual", "content_match_vector"]),
      score_breakdown: {
        relevance: 0.453,
        text_of_best: 0.432,
        vector_cos: 0.981,
        vector_norm: 1,
        rrf_vec_rank: 1,
        rrf_fts_rank: 1,
      },
    });
    expect(second).toMatchObject({
      id: near,
      match_reasons: expect.arrayContaining(["content_match_vector", "vector_only"]),
      score_breakdown: { vector_cos: 0.857, vector_norm: expect.any(Number), rrf_vec_rank: 2 },
    });
    expect(second?.score_breakdown).not.toHaveProperty("rrf_fts_rank");
    expect(second?.match_reasons).not.toContain("content_match_fts");
  });

  it("every place is explained: legs add up to relevance, parts to the composite, what says the same is named", async () => {
    const agent = anAgent(fixture);
    const ids = [
      await agent.store("the kakapo of Fiordland sings at night in its bowl", { importance: 0.3 }),
      await agent.store("the kakapo of Fiordland sings at night in its bowl!", { force: true }),
      await agent.store("a kakapo egg weighs forty grams"),
      await agent.store("a parrot in the dark", { importance: 0.9 }),
    ];
    for (const [at, id] of ids.entries()) await embed(agent, id, Float32Array.of(1, 0.9 - 0.3 * at, 0, 0));
    embedder.vector = Float32Array.of(1, 0, 0, 0);
    const { memories } = await agent.recall({ query: "kakapo sings" });
    expect(memories).toHaveLength(3);
    expect(memories.flatMap(({ near_duplicates = [] }) => near_duplicates)).toHaveLength(1);
    const { weights } = DEFAULT_RANKING;
    for (const { composite, score_breakdown: b } of memories) {
      const of = (key: string) => Number(b[key] ?? 0);
      expect(of("text_share") + of("vector_share")).toBeCloseTo(of("relevance"), 2);
      const parts = (["heat", "momentum", "importance"] as const).map((key) => weights[key] * of(key));
      const worth = parts.reduce((all, part) => all + part, weights.relevance);
      const factors = of("activation") * of("ttl_penalty") * of("supersession_penalty");
      expect(Math.abs(of("relevance") * worth * factors - composite)).toBeLessThanOrEqual(0.002);
    }
    expect(memories.map(({ composite }) => composite)).toEqual(
      memories.map(({ composite }) => composite).toSorted((a, b) => b - a),
    );
    expect(memories.at(-1)?.score_breakdown).not.toHaveProperty("text_share");
  });

  it("the same words again say whether they have their vector", async () => {
    const agent = anAgent(fixture);
    const first = await agent.remember({ content: "a kiwi probes" });
    expect(first.embedding).toEqual({ status: "pending" });
    expect((await agent.remember({ content: "a kiwi probes" })).embedding).toEqual({ status: "pending" });
    await embed(agent, first.memory_id, Float32Array.of(1, 0, 0, 0));
    const again = await agent.remember({ content: "a kiwi probes", tags: ["bird"] });
    expect(again).toMatchObject({ action: "merged", memory_id: first.memory_id, embedding: { status: "ok" } });
  });

  it("a word hit survives a foreign query vector, and another identity never matches", async () => {
    const agent = anAgent(fixture);
    const worded = await agent.store("the tuatara has three eyes");
    const foreign = await agent.store("of another model");
    await embed(agent, worded, Float32Array.of(0, 0, 0, 1));
    await embed(agent, foreign, Float32Array.of(1, 0, 0, 0), { ...TINY_IDENTITY, revision: "2" });
    embedder.vector = Float32Array.of(1, 0, 0, 0);
    const answer = await agent.recall({ query: "tuatara" });
    expect(answer.memories).toMatchObject([
      { id: worded, match_reasons: expect.arrayContaining(["content_match_fts"]) },
    ]);
    expect(answer.memories[0]?.score_breakdown).not.toHaveProperty("vector_cos");
  });

  const base64 = (...numbers: readonly number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

  it("takes the query's vector from whoever asks, and never gives what they may not see", async () => {
    const agent = anAgent(fixture);
    const other = anAgent(fixture);
    const mine = await agent.store("where the moa went");
    const theirs = await other.store("where the huia went");
    const hidden = await other.store("where the piopio went", { visibility: "private" });
    const gone = await agent.store("where the adzebill went");
    for (const [at, id] of [
      [agent, mine],
      [other, theirs],
      [other, hidden],
      [agent, gone],
    ] as const)
      await embed(at, id, Float32Array.of(0, 0, 1, 1));
    await agent.forget({ memory_id: gone });
    const query_embedding = { vector: base64(0, 0, 1, 1), model: TINY_IDENTITY.model, dimensions: 4 };
    expect(await agent.find("extinct", { query_embedding })).toEqual([mine]);
    const everywhere = await agent.find("extinct", { query_embedding, project: "*" });
    expect(everywhere).toContain(theirs);
    for (const id of [hidden, gone]) expect(everywhere).not.toContain(id);
  });

  it("is narrowed by vector as it is by words: session and importance", async () => {
    const agent = anAgent(fixture);
    const own = { caller: { ...agent.caller, client: { ...agent.caller.client, session: "s-vec" } } };
    const inSession = (await agent.remember({ content: "where the kea flew" }, own)).memory_id;
    const without = await agent.store("where the kaka flew", { importance: 0.8 });
    for (const id of [inSession, without]) await embed(agent, id, Float32Array.of(0, 1, 1, 0));
    const query_embedding = { vector: base64(0, 1, 1, 0), model: TINY_IDENTITY.model, dimensions: 4 };
    expect(await agent.find("alpine", { query_embedding, session_id: "s-vec" })).toEqual([inSession]);
    expect(await agent.find("alpine", { query_embedding, min_importance: 0.7 })).toEqual([without]);
  });

  it.each([
    ["as many numbers as another model makes", { vector: base64(1, 0, 0) }, "query_embedding.vector"],
    ["a number that is none", { vector: base64(1, Number.NaN, 0, 0) }, "query_embedding.vector"],
    ["nothing but zeros", { vector: base64(0, 0, 0, 0) }, "query_embedding.vector"],
    ["no base64 at all", { vector: "§" }, "query_embedding.vector"],
    ["a model that nobody knows", { vector: base64(1, 0, 0, 0), model: "nobody/knows" }, "model"],
    ["other dimensions than its model's", { vector: base64(1, 0, 0, 0), dimensions: 3 }, "model"],
  ])("refuses a query's vector with %s, and names the field", async (_, input, field) => {
    const agent = anAgent(fixture);
    const query_embedding = { model: TINY_IDENTITY.model, dimensions: 4, ...input };
    const { message, hint } = await agent.refused("chest_recall", { query: "anything", query_embedding });
    expect(message).toContain(field);
    expect(hint).toBeTruthy();
  });

  it("goes on with words for a query's vector of a model that nothing is embedded with", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a ruru calls");
    const [{ model, dimensions }] = KNOWN_IDENTITIES;
    const query_embedding = { vector: base64(...Array(dimensions).fill(1)), model, dimensions };
    expect(await agent.recall({ query: "ruru", query_embedding })).toMatchObject({
      memories: [{ id }],
      search: "fts5",
      degraded: [{ leg: "vector", reason: "other_identity" }],
    });
  });

  it("an update of the words drops the vector; of the importance alone it stays", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a takahe walks");
    await embed(agent, id, Float32Array.of(1, 0, 0, 0));
    embedder.vector = Float32Array.of(1, 0, 0, 0);
    const cosine = async () => (await agent.recall({ query: "takahe" })).memories[0]?.score_breakdown.vector_cos;
    await agent.update({ memory_id: id, importance: 0.7 });
    await agent.update({ memory_id: id, content: "a takahe walks" });
    expect(await cosine()).toBe(1);
    await agent.update({ memory_id: id, content: "a takahe runs" });
    expect(await cosine()).toBeUndefined();
    const pending = async () => (await agent.recall({ query: "takahe" })).staleness_warning;
    await expect.poll(pending, { timeout: 5000 }).toEqual({ embedding_missing_count: 1 });
  });

  const here: Partial<Embedder> = { state: async () => ({ isUsable: true }) };
  it.each<[how: string, embedder: Partial<Embedder>, reason: string]>([
    ["has no model", {}, "no_embedder"],
    ["has a model that gives nothing", here, "failed"],
    ["fails", { embedQuery: () => Promise.reject(new Error("no memory")) }, "failed"],
    ["hangs, and hears no signal", { embedQuery: () => new Promise(() => undefined) }, "timeout"],
  ])("goes on with words when the embedder %s", async (_, embedder, reason) => {
    const agent = anAgent({
      as: fixture.as,
      clock: fixture.clock,
      engine: fixture.engine,
      ports: {
        ...fixture.ports,
        embedders: () => ({ ...noEmbedder, identity: TINY_IDENTITY, ...embedder }),
        limits: { ...fixture.ports.limits, queryEmbedMs: 20 },
      },
    });
    const id = await agent.store("a weka steals");
    expect(await agent.recall({ query: "weka" })).toMatchObject({
      memories: [{ id }],
      search: "fts5",
      degraded: [{ leg: "vector", reason }],
    });
  });

  it("goes on with vectors when the words miss their deadline, and says so", async () => {
    const { engine } = fixture;
    const late: typeof engine = {
      ...engine,
      as: (call) => {
        const store = engine.as(call);
        return { ...store, search: { ...store.search, matchWords: () => Promise.reject(new SearchTimeout()) } };
      },
    };
    const agent = anAgent({ ...fixture, engine: late, as: fixture.as });
    const id = await agent.store("a kea plays");
    await embed(agent, id, Float32Array.of(0, 1, 0, 0));
    embedder.vector = Float32Array.of(0, 1, 0, 0);
    expect(await agent.recall({ query: "kea" })).toMatchObject({
      memories: [{ id }],
      search: "vector",
      degraded: [{ leg: "words", reason: "timeout" }],
    });
  });

  // Comes last: its rows lie near every question that comes after.
  const behind = ["words", "meaning"];
  it.each(behind)(
    "finds the one memory that passes a filter behind 250 nearer ones that do not, by %s",
    async (leg) => {
      const agent = anAgent(fixture);
      const inProject = (project: string, session?: string) => ({
        caller: { ...agent.caller, project, client: { ...agent.caller.client, session } },
      });
      const content = (nth: number) => (leg === "words" ? `saola saola ${nth}` : `row ${nth} of many`);
      const vector = leg === "words" ? undefined : Float32Array.of(1, 0, 0, 0);
      const project = agent.caller.project as string;
      await Promise.all(
        Array.from({ length: 250 }, async (_, nth) => {
          const id = await agent.store(content(nth), { importance: 0.2, force: true });
          if (vector) await embed(agent, id, vector);
        }),
      );
      fixture.clock.advance(3 * 86_400_000);
      const since = fixture.clock.now().toISOString();
      const given = { entity_name: "The One", tags: ["rare"], layer: "realize", importance: 0.75 };
      const text = `a saola among ${"a good many other words ".repeat(8)}`;
      const one = await agent.remember(
        { ...given, content: leg === "words" ? text : "the one" },
        inProject(project, "s-one"),
      );
      if (vector) await embed(agent, one.memory_id, Float32Array.of(1, 0.9, 0, 0));
      embedder.vector = Float32Array.of(1, 0, 0, 0);
      const filters = [
        { entity_name: "the one" },
        { tags: ["rare"] },
        { layer: "realize" },
        { min_importance: 0.7 },
        { session_id: "s-one" },
        { since },
      ];
      const query = leg === "words" ? "saola" : "something else";
      for (const filter of filters)
        expect([filter, await agent.find(query, { ...filter, mark_accessed: false })]).toEqual([
          filter,
          [one.memory_id],
        ]);
      const nobody = { tags: ["rare", "unheard-of"] };
      expect(await agent.recall({ query, ...nobody })).toMatchObject({
        ok: true,
        count: 0,
        total_candidates: 0,
        has_more: false,
      });
    },
  );
}

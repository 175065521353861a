import { NOTICE } from "@chest/core/answers";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import type { Item } from "../../tool-answers.ts";
import { engineFixture } from "../engine-fixture.ts";

const DAY_MS = 86_400_000;

/** In which order memories come, and how an answer accounts for it. */
export function recallRankingContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  async function noise(agent: Agent): Promise<void> {
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        agent.store(`the constant of station ${i} was changed`, { importance: 0.89 }),
      ),
    );
    for (let i = 0; i < 30; i++) fixture.as({ caller: agent.caller }).noteAccess(ids);
    const heats = async () => (await agent.recall({ ids, mark_accessed: false })).memories.map(({ band }) => band);
    await expect.poll(heats, { timeout: 10_000 }).toEqual(ids.map(() => "hot"));
  }

  it.each(["learning", "realize"])(
    "a year-old exact answer in %s is above 50 fresh, hot, important rows",
    async (layer) => {
      const agent = anAgent(fixture);
      const exact = await agent.store("the frobnicator calibration constant is 42", { layer, importance: 0.3 });
      fixture.clock.advance(365 * DAY_MS);
      await noise(agent);
      fixture.clock.advance(2 * 3_600_000);
      const ids = await agent.find("frobnicator calibration constant", { mark_accessed: false });
      expect(ids[0]).toBe(exact);
      expect(ids.length).toBeGreaterThan(0);
    },
  );

  it("the composite follows from the breakdown, and the order from the composite", async () => {
    const agent = anAgent(fixture);
    await agent.store("dik-dik one", {
      importance: 0.123,
      expires_at: fixture.clock.now().getTime() / 1000 - 5 * 86_400,
    });
    await agent.store("dik-dik two dik-dik", { importance: 0.95 });
    await agent.store("a dik-dik among a good many other words", { layer: "goal" });
    const old = await agent.store("dik-dik replaced");
    await agent.remember({ content: "dik-dik four", supersedes: [old] });
    const hidden = { include_superseded: true, include_archived: true };
    const { memories } = await agent.recall({ query: "dik-dik", ...hidden });
    expect(memories).toHaveLength(5);
    const w = DEFAULT_RANKING.weights;
    for (const { composite, score_breakdown: b } of memories) {
      const value = (key: string) => b[key] ?? Number.NaN;
      const worth =
        w.relevance + w.heat * value("heat") + w.momentum * value("momentum") + w.importance * value("importance");
      const factors = value("activation") * value("ttl_penalty") * value("supersession_penalty");
      const rebuilt = value("relevance") * worth * factors;
      expect(Math.abs(rebuilt - composite)).toBeLessThanOrEqual(0.002);
    }
    const composites = memories.map(({ composite }) => composite);
    expect(composites).toEqual(composites.toSorted((a, b) => b - a));
    const undecayed = await agent.recall({ query: "dik-dik", ...hidden, ignore_decay: true });
    for (const { score_breakdown } of undecayed.memories) {
      expect(score_breakdown).toMatchObject({ activation: 1, ttl_penalty: 1, supersession_penalty: 1 });
    }
  });

  it("an answer begins with its notice, and an item holds what the contract lists", async () => {
    const agent = anAgent(fixture);
    const expiry = fixture.clock.now().getTime() / 1000 + 1000;
    const answer = await agent.remember({
      content: "use VACUUM while the backup sleeps",
      layer: "realize",
      expires_at: expiry,
    });
    const recalled = await agent.recall({ query: "vacuum backup" });
    expect(Object.keys(recalled)[0]).toBe("_notice");
    expect(recalled).toMatchObject({
      _notice: NOTICE,
      ok: true,
      count: 1,
      total_candidates: 1,
      offset: 0,
      has_more: false,
      stopped_by: "end",
      search: "fts5",
      resolved_layer: null,
      degraded: [{ leg: "vector", reason: "no_embedder" }],
    });
    expect(recalled).not.toHaveProperty("total_is_lower_bound");
    expect(recalled).not.toHaveProperty("not_returned");
    expect(recalled).not.toHaveProperty("warnings");
    expect(recalled.memories[0]).toEqual({
      id: answer.memory_id,
      match: "strong",
      entity: { id: answer.entity_id, name: agent.entity, kind: "project", momentum: 4.27 },
      layer: "realize",
      content: "use VACUUM while the backup sleeps",
      confidence: 0.8,
      importance: 0.5,
      pinned: false,
      created_at: fixture.clock.now().getTime() / 1000,
      expires_at: expiry,
      heat: 27.5,
      band: "warm",
      composite: expect.closeTo((1 / 2.2) * (0.93 + 0.05 * 0.275 + 0.005 * 0.427 + 0.015 * 0.5), 3),
      match_reasons: ["content_match_fts", "entity_active", "realize_protected"],
      score_breakdown: {
        relevance: 0.455,
        heat: 0.275,
        momentum: 0.427,
        importance: 0.5,
        activation: 1,
        ttl_penalty: 1,
        supersession_penalty: 1,
        activation_computed_at: null,
        text_score: expect.any(Number),
        text_of_best: 0.455,
        text_coverage: 1,
        text_share: 0.455,
        rrf_fts_rank: 1,
      },
    } satisfies Partial<Record<keyof Item, unknown>>);
  });

  it("a score means the same in every answer: near-equal matches score alike, whatever else is found", async () => {
    const agent = anAgent(fixture);
    const alike = [
      await agent.store("the thylacine cage key hangs behind the door of the north barn"),
      await agent.store("the thylacine cage key hangs behind the door of the old north barn"),
    ];
    const ask = async () => {
      const { memories } = await agent.recall({ query: "thylacine cage key", mark_accessed: false });
      return new Map(
        memories.map(({ id, composite, score_breakdown }) => {
          const { relevance = Number.NaN, text_of_best = Number.NaN } = score_breakdown;
          return [id, { relevance, text_of_best, composite }] as const;
        }),
      );
    };
    const before = await ask();
    const [one, other] = alike.map((id) => before.get(id));
    for (const key of ["relevance", "composite", "text_of_best"] as const)
      expect([key, one?.[key]]).toEqual([key, expect.closeTo(other?.[key] ?? Number.NaN, 1)]);
    // As many words as an ordinary memory has, so that the average stays.
    await agent.store("a cage stood once upon a time somewhere among so very many barns");
    const after = await ask();
    expect(after.size).toBe(3);
    for (const id of alike) expect(after.get(id)?.relevance).toBeCloseTo(before.get(id)?.relevance ?? Number.NaN, 1);
  });

  it("importance, pins and literal words are among the reasons", async () => {
    const agent = anAgent(fixture);
    const pinned = await agent.store("the echidna knows", { importance: 0.9 });
    const important = await agent.store("knows of an echidna", { importance: 0.8 });
    const { memories } = await agent.recall({ query: "  The Echidna " });
    const reasons = new Map(memories.map(({ id, match_reasons }) => [id, match_reasons]));
    expect(reasons.get(pinned)).toEqual(expect.arrayContaining(["content_substring", "pinned", "high_importance"]));
    expect(reasons.get(important)).toContain("high_importance");
    expect(reasons.get(important)).not.toContain("pinned");
    expect(reasons.get(important)).not.toContain("content_substring");
  });

  it("what others wrote out of sight weighs nothing in what one is shown", async () => {
    const [reader, other] = [anAgent(fixture), anAgent(fixture)];
    await reader.store("pangolins walk on their hind legs");
    await reader.store("the aardvark digs");
    const asked = async (word: string) => {
      const { memories } = await reader.recall({ query: `pangolins ${word} INC-77121`, mark_accessed: false });
      return memories.map(({ confidence, score_breakdown: { text_coverage, text_score } }) => ({
        confidence,
        text_coverage,
        text_score,
      }));
    };
    await asked("narwhal");
    const [before, unheardOf] = [await asked("narwhal"), await asked("zyzzyva")];
    expect(before).toHaveLength(1);
    expect(before).toEqual(unheardOf);
    for (const own of ["a narwhal merges with INC-77121", "narwhal and pangolins", "pangolins narwhal"])
      await other.store(own, { visibility: "private" });
    expect((await asked("narwhal")).map(({ text_coverage }) => text_coverage)).toEqual(
      before.map(({ text_coverage }) => text_coverage),
    );
    expect(await asked("narwhal")).toEqual(await asked("zyzzyva"));
  });

  it.each([
    [
      "en",
      "Sessions of the shop are kept in Redis.",
      "We moved shop sessions to Postgres.",
      "where are shop sessions kept",
    ],
    ["ja", "設計書はConfluenceに書く。", "設計書はdocsフォルダに置くことにした。", "設計書はどこに書くか"],
    ["zh", "风控规则用Groovy写。", "风控规则不再用Groovy，改用Python脚本。", "风控规则用什么写"],
    ["ko", "푸시 서버 담당은 김민수다.", "푸시 서버 담당이 이서연으로 바뀌었다.", "푸시 서버 담당은 누구인가"],
  ])("answers with what says that it has changed, and names what it was before (%s)", async (_, was, is, asked) => {
    const agent = anAgent(fixture);
    const [before, since] = [await agent.store(was), await agent.store(is)];
    const { memories } = await agent.recall({ query: asked });
    expect(memories.slice(0, 2)).toMatchObject([{ id: since, earlier: [before] }, { id: before }]);
    expect(memories[1]).not.toHaveProperty("earlier");
    for (const query of ["Postgres", "docs", "Python", "이서연"])
      expect((await agent.recall({ query })).memories.find(({ id }) => id === before)).toBeUndefined();
  });

  it.each([
    [
      "en",
      "The invoice job reads the exchange rate from the ledger service.",
      "In March the invoice job stopped early and left no exchange rate behind.",
      "where does the invoice job read the exchange rate",
    ],
    [
      "ja",
      "請求バッチは為替レートを台帳サービスから読みます。",
      "請求バッチの為替レートが空になったのは、フォルダーを読めなかったためです。",
      "請求バッチは為替レートをどこから読むか",
    ],
    [
      "zh",
      "对账任务的汇率从台账服务读取。",
      "注意：对账任务的台账库不会自动迁移，先跑脚本。",
      "对账任务的汇率从哪里读取",
    ],
  ])("takes what happened in a session for no change of what holds (%s)", async (_, holds, happened, asked) => {
    const agent = anAgent(fixture);
    const captured = { source_type: "conversation" } as const;
    const [fact, event] = [await agent.store(holds, captured), await agent.store(happened, captured)];
    const { memories } = await agent.recall({ query: asked, limit: 8 });
    expect(memories.map(({ id }) => id)).toEqual([fact, event]);
    expect(memories[1]).not.toHaveProperty("earlier");
  });

  it("leaves a later statement about something else where it is, whatever it says of change", async () => {
    const agent = anAgent(fixture);
    const read = await agent.store("The read timeout of the proxy is 30 seconds.");
    const log = await agent.store("The proxy no longer writes access logs to disk.");
    expect(await agent.find("read timeout of the proxy")).toEqual([read, log]);
    expect((await agent.recall({ query: "read timeout of the proxy" })).memories[0]).not.toHaveProperty("earlier");
  });

  it("leaves a later page of documentation where it is: it says of many things that they are so now", async () => {
    const agent = anAgent(fixture);
    const page = (text: string) =>
      `${text} ${"The reference lists each option with its type and its default. ".repeat(8)}`;
    const pool = await agent.store(page("Options of the connection pool: idle connections are closed after a minute."));
    const cache = await agent.store(
      page("Options of the cache, now beside the idle connections of the pool: entries are kept."),
    );
    expect(await agent.find("are idle connections of the pool closed")).toEqual([pool, cache]);
  });

  it("of two statements in about the same words the later one comes first, and the breakdown says why", async () => {
    const agent = anAgent(fixture);
    const before = await agent.store("Log retention is 30 days.");
    fixture.clock.advance(150 * DAY_MS);
    const since = await agent.store("Log retention is 90 days now, in every region.");
    const { memories } = await agent.recall({ query: "log retention", mark_accessed: false });
    expect(memories.map(({ id }) => id)).toEqual([since, before]);
    const [latest, outdated] = memories as [Item, Item];
    expect(latest.score_breakdown.supersession_penalty).toBe(1);
    expect(outdated.score_breakdown.supersession_penalty).toBeLessThanOrEqual(1);
    expect(outdated.composite).toBeLessThanOrEqual(latest.composite);
    expect(latest.score_breakdown.relevance).toBe(outdated.score_breakdown.relevance);
    expect(await agent.find("log retention", { ignore_decay: true, mark_accessed: false })).toEqual([before, since]);
  });

  it("an earlier one that says more of the question stays first, and so does one about something else", async () => {
    const agent = anAgent(fixture);
    const staging = await agent.store("The staging database runs on host pg-stage-1.");
    const rota = await agent.store("Hydrants are painted red every spring by the crew");
    fixture.clock.advance(150 * DAY_MS);
    await agent.store("The production database runs on host pg-prod-4.");
    await agent.store("Every spring there is a fair, with hydrants shown among steam engines, ploughs and organs");
    expect((await agent.find("staging database host", { mark_accessed: false }))[0]).toBe(staging);
    expect((await agent.find("hydrants spring", { mark_accessed: false }))[0]).toBe(rota);
  });

  it("the word that was typed comes before a rarer one for the same thing", async () => {
    const agent = anAgent(fixture);
    const typed = [
      await agent.store("The nightly backup starts at two in the morning, after the reports"),
      await agent.store("A backup of the wiki lies in the vault"),
      await agent.store("Whoever breaks the backup mends it, and tells the crew"),
    ];
    await agent.store("データベースの移行の前にバックアップを必ず取り、結果を表に記す");
    const found = await agent.find("backup", { mark_accessed: false });
    expect(found).toHaveLength(4);
    expect(found.slice(0, 3).sort()).toEqual(typed.sort());
  });

  it("equals come newest first, then by id", async () => {
    const agent = anAgent(fixture);
    const older = await agent.store("dugong east");
    fixture.clock.advance(1000);
    const twins = [await agent.store("dugong west"), await agent.store("dugong home")];
    expect(await agent.find("dugong")).toEqual([...twins, older]);
  });
}

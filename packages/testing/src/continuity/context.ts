import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "../tools/engine-fixture.ts";

interface Section {
  readonly kind: string;
  readonly items: readonly { readonly id: string; readonly content: string }[];
  readonly note?: string;
}

const DAY_MS = 86_400_000;

/** One briefing for a session that begins. */
export function briefingContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const brief = async (agent: Agent, input: object = {}) => {
    const answer = (await agent.call("chest_context", input)) as {
      readonly sections: readonly Section[];
      readonly tokens: number;
      readonly budget: number;
    };
    const ids = (kind: string) =>
      answer.sections.find((section) => section.kind === kind)?.items.map(({ id }) => id) ?? [];
    return { ...answer, kinds: answer.sections.map(({ kind }) => kind), ids };
  };
  const cited = (ids: readonly number[]) => ids.map(String);

  it("says nothing yet where nothing is known", async () => {
    expect(await brief(anAgent(fixture))).toMatchObject({ sections: [], budget: 800 });
  });

  it("Project-scoped context: first what the task needs, then what is recent and important, then open work", async () => {
    const agent = anAgent(fixture);
    const goal = await agent.store("Ship the pipit release in May.", { layer: "goal" });
    const answer = await agent.store("The pipit webhook is signed over the raw body.", { layer: "realize" });
    const other = await agent.store("Linnets nest in the hedge by the gate.");
    await agent.call("chest_work", { action: "add", title: "rotate the pipit key" });
    const { kinds, ids } = await brief(agent, { task: "fix how the pipit webhook is signed" });
    expect(kinds).toEqual(["task", "recent", "work"]);
    expect(ids("task")).toEqual(cited([answer]));
    expect(ids("recent")).toEqual(cited([goal, other]));
    expect(ids("work")).toHaveLength(1);
    expect((await brief(agent)).ids("recent")[0]).toBe(String(goal));
  });

  it("Token-budgeted session context: keeps within its budget, in any script, and takes the best for their length", async () => {
    const agent = anAgent(fixture);
    const long = "the heron gateway is tuned and tuned again until it holds; ".repeat(60);
    for (let nth = 0; nth < 4; nth++) await agent.store(`${nth} ${long}`, { importance: 0.6 });
    const short = await agent.store("The heron gateway listens on 8443.", { importance: 0.6 });
    for (let nth = 0; nth < 6; nth++)
      await agent.store(`${nth}番目の鷺の設定は深夜に更新される。`.repeat(20), { layer: "context" });
    for (const token_budget of [100, 200, 800, 3000]) {
      const { tokens, budget, ids } = await brief(agent, { token_budget, task: "heron gateway" });
      expect(budget).toBe(token_budget);
      expect(tokens).toBeLessThanOrEqual(token_budget);
      if (token_budget >= 200) expect([...ids("task"), ...ids("recent")]).toContain(String(short));
    }
  });

  it("Adaptive time windows by velocity: where much is stored, what is old and small gives way", async () => {
    const agent = anAgent(fixture);
    const old = await agent.store("An old small note on wrens.", { layer: "context", importance: 0.6 });
    expect((await brief(agent)).ids("recent")).toContain(String(old));
    fixture.clock.advance(10 * DAY_MS);
    expect((await brief(agent)).ids("recent")).toContain(String(old));
    for (let nth = 0; nth < 80; nth++) await agent.store(`Fresh note ${nth} on wrens.`, { layer: "implementation" });
    expect((await brief(agent)).ids("recent")).not.toContain(String(old));
  });

  it("Recency half-lives by type: of two that weigh alike the newer comes first, a pitfall keeps its place", async () => {
    const agent = anAgent(fixture);
    const pitfall = await agent.store("Never prune the yew in spring.", { layer: "realize", importance: 0.8 });
    const note = await agent.store("The yew is being pruned in the north.", { layer: "context", importance: 0.8 });
    fixture.clock.advance(40 * DAY_MS);
    const newer = await agent.store("The yew is being pruned in the south.", { layer: "context", importance: 0.8 });
    expect((await brief(agent)).ids("recent")).toEqual(cited([pitfall, newer, note]));
  });

  it("Recency half-lives by type: a change fades in a week, a decision stays a season", async () => {
    const agent = anAgent(fixture);
    const decision = await agent.store("The alder service speaks plain HTTP.", { category: "decision" });
    const change = await agent.store("The alder service logs to a file.", { category: "change", layer: "learning" });
    fixture.clock.advance(DAY_MS);
    expect((await brief(agent)).ids("recent")).toEqual(cited([decision, change]));
    const refactor = await agent.store("The alder service was cut in two.", {
      category: "refactor",
      layer: "learning",
    });
    expect((await brief(agent)).ids("recent")).toEqual(cited([decision, refactor, change]));
  });

  it("shows nobody's mood, nothing of another project unasked, and counts no access", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("The siskin build is slow.");
    await agent.store("The siskin build is a joy.", { layer: "emotion" });
    const elsewhere = anAgent(fixture);
    await elsewhere.store("The siskin build of another project.", { visibility: "project" });
    const { ids } = await brief(agent, { task: "siskin build" });
    expect(ids("task")).toEqual(cited([id]));
    expect(ids("recent")).toEqual([]);
    const memory = await fixture.as({ caller: agent.caller }).memories.byId(id);
    expect(memory).toMatchObject({ accessCount: 0 });
  });

  it("shows a skill to those who look for one, and in no briefing", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("godwit (~/skills/godwit/SKILL.md): Mends the godwit build.", { category: "skill" });
    const { kinds } = await brief(agent, { task: "mend the godwit build" });
    expect(kinds).toEqual([]);
    expect(await agent.find("mend godwit", { category: "skill" })).toEqual([id]);
  });

  it.each([[{ token_budget: 50 }], [{ token_budget: 7000 }], [{ task: "  " }], [{ budget: 50 }]])(
    "refuses %j",
    async (input) => {
      expect(await anAgent(fixture).refused("chest_context", input)).toMatchObject({ code: "VALIDATION_ERROR" });
    },
  );
}

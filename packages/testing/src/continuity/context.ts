import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk, type Desk } from "../desk.ts";
import { aHouse } from "../tools/house.ts";

interface Section {
  readonly kind: string;
  readonly items: readonly { readonly id: string; readonly content: string }[];
  readonly note?: string;
}

const DAY_MS = 86_400_000;

/** One briefing for a session that begins. */
export function briefingContract(open: OpenEngine): void {
  const house = aHouse(open);
  const brief = async (desk: Desk, input: object = {}) => {
    const answer = (await desk.call("chest_context", input)) as {
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
    expect(await brief(aDesk(house))).toMatchObject({ sections: [], budget: 800 });
  });

  it("Project-scoped context: first what the task needs, then what is recent and important, then open work", async () => {
    const desk = aDesk(house);
    const goal = await desk.store("Ship the pipit release in May.", { layer: "goal" });
    const answer = await desk.store("The pipit webhook is signed over the raw body.", { layer: "realize" });
    const other = await desk.store("Linnets nest in the hedge by the gate.");
    await desk.call("chest_work", { action: "add", title: "rotate the pipit key" });
    const { kinds, ids } = await brief(desk, { task: "fix how the pipit webhook is signed" });
    expect(kinds).toEqual(["task", "recent", "work"]);
    expect(ids("task")).toEqual(cited([answer]));
    expect(ids("recent")).toEqual(cited([goal, other]));
    expect(ids("work")).toHaveLength(1);
    expect((await brief(desk)).ids("recent")[0]).toBe(String(goal));
  });

  it("Token-budgeted session context: keeps within its budget, in any script, and takes the best for their length", async () => {
    const desk = aDesk(house);
    const long = "the heron gateway is tuned and tuned again until it holds; ".repeat(60);
    for (let nth = 0; nth < 4; nth++) await desk.store(`${nth} ${long}`, { importance: 0.6 });
    const short = await desk.store("The heron gateway listens on 8443.", { importance: 0.6 });
    for (let nth = 0; nth < 6; nth++)
      await desk.store(`${nth}番目の鷺の設定は深夜に更新される。`.repeat(20), { layer: "context" });
    for (const token_budget of [100, 200, 800, 3000]) {
      const { tokens, budget, ids } = await brief(desk, { token_budget, task: "heron gateway" });
      expect(budget).toBe(token_budget);
      expect(tokens).toBeLessThanOrEqual(token_budget);
      if (token_budget >= 200) expect([...ids("task"), ...ids("recent")]).toContain(String(short));
    }
  });

  it("Adaptive time windows by velocity: where much is stored, what is old and small gives way", async () => {
    const desk = aDesk(house);
    const old = await desk.store("An old small note on wrens.", { layer: "context", importance: 0.6 });
    expect((await brief(desk)).ids("recent")).toContain(String(old));
    house.clock.advance(10 * DAY_MS);
    expect((await brief(desk)).ids("recent")).toContain(String(old));
    for (let nth = 0; nth < 80; nth++) await desk.store(`Fresh note ${nth} on wrens.`, { layer: "implementation" });
    expect((await brief(desk)).ids("recent")).not.toContain(String(old));
  });

  it("Recency half-lives by type: of two that weigh alike the newer comes first, a pitfall keeps its place", async () => {
    const desk = aDesk(house);
    const pitfall = await desk.store("Never prune the yew in spring.", { layer: "realize", importance: 0.8 });
    const note = await desk.store("The yew is being pruned in the north.", { layer: "context", importance: 0.8 });
    house.clock.advance(40 * DAY_MS);
    const newer = await desk.store("The yew is being pruned in the south.", { layer: "context", importance: 0.8 });
    expect((await brief(desk)).ids("recent")).toEqual(cited([pitfall, newer, note]));
  });

  it("Recency half-lives by type: a change fades in a week, a decision stays a season", async () => {
    const desk = aDesk(house);
    const decision = await desk.store("The alder service speaks plain HTTP.", { category: "decision" });
    const change = await desk.store("The alder service logs to a file.", { category: "change", layer: "learning" });
    house.clock.advance(DAY_MS);
    expect((await brief(desk)).ids("recent")).toEqual(cited([decision, change]));
    const refactor = await desk.store("The alder service was cut in two.", { category: "refactor", layer: "learning" });
    expect((await brief(desk)).ids("recent")).toEqual(cited([decision, refactor, change]));
  });

  it("shows nobody's mood, nothing of another project unasked, and counts no access", async () => {
    const desk = aDesk(house);
    const id = await desk.store("The siskin build is slow.");
    await desk.store("The siskin build is a joy.", { layer: "emotion" });
    const elsewhere = aDesk(house);
    await elsewhere.store("The siskin build of another project.", { visibility: "project" });
    const { ids } = await brief(desk, { task: "siskin build" });
    expect(ids("task")).toEqual(cited([id]));
    expect(ids("recent")).toEqual([]);
    const memory = await house.as({ caller: desk.caller }).memories.byId(id);
    expect(memory).toMatchObject({ accessCount: 0 });
  });

  it("shows a skill to those who look for one, and in no briefing", async () => {
    const desk = aDesk(house);
    const id = await desk.store("godwit (~/skills/godwit/SKILL.md): Mends the godwit build.", { category: "skill" });
    const { kinds } = await brief(desk, { task: "mend the godwit build" });
    expect(kinds).toEqual([]);
    expect(await desk.find("mend godwit", { category: "skill" })).toEqual([id]);
  });

  it.each([[{ token_budget: 50 }], [{ token_budget: 7000 }], [{ task: "  " }], [{ budget: 50 }]])(
    "refuses %j",
    async (input) => {
      expect(await aDesk(house).refused("chest_context", input)).toMatchObject({ code: "VALIDATION_ERROR" });
    },
  );
}

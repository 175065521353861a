import { type TimelineQuery, tiersOf, timelineOf } from "@chest/core/continuity";
import { describe, expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "../tools/engine-fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Requirements on the neighbours of a memory in time, and on its nearness to the present work. */
export function timelineContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const portsOf = (agent: Agent) => ({
    ...fixture.ports,
    store: fixture.as({ caller: agent.caller }),
    signal: new AbortController().signal,
  });
  const timeline = async (agent: Agent, over: Partial<TimelineQuery> = {}) => {
    const asked = { reach: "here", project: agent.caller.project, before: 2, after: 2, ...over } as const;
    const { anchor, memories, movedFrom } = await timelineOf(asked, portsOf(agent));
    return { anchor: anchor?.id, ids: memories.map(({ id }) => id), movedFrom };
  };
  const tiersIn = async (agent: Agent, session: string | undefined) => {
    const asked = { reach: "here", project: agent.caller.project, session } as const;
    const tiers = await tiersOf(asked, fixture.as({ caller: agent.caller }), fixture.clock.now());
    return [tiers.working.map(({ id }) => id), tiers.active.map(({ id }) => id), tiers.archive];
  };
  const storeAll = async (agent: Agent, ...contents: readonly string[]) => {
    const ids: number[] = [];
    for (const content of contents) {
      ids.push(await agent.store(content));
      fixture.clock.advance(60_000);
    }
    return ids;
  };

  describe("Timeline browsing around an anchor", () => {
    it("tool mem_timeline: is what was stored before and after a memory in its project, in order of time", async () => {
      const agent = anAgent(fixture);
      const [a, b, c, d, e, f] = await storeAll(agent, "one", "two", "three", "four", "five", "six");
      const other = anAgent(fixture);
      await other.store("elsewhere", { visibility: "team" });
      expect(await timeline(agent, { id: c })).toEqual({ anchor: c, ids: [a, b, c, d, e], movedFrom: undefined });
      expect((await timeline(agent, { id: a, after: 1 })).ids).toEqual([a, b]);
      expect((await timeline(agent, { query: "five", before: 1, after: 9 })).ids).toEqual([d, e, f]);
      expect(await timeline(agent, { before: 1 })).toMatchObject({ anchor: f, ids: [e, f] });
      expect(await timeline(anAgent(fixture))).toEqual({ anchor: undefined, ids: [], movedFrom: undefined });
    });

    it("jumps from what was replaced to what replaced it, and says so; one that was put away leads to the newest", async () => {
      const agent = anAgent(fixture);
      const [a, b] = await storeAll(agent, "the moon is far", "the sun is near");
      const { memory_id: newer } = await agent.remember({ content: "the moon is farther", supersedes: [a] });
      expect(await timeline(agent, { id: a, after: 0 })).toEqual({ anchor: newer, ids: [b, newer], movedFrom: a });
      await agent.forget({ memory_id: b });
      expect(await timeline(agent, { id: b })).toMatchObject({ anchor: newer, ids: [newer] });
      expect((await timeline(anAgent(fixture), { id: 987_654_321 })).anchor).toBeUndefined();
    });
  });

  it("tool mem_browse (tiers): working is fresh, active is younger than two half-lives, of the rest a count", async () => {
    const agent = anAgent(fixture);
    const past = await agent.store("an old state of work", { layer: "context" });
    const rule = await agent.store("an old pitfall", { layer: "realize" });
    fixture.clock.advance(40 * DAY_MS);
    const lately = await agent.store("a decision of yesterday");
    fixture.clock.advance(DAY_MS);
    const fresh = await agent.store("a note of this hour", { layer: "context" });
    expect(await tiersIn(agent, undefined)).toEqual([[fresh], [lately, rule], 1]);
    expect(past).toBeLessThan(rule);
  });

  it("tool mem_browse (tiers): what the session wrote long ago is near, and hides nothing behind it", async () => {
    const agent = anAgent(fixture);
    const inSession = { caller: { ...agent.caller, client: { ...agent.caller.client, session: "tiers" } } };
    const behind = await agent.store("behind the many of a session");
    const own: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      fixture.clock.advance(60_000);
      own.unshift((await agent.remember({}, inSession)).memory_id);
    }
    fixture.clock.advance(DAY_MS);
    expect(await tiersIn(agent, "tiers")).toEqual([own.slice(0, 5), [behind], 0]);
    expect(await tiersIn(agent, undefined)).toEqual([[], own.slice(0, 5), 0]);
    fixture.clock.advance(400 * DAY_MS);
    expect(await tiersIn(agent, "tiers")).toEqual([own.slice(0, 5), [], 1]);
    expect(await tiersIn(agent, undefined)).toEqual([[], [], 8]);
  });

  it("tool mem_browse (tiers): an important memory that was opened lately is near, however old", async () => {
    const agent = anAgent(fixture);
    const key = await agent.store("where the kestrel lives", { importance: 0.8 });
    const trifle = await agent.store("what the kestrel ate", { importance: 0.4 });
    fixture.clock.advance(400 * DAY_MS);
    expect(await tiersIn(agent, undefined)).toEqual([[], [], 2]);
    fixture.as({ caller: agent.caller }).noteAccess([key, trifle]);
    await expect.poll(() => tiersIn(agent, undefined), { timeout: 10_000 }).toEqual([[key], [], 1]);
  });

  it("tool mem_stats: counts what was stored by day, of what the caller may see", async () => {
    const agent = anAgent(fixture);
    const since = fixture.clock.now();
    await storeAll(agent, "first", "second");
    fixture.clock.advance(2 * DAY_MS);
    await agent.store("third");
    await anAgent(fixture).store("another project's");
    const days = await fixture
      .as({ caller: agent.caller })
      .memories.activity({ projectKey: agent.caller.project ?? "" }, since);
    expect(days.map(({ memories }) => memories)).toEqual([2, 1]);
    expect(days.map(({ day }) => day)).toEqual([since, fixture.clock.now()].map((at) => at.toISOString().slice(0, 10)));
  });
}

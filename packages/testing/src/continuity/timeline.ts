import { type TimelineAsked, tiersOf, timelineOf } from "@chest/core/continuity";
import { describe, expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk, type Desk } from "../desk.ts";
import { aHouse } from "../tools/house.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Requirements on the neighbours of a memory in time, and on its nearness to the present work. */
export function timelineContract(open: OpenEngine): void {
  const house = aHouse(open);
  const portsOf = (desk: Desk) => ({
    ...house.ports,
    store: house.as({ caller: desk.caller }),
    signal: new AbortController().signal,
  });
  const timeline = async (desk: Desk, over: Partial<TimelineAsked> = {}) => {
    const asked = { reach: "here", project: desk.caller.project, before: 2, after: 2, ...over } as const;
    const { anchor, memories, movedFrom } = await timelineOf(asked, portsOf(desk));
    return { anchor: anchor?.id, ids: memories.map(({ id }) => id), movedFrom };
  };
  const tiersIn = async (desk: Desk, session: string | undefined) => {
    const asked = { reach: "here", project: desk.caller.project, session } as const;
    const tiers = await tiersOf(asked, house.as({ caller: desk.caller }), house.clock.now());
    return [tiers.working.map(({ id }) => id), tiers.active.map(({ id }) => id), tiers.archive];
  };
  const storeAll = async (desk: Desk, ...contents: readonly string[]) => {
    const ids: number[] = [];
    for (const content of contents) {
      ids.push(await desk.store(content));
      house.clock.advance(60_000);
    }
    return ids;
  };

  describe("Timeline browsing around an anchor", () => {
    it("tool mem_timeline: is what was stored before and after a memory in its project, in order of time", async () => {
      const desk = aDesk(house);
      const [a, b, c, d, e, f] = await storeAll(desk, "one", "two", "three", "four", "five", "six");
      const other = aDesk(house);
      await other.store("elsewhere", { visibility: "team" });
      expect(await timeline(desk, { id: c })).toEqual({ anchor: c, ids: [a, b, c, d, e], movedFrom: undefined });
      expect((await timeline(desk, { id: a, after: 1 })).ids).toEqual([a, b]);
      expect((await timeline(desk, { query: "five", before: 1, after: 9 })).ids).toEqual([d, e, f]);
      expect(await timeline(desk, { before: 1 })).toMatchObject({ anchor: f, ids: [e, f] });
      expect(await timeline(aDesk(house))).toEqual({ anchor: undefined, ids: [], movedFrom: undefined });
    });

    it("jumps from what was replaced to what replaced it, and says so; one that was put away leads to the newest", async () => {
      const desk = aDesk(house);
      const [a, b] = await storeAll(desk, "the moon is far", "the sun is near");
      const { memory_id: newer } = await desk.remember({ content: "the moon is farther", supersedes: [a] });
      expect(await timeline(desk, { id: a, after: 0 })).toEqual({ anchor: newer, ids: [b, newer], movedFrom: a });
      await desk.forget({ memory_id: b });
      expect(await timeline(desk, { id: b })).toMatchObject({ anchor: newer, ids: [newer] });
      expect((await timeline(aDesk(house), { id: 987_654_321 })).anchor).toBeUndefined();
    });
  });

  it("tool mem_browse (tiers): working is fresh, active is younger than two half-lives, of the rest a count", async () => {
    const desk = aDesk(house);
    const past = await desk.store("an old state of work", { layer: "context" });
    const rule = await desk.store("an old pitfall", { layer: "realize" });
    house.clock.advance(40 * DAY_MS);
    const lately = await desk.store("a decision of yesterday");
    house.clock.advance(DAY_MS);
    const fresh = await desk.store("a note of this hour", { layer: "context" });
    expect(await tiersIn(desk, undefined)).toEqual([[fresh], [lately, rule], 1]);
    expect(past).toBeLessThan(rule);
  });

  it("tool mem_browse (tiers): what the session wrote long ago is near, and hides nothing behind it", async () => {
    const desk = aDesk(house);
    const inSession = { caller: { ...desk.caller, client: { ...desk.caller.client, session: "tiers" } } };
    const behind = await desk.store("behind the many of a session");
    const own: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      house.clock.advance(60_000);
      own.unshift((await desk.remember({}, inSession)).memory_id);
    }
    house.clock.advance(DAY_MS);
    expect(await tiersIn(desk, "tiers")).toEqual([own.slice(0, 5), [behind], 0]);
    expect(await tiersIn(desk, undefined)).toEqual([[], own.slice(0, 5), 0]);
    house.clock.advance(400 * DAY_MS);
    expect(await tiersIn(desk, "tiers")).toEqual([own.slice(0, 5), [], 1]);
    expect(await tiersIn(desk, undefined)).toEqual([[], [], 8]);
  });

  it("tool mem_browse (tiers): an important memory that was opened lately is near, however old", async () => {
    const desk = aDesk(house);
    const key = await desk.store("where the kestrel lives", { importance: 0.8 });
    const trifle = await desk.store("what the kestrel ate", { importance: 0.4 });
    house.clock.advance(400 * DAY_MS);
    expect(await tiersIn(desk, undefined)).toEqual([[], [], 2]);
    house.as({ caller: desk.caller }).noteAccess([key, trifle]);
    await expect.poll(() => tiersIn(desk, undefined), { timeout: 10_000 }).toEqual([[key], [], 1]);
  });

  it("tool mem_stats: counts what was stored by day, of what the caller may see", async () => {
    const desk = aDesk(house);
    const since = house.clock.now();
    await storeAll(desk, "first", "second");
    house.clock.advance(2 * DAY_MS);
    await desk.store("third");
    await aDesk(house).store("another project's");
    const days = await house
      .as({ caller: desk.caller })
      .memories.activity({ projectKey: desk.caller.project ?? "" }, since);
    expect(days.map(({ memories }) => memories)).toEqual([2, 1]);
    expect(days.map(({ day }) => day)).toEqual([since, house.clock.now()].map((at) => at.toISOString().slice(0, 10)));
  });
}

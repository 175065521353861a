import { type TimelineAsked, tiersOf, timelineOf } from "@chest/core";
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
    const tiers = await tiersOf(
      { reach: "here", project: desk.caller.project, session: undefined },
      house.as({ caller: desk.caller }),
      house.clock.now(),
    );
    const ids = (memories: readonly { id: number }[]) => memories.map(({ id }) => id);
    expect([ids(tiers.working), ids(tiers.active), tiers.archive]).toEqual([[fresh], [lately, rule], 1]);
    expect(past).toBeLessThan(rule);
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

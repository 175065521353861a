import type { Caller } from "@chest/core/access";
import { canonical, type Memory } from "@chest/core/memory";
import { MOST_GAPS, type NewsQuery, type Store } from "@chest/core/ports";
import { describe, expect, it } from "vitest";
import { aCaller, type FixedClock } from "../fakes.ts";
import type { Draft } from "./engine-contract.ts";

/** The engine under test, and how a memory gets into it. */
export interface Bench {
  as(caller: Caller): Store;
  add(caller: Caller, draft?: Draft): Promise<Memory>;
  readonly clock: FixedClock;
}

const ALICE = aCaller({ member: { id: 11, name: "alice" }, project: "host/org/apple" });
const BOB = aCaller({ member: { id: 12, name: "bob" }, project: "host/org/apple" });
const LIVE = { reach: "here", withArchived: false, withSuperseded: false } as const;
const FIRST = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
const OTHER = { ...FIRST, revision: "2" };
const DAY_MS = 86_400_000;

/** Requirements on page-by-page lists: ordered memories, memories without a vector, files read in a session. */
export function listsContract(bench: () => Bench): void {
  const browse = async (over: Partial<Parameters<Store["memories"]["browse"]>[0]>) => {
    const { total, memories } = await bench()
      .as(ALICE)
      .memories.browse({ order: "newest", limit: 50, offset: 0, where: LIVE, ...over });
    return { total, ids: memories.map(({ id }) => id) };
  };
  const archive = (memory: Memory) =>
    bench()
      .as(ALICE)
      .write((tx) => tx.memories.archive(memory, "forget"));

  async function open(memory: Memory, times: number): Promise<void> {
    const store = bench().as(ALICE);
    for (let i = 0; i < times; i++) store.noteAccess([memory.id]);
    const count = async () => (await store.memories.byId(memory.id))?.accessCount;
    await expect.poll(count, { timeout: 5000 }).toBe(times);
  }

  describe("a list", () => {
    it("pages the newest without a gap, and its total is that of all pages", async () => {
      const { add, clock } = bench();
      const made: number[] = [];
      for (let i = 0; i < 5; i++) {
        made.unshift((await add(ALICE, { content: `leaf ${i}` })).id);
        if (i > 1) clock.advance(1000);
      }
      await archive(await add(ALICE, { content: "gone" }));
      const pages = await Promise.all([0, 2, 4].map((offset) => browse({ limit: 2, offset })));
      expect(pages.flatMap(({ ids }) => ids)).toEqual(made);
      expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
    });

    it("keeps questions that found nothing by project, the newest so many, and shows those of open projects", async () => {
      const { as, add } = bench();
      await add(ALICE, {});
      const elsewhere: Caller = { ...ALICE, project: undefined };
      const ask = (by: Caller, question: string) => as(by).write((tx) => tx.gaps.note(question));
      await ask(ALICE, "where are the ladders");
      await ask(elsewhere, "when is lunch");
      await ask(BOB, "where are the ladders");
      // That project does not exist yet, so it has no access rules.
      await ask({ ...ALICE, project: "host/org/unheard-of" }, "who is there");
      const asked = (await as(BOB).gaps.list(10)).map(({ question, project, times }) => [question, project, times]);
      expect(asked).toEqual([
        ["where are the ladders", ALICE.project, 2],
        ["when is lunch", undefined, 1],
      ]);

      const closed: Caller = { ...BOB, token: { id: 7, projectIds: [], expiresAt: undefined } };
      expect((await as(closed).gaps.list(10)).map(({ question }) => question)).toEqual(["when is lunch"]);
      for (let nth = 0; nth < MOST_GAPS; nth++) await ask(ALICE, `question ${nth}`);
      const kept = await as(BOB).gaps.list(2 * MOST_GAPS);
      expect(kept.filter(({ project }) => project !== undefined)).toHaveLength(MOST_GAPS);
    });

    it("tells of sessions by their last memory, of openings by day, and of what was never opened", async () => {
      const { add, as, clock } = bench();
      const inSession = (session: string): Caller => ({ ...ALICE, client: { ...ALICE.client, session } });
      const first = await add(inSession("s-1"), { content: "one of the first" });
      clock.advance(60_000);
      const second = await add(inSession("s-2"), { content: "one of the second" });
      clock.advance(60_000);
      await add(inSession("s-1"), { content: "another of the first", visibility: "private" });
      await open(first, 2);
      const { listings } = as(ALICE);
      const { total, sessions } = await listings.sessions({ reach: "here", limit: 5, offset: 0 });
      expect([total, sessions.map(({ id, memories, edits }) => [id, memories, edits])]).toEqual([
        2,
        [
          ["s-1", 2, 0],
          ["s-2", 1, 0],
        ],
      ]);
      expect((await listings.sessions({ reach: "here", limit: 1, offset: 1 })).sessions[0]?.lastAt).toEqual(
        second.createdAt,
      );
      const bobs = await as(BOB).listings.sessions({ reach: "here", limit: 5, offset: 0 });
      expect(bobs.sessions.map(({ id, memories }) => [id, memories])).toEqual([
        ["s-2", 1],
        ["s-1", 1],
      ]);
      const openings = await listings.openings("here", new Date(clock.now().getTime() - DAY_MS));
      expect(openings.reduce((sum, day) => sum + day.openings, 0)).toBe(2);
      expect((await browse({ where: { ...LIVE, isUnused: true } })).ids).not.toContain(first.id);
    });

    it("tells what is new since a moment by project, without what a caller may not see, and when its member looked", async () => {
      const { add, as, clock } = bench();
      await add(ALICE, { content: "long known" });
      clock.advance(DAY_MS);
      const since = clock.now();
      clock.advance(1000);
      const seen = await add(ALICE, { content: "new for all" });
      const mine = await add(ALICE, { content: "new for me", visibility: "private" });
      await open(seen, 2);
      const pitfall = await add(ALICE, { content: "a new pitfall", layer: "realize" });
      const news = async (caller: Caller, most: Partial<NewsQuery> = {}) => {
        const asked = { since, mostNewest: 10, mostRules: 10, mostOpened: 10, ...most };
        const { projects, ...rest } = await as(caller).home.news("everywhere", asked);
        return { ...rest, memories: projects.reduce((sum, { memories }) => sum + memories, 0) };
      };
      const opened = { opened: 2, mostOpened: [{ id: seen.id, times: 2 }] };
      expect(await news(ALICE)).toEqual({ ...opened, memories: 3, newest: [pitfall.id, mine.id, seen.id], rules: [] });
      expect(await news(BOB)).toEqual({ ...opened, memories: 2, newest: [pitfall.id, seen.id], rules: [pitfall.id] });
      expect(await news(BOB, { mostNewest: 1, mostRules: 0 })).toMatchObject({ newest: [pitfall.id], rules: [] });

      expect(await as(ALICE).home.lookedAt()).toBeUndefined();
      for (const at of [clock.now(), since]) await as(ALICE).write(async (tx) => tx.home.look(at));
      expect(await as(ALICE).home.lookedAt()).toEqual(new Date(Math.floor(clock.now().getTime() / 1000) * 1000));
      expect(await as(BOB).home.lookedAt()).toBeUndefined();
    });

    it("puts the hottest first, by use, age and importance", async () => {
      const { add, clock } = bench();
      const old = await add(ALICE, { content: "old and dear", importance: 0.6 });
      const oldest = await add(ALICE, { content: "old and cheap", importance: 0.1 });
      clock.advance(40 * DAY_MS);
      const fresh = await add(ALICE, { content: "fresh", importance: 0.1 });
      const used = await add(ALICE, { content: "in use", importance: 0 });
      await open(used, 3);
      expect((await browse({ order: "hot" })).ids).toEqual([used.id, fresh.id, old.id, oldest.id]);
    });

    it("shows what was used of late, last used first", async () => {
      const { add, clock } = bench();
      const before = await add(ALICE, { content: "used long ago" });
      await open(before, 1);
      clock.advance(8 * DAY_MS);
      const [first, second] = [
        await add(ALICE, { content: "used first" }),
        await add(ALICE, { content: "used second" }),
      ];
      await add(ALICE, { content: "never used" });
      await open(first, 1);
      clock.advance(1000);
      await open(second, 1);
      const recent = await browse({ order: "used", usedWithinDays: 7 });
      expect(recent).toEqual({ total: 2, ids: [second.id, first.id] });
    });

    it("keeps to layers, entities and the project that is asked about", async () => {
      const { add, as } = bench();
      const goal = await add(ALICE, { content: "a goal", layer: "goal", entityName: "Acme" });
      const pitfall = await add(ALICE, { content: "a pitfall", layer: "realize", entityName: "Other" });
      await add(ALICE, { content: "a lesson", entityName: "Acme" });
      const layers = ["goal", "realize"] as const;
      expect((await browse({ where: { ...LIVE, layers } })).ids).toEqual([pitfall.id, goal.id]);
      expect((await browse({ where: { ...LIVE, layers, aboutProject: "aCME" } })).ids).toEqual([goal.id]);
      const named = await as(ALICE).entities.byName("ACME", "here");
      expect(named).toEqual({ name: "Acme", ids: [goal.entity.id] });
      expect((await browse({ where: { ...LIVE, entityIds: named?.ids ?? [] } })).total).toBe(2);
      expect(await as(ALICE).entities.byName("nobody", "here")).toBeUndefined();
    });

    it("adds up to an overview of what is live", async () => {
      const { add, as, clock } = bench();
      expect((await as(ALICE).memories.overview("here")).createdBetween).toBeUndefined();
      await add(ALICE, { content: "one", layer: "goal", importance: 0.95 });
      await add(ALICE, { content: "two", layer: "goal" });
      await archive(await add(ALICE, { content: "three", entityName: "other" }));
      const { layers, entities, createdBetween, edits } = await as(ALICE).memories.overview("here");
      expect(createdBetween).toEqual({ oldest: clock.now(), newest: clock.now() });
      expect(edits).toEqual({ edits: 0, files: 0, sessions: 0 });
      expect(await as(ALICE).memories.overview("here")).toMatchObject({ topFiles: [], sessions: 0, consolidations: 0 });
      const sum = (list: readonly number[]) => list.reduce((total, n) => total + n, 0);
      expect(sum(layers.map(({ memories }) => memories))).toBe(2);
      expect(sum(layers.map(({ pinned }) => pinned))).toBe(1);
      expect(entities).toEqual([{ kind: "project", entities: 1 }]);
    });
  });

  describe.each([
    ["the active identity", FIRST],
    ["another identity", OTHER],
  ])("what has no vector of %s", (_, identity) => {
    const put = (memory: Memory, made = identity) =>
      bench()
        .as(ALICE)
        .write((tx) => tx.vectors.put(memory, made, Float32Array.of(1, 0, 0, 0)));
    const pending = async (cursor = 0, limit = 50) => {
      const { memories, remaining } = await bench().as(ALICE).memories.pending(identity, cursor, limit);
      return { ids: memories.map(({ id }) => id), remaining };
    };

    it("is listed by id above a cursor, whatever its space, with what remains", async () => {
      const { add } = bench();
      const ids = [
        (await add(ALICE, { content: "one" })).id,
        (await add(ALICE, { content: "two", visibility: "team" })).id,
        (await add(ALICE, { content: "three", visibility: "private" })).id,
        (await add(ALICE, { content: "four" })).id,
      ];
      await add(BOB, { content: "hidden", visibility: "private" });
      await archive(await add(ALICE, { content: "gone" }));
      expect(await pending(0, 3)).toEqual({ ids: ids.slice(0, 3), remaining: 4 });
      expect(await pending(ids[2], 3)).toEqual({ ids: ids.slice(3), remaining: 4 });
      expect(await pending(ids[3])).toEqual({ ids: [], remaining: 4 });
    });

    it("is off the list with a vector of it, and back with new words", async () => {
      const { add, as } = bench();
      const made = await add(ALICE);
      await put(made, identity === FIRST ? OTHER : FIRST);
      expect((await pending()).ids).toEqual([made.id]);
      await put(made);
      expect(await pending()).toEqual({ ids: [], remaining: 0 });
      await as(ALICE).write((tx) => tx.memories.revise(made, { text: canonical("other words") }));
      expect((await pending()).ids).toEqual([made.id]);
    });
  });

  describe("a file's snapshot", () => {
    const KEY = { machine: "desk", session: "one", path: "/src/a.ts" };
    const GIVEN = { contentHash: "abc", mtimeNs: "1700000000000000001", sizeBytes: 12, chunks: '[{"id":"a"}]' };
    const put = (over = {}) =>
      bench()
        .as(ALICE)
        .write((tx) => tx.snapshots.put(KEY, { ...GIVEN, ...over }));
    const find = (key = KEY, caller = ALICE) => bench().as(caller).snapshots.find(key);

    it("comes back as it went in, and counts its reads", async () => {
      const { clock, as } = bench();
      await put();
      expect(await find()).toEqual({ ...GIVEN, path: KEY.path, lastReadAt: clock.now(), readCount: 1 });
      clock.advance(5000);
      await put({ contentHash: "def" });
      await as(ALICE).write((tx) => tx.snapshots.touch(KEY, undefined));
      await as(ALICE).write((tx) => tx.snapshots.touch({ ...KEY, path: "/none" }, "1"));
      expect(await find()).toMatchObject({ contentHash: "def", readCount: 3, lastReadAt: clock.now() });
      expect(await find({ ...KEY, path: "/none" })).toBeUndefined();
    });

    it("is its member's, of that machine and session alone", async () => {
      await put();
      expect(await find({ ...KEY, machine: "other" })).toBeUndefined();
      expect(await find({ ...KEY, session: "two" })).toBeUndefined();
      expect(await find(KEY, BOB)).toBeUndefined();
    });

    it("is gone when nobody read it for 30 days", async () => {
      await put();
      bench().clock.advance(29 * DAY_MS);
      expect(await find()).toBeDefined();
      bench().clock.advance(DAY_MS);
      expect(await find()).toBeUndefined();
    });
  });
}

import type { Caller } from "@chest/core/access";
import { canonical, type Memory } from "@chest/core/memory";
import type { Engine, Filter, Store } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { describe, expect, it } from "vitest";
import { aCaller } from "../fakes.ts";
import type { Draft } from "./engine-contract.ts";

/** The engine under test, and how a memory gets into it. */
interface Bench {
  readonly engine: Engine;
  as(caller: Caller): Store;
  add(caller: Caller, draft?: Draft): Promise<Memory>;
}

const inSession = (session: string | undefined, project = "host/org/apple"): Caller =>
  aCaller({ member: { id: 11, name: "alice" }, project, client: { name: "t", version: "1", session } });
const ALICE = inSession("one");

/** Turns of one session lend each other their words; no others do, and lent words are not stored. */
export function contextContract(open: () => Bench): void {
  let turns = 0;
  /** Captures what is added in a session, as a turn of its journal. */
  const bench = (): Bench => {
    const { add, as, ...others } = open();
    const capture = async (caller: Caller, session: string, draft: Draft): Promise<Memory> => {
      const { content = "", entityName = "apple", ...over } = draft;
      const place = { visibility: "project" as const, projectKey: caller.project, ...over };
      turns += 1;
      return as(caller).write(async (tx) => {
        const { entity } = await tx.entities.findOrAdd({ name: entityName, kind: "project", key: undefined, ...place });
        const made = {
          entity,
          layer: "context" as const,
          importance: 0.5,
          tags: [],
          text: canonical(content),
          ...place,
        };
        const journal = { session, rule: "first_intent" as const, at: new Date(), captureKey: `turn-${turns}` };
        const { id } = await tx.sessions.capture({ expiresAt: undefined, hasOwnExpiry: false, ...made, ...journal });
        return (await tx.memories.byId(id ?? 0)) as Memory;
      });
    };
    const added = (caller: Caller, draft: Draft = {}) =>
      caller.client.session === undefined ? add(caller, draft) : capture(caller, caller.client.session, draft);
    return { ...others, as, add: added };
  };

  const found = async (text: string, over: Partial<Filter> = {}, caller = ALICE) => {
    const where: Filter = { reach: "everywhere", withArchived: false, withSuperseded: false, ...over };
    return (await bench().as(caller).search.matchWords(readQuery(text), where, 50)) ?? [];
  };
  const ids = async (...asked: Parameters<typeof found>) => (await found(...asked)).map(({ id }) => id);

  /** A question, its answer, which names nothing of it, and what came two later. */
  async function conversation(caller = ALICE) {
    const { add } = bench();
    const asked = await add(caller, { content: "kestrel migration is stuck" });
    const answer = await add(caller, { content: "a lock was held by vacuum" });
    const second = await add(caller, { content: "raised the timeout" });
    const third = await add(caller, { content: "told everybody" });
    return { asked, answer, second, third };
  }

  describe("what was captured of one session", () => {
    it("is found by the words beside it, nearer rows first, and says that they were lent", async () => {
      const { asked, answer, second, third } = await conversation();
      const hits = await found("kestrel");
      expect(hits.map(({ id }) => id)).toEqual([asked.id, answer.id, second.id, third.id]);
      expect(hits.map(({ lent = 0 }) => lent > 0)).toEqual([false, true, true, true]);
      for (const { lent = 0, coverage = 0 } of hits.slice(1)) expect(coverage).toBeCloseTo(lent, 6);
    });

    it("does not hold what is lent to it: who asks for words of both learns that no memory has all", async () => {
      const { asked, answer } = await conversation();
      const whole = (hits: Awaited<ReturnType<typeof found>>) =>
        hits.flatMap(({ id, isWhole }) => (isWhole ? [id] : []));
      expect(whole(await found("kestrel vacuum"))).toEqual([]);
      expect(whole(await found("kestrel migration"))).toEqual([asked.id]);
      expect(whole(await found("vacuum"))).toEqual([answer.id]);
    });

    it("comes before what holds the same words alone", async () => {
      await bench().add(inSession(undefined), { content: "a lock was held by vacuum", entityName: "other" });
      const { answer } = await conversation();
      expect((await ids("kestrel lock vacuum"))[0]).toBe(answer.id);
    });

    it("takes in what comes later, at once and both ways", async () => {
      const { third } = await conversation();
      expect(await ids("osprey")).toEqual([]);
      const later = await bench().add(ALICE, { content: "osprey is next" });
      expect(await ids("osprey")).toEqual([later.id, third.id]);
      expect(await ids("everybody")).toContain(later.id);
    });

    it("lends only within its session and its space", async () => {
      const { add } = bench();
      const hidden = await add(ALICE, { content: "merlin", visibility: "private" });
      await add(ALICE, { content: "in the same session, for the project" });
      await add(inSession("one", "host/org/pear"), { content: "in another project" });
      await add(inSession("two"), { content: "in another session" });
      const lone = await add(inSession(undefined), { content: "gyrfalcon" });
      await add(inSession(undefined), { content: "in no session either" });
      const bobs = { ...ALICE, member: { id: 12, name: "bob" } };
      await add(bobs, { content: "in another member's session of that id", visibility: "team", projectKey: undefined });
      const team = await add(ALICE, { content: "peregrine", visibility: "team", projectKey: undefined });
      await add(bobs, { content: "in it still", visibility: "team", projectKey: undefined });
      expect(await ids("merlin")).toEqual([hidden.id]);
      expect(await ids("gyrfalcon")).toEqual([lone.id]);
      expect(await ids("peregrine")).toEqual([team.id]);
    });

    it("reaches over what is of another space or out of sight", async () => {
      const { add, as } = bench();
      const first = await add(ALICE, { content: "hobby" });
      const gone = await add(ALICE, { content: "between" });
      await add(ALICE, { content: "also between", visibility: "private" });
      const last = await add(ALICE, { content: "the end" });
      await as(ALICE).write((tx) => tx.memories.archive(gone, "forget"));
      expect(await ids("hobby")).toEqual([first.id, last.id]);
    });

    it("lends what passes no filter to what does", async () => {
      const { add } = bench();
      await add(ALICE, { content: "harrier", layer: "context" });
      const learned = await add(ALICE, { content: "learned from it", layer: "learning" });
      expect(await ids("harrier", { layers: ["learning"] })).toEqual([learned.id]);
    });

    it.each([
      [
        "archived",
        (lender: Memory) =>
          bench()
            .as(ALICE)
            .write((tx) => tx.memories.archive(lender, "forget")),
      ],
      [
        "superseded",
        async (lender: Memory) => {
          const { id } = await bench().add(inSession(undefined), { content: "in its place" });
          await bench()
            .as(ALICE)
            .write((tx) => tx.memories.supersede(lender, id));
        },
      ],
      ["purged", (lender: Memory) => bench().engine.purger.purge(ALICE, [lender.id])],
      [
        "revised",
        (lender: Memory) =>
          bench()
            .as(ALICE)
            .write((tx) => tx.memories.revise(lender, { text: canonical("in other words") })),
      ],
    ])("keeps no word of what was %s", async (_, takeAway) => {
      const { asked, answer } = await conversation();
      expect(await ids("kestrel")).toContain(answer.id);
      await takeAway(asked);
      expect(await ids("kestrel")).toEqual([]);
    });
  });
}

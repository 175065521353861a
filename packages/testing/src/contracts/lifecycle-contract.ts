import type { Caller, Visibility } from "@chest/core/access";
import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import { DEFAULT_MAINTENANCE, previewPasses, runJournalled } from "@chest/core/lifecycle";
import { canonical, type Memory } from "@chest/core/memory";
import { type EmbeddingIdentity, type Engine, PASSES, type PassName, type Store } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { JOURNAL_RULES } from "@chest/core/transcript";
import { describe, expect, it } from "vitest";
import { aCaller, type FixedClock } from "../fakes.ts";
import type { Draft } from "./engine-contract.ts";

const HERE = { reach: "here", withArchived: false, withSuperseded: false } as const;
const DAY_MS = 86_400_000;
const ANN = aCaller({
  member: { id: 11, name: "ann" },
  project: "host/org/apple",
  client: { name: "test", version: "1", session: "s-1" },
});
const BEN = aCaller({ member: { id: 12, name: "ben" }, project: "host/org/pear" });
const NEAR = Float32Array.of(1, 0.05, 0, 0);
const UNIT = Float32Array.of(1, 0, 0, 0);

export interface Kit {
  readonly engine: Engine;
  readonly clock: FixedClock;
  readonly identity: EmbeddingIdentity;
  as(caller: Caller, over?: Partial<Call>): Store;
  add(caller: Caller, draft?: Draft): Promise<Memory>;
}

/** Requirements on the lifecycle of memories, on every engine. */
export function lifecycleContract(kit: () => Kit): void {
  const add = (draft: Draft = {}, caller = ANN) => kit().add(caller, draft);
  const later = (days: number) => kit().clock.advance(days * DAY_MS);
  const read = async (id: number, caller = ANN) => kit().as(caller).memories.byId(id);
  const isLive = async (id: number) => (await read(id))?.archivedAt === undefined;
  const prune = { unusedDays: 90, below: 0.5, importanceBelow: 0.75 };
  const maintenance = { ...DEFAULT_MAINTENANCE, consolidate: "all", prune } as const;
  const running = { trigger: "operator", signal: new AbortController().signal } as const;
  const run = (passes: readonly PassName[] = PASSES) =>
    runJournalled(kit().engine.lifecycle, passes, maintenance, running);
  const changedBy = async (pass: PassName) => (await run([pass])).reports[0]?.changed;
  const find = async (words: string, caller = ANN) =>
    (
      (await kit()
        .as(caller)
        .search.matchWords(readQuery(words), { reach: "here", withArchived: false, withSuperseded: false }, 50)) ?? []
    ).flatMap(({ id, coverage = 1, lent = 0 }) => (coverage > lent ? [id] : [])); // What holds them itself.
  const put = (memory: Memory, vector: Float32Array) =>
    kit()
      .as(ANN)
      .write((tx) => tx.vectors.put(memory, kit().identity, vector));

  describe("activation", () => {
    it("falls with disuse, is kept for what did not change, and is computed again after a use", async () => {
      const { id } = await add();
      later(30);
      expect(await changedBy("activation")).toBe(1);
      expect((await read(id))?.activation?.score).toBeCloseTo(0.28, 2);
      expect(await changedBy("activation")).toBe(0);
      kit().as(ANN).noteAccess([id]);
      kit().clock.advance(60_000);
      expect(await changedBy("activation")).toBe(1);
      expect((await read(id))?.activation?.score).toBeCloseTo(0.93, 2);
    });
  });

  describe("momentum", () => {
    it("fades when an entity is left alone", async () => {
      const { entity } = await add();
      await kit()
        .as(ANN)
        .write((tx) => tx.entities.noteEvent(entity.id, "memory_stored", {}));
      const momentum = async () =>
        (await kit().as(ANN).entities.list({ reach: "here", minMemories: 0, limit: 9, offset: 0 })).entities[0]
          ?.momentum;
      const before = await momentum();
      later(60);
      expect(await changedBy("momentum")).toBe(1);
      expect(await momentum()).toBeLessThan(before ?? 0);
      expect(await changedBy("momentum")).toBe(0);
    });
  });

  describe("confidence", () => {
    const confidenceOf = async (id: number) => (await read(id))?.confidence ?? 0;

    it("fades by a twentieth for each week without a use, however often it runs, never below .1", async () => {
      const { id } = await add({ content: "told once" });
      const pinned = await add({ content: "pinned", importance: 0.9 });
      later(6);
      expect(await changedBy("confidence")).toBe(0);
      later(9);
      expect(await changedBy("confidence")).toBe(1);
      expect(await confidenceOf(id)).toBeCloseTo(0.8 * 0.95 ** 2, 9);
      expect(await changedBy("confidence")).toBe(0);
      later(6);
      expect(await changedBy("confidence")).toBe(1);
      expect(await confidenceOf(id)).toBeCloseTo(0.8 * 0.95 ** 3, 9);
      kit().as(ANN).noteAccess([id]);
      later(6);
      expect(await changedBy("confidence")).toBe(0);
      later(700);
      await run(["confidence"]);
      expect(await confidenceOf(id)).toBe(0.1);
      expect(await confidenceOf(pinned.id)).toBe(0.8);
      expect(await read(id)).toMatchObject({ version: 1 });
    });

    it("is put back by the number of its run, where nobody has said otherwise since", async () => {
      const first = await add({ content: "told once" });
      const second = await add({ content: "told twice" });
      later(30);
      const { runId = 0 } = await run(["confidence"]);
      const faded = await read(second.id);
      if (faded)
        await kit()
          .as(ANN)
          .write((tx) => tx.memories.revise(faded, { metadata: { confidence: 0.3 } }));
      expect(await kit().engine.lifecycle.restore({ runId, pass: "expiry" })).toMatchObject({ reset: [] });
      expect(await kit().engine.lifecycle.restore({ runId })).toMatchObject({ reset: [first.id], restored: [] });
      expect([await confidenceOf(first.id), await confidenceOf(second.id)]).toEqual([0.8, 0.3]);
      expect(await changedBy("confidence")).toBe(0);
      expect(await kit().engine.lifecycle.restore({ runId })).toMatchObject({ reset: [] });
    });
  });

  describe("expiry", () => {
    it("archives what is over, embedded or not, and nothing that is protected or not over", async () => {
      const expiresAt = new Date(kit().clock.now().getTime() + DAY_MS);
      const over = await add({ expiresAt });
      const embedded = await add({ expiresAt, content: "with a vector" });
      await put(embedded, UNIT);
      const kept = [
        await add({ expiresAt, layer: "realize" }),
        await add({ expiresAt, layer: "goal" }),
        await add({ expiresAt, importance: 0.9 }),
        await add({ expiresAt: new Date(expiresAt.getTime() + 9 * DAY_MS) }),
        await add(),
      ];
      expect(await changedBy("expiry")).toBe(0);
      later(2);
      expect(await changedBy("expiry")).toBe(2);
      expect(await read(over.id)).toMatchObject({ archivedReason: "expired", version: 2 });
      expect(await isLive(embedded.id)).toBe(false);
      for (const { id } of kept) expect(await isLive(id)).toBe(true);
    });
  });

  it("lets expire no more than the cap at a time, the longest over first", async () => {
    const at = (days: number) => new Date(kit().clock.now().getTime() + days * DAY_MS);
    const [late, early] = [await add({ expiresAt: at(2) }), await add({ expiresAt: at(1), content: "earlier over" })];
    later(3);
    const plan = await kit().engine.lifecycle.sweeps.expiry({ cap: 1 });
    expect(plan).toMatchObject({ due: 1, archives: [early.id], hasMore: true });
    await plan.apply({ signal: running.signal });
    expect(await kit().engine.lifecycle.sweeps.expiry({ cap: 1 })).toMatchObject({
      archives: [late.id],
      hasMore: false,
    });
  });

  describe("supersession", () => {
    const pair = async (older: Draft, newer: Draft, vectors = [UNIT, NEAR]) => {
      const first = await add(older);
      later(1);
      const second = await add(newer);
      await put(first, vectors[0] as Float32Array);
      await put(second, vectors[1] as Float32Array);
      return [first.id, second.id] as const;
    };
    const PORT = { content: "the gateway listens on port 8080" };
    const NOTE = { content: "the build was red on Tuesday", layer: "context" as const };
    const SAID_ANEW = { content: "the gateway is listening on port 8080" };

    it("lets the newer of two that say the same take the older's place, with its tags and importance", async () => {
      const [older, newer] = await pair({ ...PORT, tags: ["net"], importance: 0.8 }, SAID_ANEW);
      expect(await changedBy("supersession")).toBe(1);
      expect(await read(older)).toMatchObject({ supersededById: newer, archivedReason: "superseded" });
      expect(await read(newer)).toMatchObject({ tags: ["net"], importance: 0.8 });
      expect(await changedBy("supersession")).toBe(0);
    });

    it("leaves the newer one with the evidence of both, its own first, and the surer confidence", async () => {
      const [, newer] = await pair(
        { ...PORT, metadata: { evidence: ["a test", "a log"], confidence: 0.9 } },
        { ...SAID_ANEW, metadata: { evidence: ["the code", "a log"], confidence: 0.6 } },
      );
      expect(await changedBy("supersession")).toBe(1);
      expect(await read(newer)).toMatchObject({ evidence: ["the code", "a log", "a test"], confidence: 0.9 });
    });

    it("compares in both directions: a vector that comes late loses to a newer memory", async () => {
      const older = await add(PORT);
      later(1);
      const newer = await add(SAID_ANEW);
      await put(newer, NEAR);
      expect(await changedBy("supersession")).toBe(0);
      await put(older, UNIT);
      expect(await changedBy("supersession")).toBe(1);
      expect(await read(older.id)).toMatchObject({ supersededById: newer.id });
    });

    it.each<readonly [string, Draft, Draft]>([
      ["another entity", PORT, { ...SAID_ANEW, entityName: "other" }],
      ["another layer", PORT, { ...SAID_ANEW, layer: "context" }],
      ["another space", PORT, { ...SAID_ANEW, visibility: "private" }],
      ["a protected older one", { ...PORT, layer: "realize" }, { ...SAID_ANEW, layer: "realize" }],
      ["a pinned older one", { ...PORT, importance: 0.95 }, SAID_ANEW],
      ["records of one form", { content: '{"a": 1, "b": 2}' }, { content: '{"b": 2, "a": 1}' }],
      ["another number", PORT, { content: "the gateway listens on port 9090" }],
      ["a denial", PORT, { content: "the gateway never listens on port 8080" }],
      ["an opposite", { content: "TLS is enabled here" }, { content: "TLS is disabled here" }],
    ])("leaves both for %s", async (_, older, newer) => {
      const ids = await pair(older, newer);
      expect(await changedBy("supersession")).toBe(0);
      for (const id of ids) expect(await isLive(id)).toBe(true);
    });

    it("leaves what is further apart in meaning, or by more than ninety days", async () => {
      const apart = await pair(PORT, SAID_ANEW, [UNIT, Float32Array.of(1, 0.4, 0, 0)]);
      const old = await add({ ...PORT, entityName: "old" });
      later(100);
      const young = await add({ ...SAID_ANEW, entityName: "old" });
      await put(old, UNIT);
      await put(young, NEAR);
      expect(await changedBy("supersession")).toBe(0);
      for (const id of [...apart, old.id, young.id]) expect(await isLive(id)).toBe(true);
    });

    it("tells of what contradicts each other", async () => {
      await pair({ content: "TLS is enabled here" }, { content: "TLS is disabled here" });
      const { reports } = await run(["supersession"]);
      expect(reports[0]?.note).toContain("1 contradict");
    });

    it("archives nothing for the vectors of the built-in table, which do not tell a number from another", async () => {
      const identity = (await kit().engine.identities.begin(BUILTIN_IDENTITY)).active;
      const same = new Float32Array(identity.dimensions).fill(1);
      const ids: number[] = [];
      for (const draft of [PORT, SAID_ANEW, NOTE, { ...NOTE, content: "tea is served in the garden" }]) {
        const memory = await add(draft);
        await kit()
          .as(ANN)
          .write((tx) => tx.vectors.put(memory, identity, same));
        ids.push(memory.id);
      }
      later(40);
      expect([await changedBy("supersession"), await changedBy("consolidation")]).toEqual([0, 0]);
      for (const id of ids) expect(await isLive(id)).toBe(true);
    });

    it("lets the newer of two spellings of one statement take the older's place, whatever the model", async () => {
      const identity = (await kit().engine.identities.begin(BUILTIN_IDENTITY)).active;
      const same = new Float32Array(identity.dimensions).fill(1);
      const ids: number[] = [];
      for (const content of ["Check the lock file before every push.", "check the lock file before each push!"]) {
        const memory = await add({ content });
        later(1);
        await kit()
          .as(ANN)
          .write((tx) => tx.vectors.put(memory, identity, same));
        ids.push(memory.id);
      }
      expect(await changedBy("supersession")).toBe(1);
      expect((await read(ids[0] as number))?.supersededById).toBe(ids[1]);
    });

    it("leaves two alone that somebody brought back side by side", async () => {
      const [older, newer] = await pair(PORT, SAID_ANEW);
      await run(["supersession"]);
      await kit().engine.lifecycle.restore({ ids: [older] });
      const row = await read(older);
      if (row) await put(row, UNIT);
      expect(await changedBy("supersession")).toBe(0);
      for (const id of [older, newer]) expect(await isLive(id)).toBe(true);
      expect(row?.supersededById).toBeUndefined();
    });
  });

  describe("consolidation", () => {
    const BUILDS = ["amber", "birch", "cedar"].map((word) => ({
      content: `nightly build of the gateway failed on the ${word} runner again.`,
      layer: "context" as const,
      tags: [word],
    }));

    it("puts cold memories on one topic into a learning that every word of them finds", async () => {
      // One after the other: at once, an engine with several writers gives them ids in any order.
      const members: Memory[] = [];
      for (const draft of BUILDS) members.push(await add(draft));
      const apart = await add({ content: "somebody likes green tea in the morning", layer: "context" });
      later(40);
      expect(await changedBy("consolidation")).toBe(3);
      const found = await find("amber");
      expect(found).toHaveLength(1);
      for (const word of ["birch", "cedar", "runner"]) expect(await find(word)).toEqual(found);
      const summary = await read(found[0] ?? 0);
      expect(summary).toMatchObject({ layer: "learning", importance: 0.55, tags: ["amber", "birch", "cedar"] });
      expect(summary?.expiresAt).toBeUndefined();
      const ids = members.map(({ id }) => id);
      expect(JSON.parse(summary?.content ?? "")).toMatchObject({
        source: "consolidation",
        original_layer: "context",
        count: 3,
        replaced_ids: ids,
        exemplars: BUILDS.map(({ content }) => content),
      });
      for (const id of ids) expect(await read(id)).toMatchObject({ archivedReason: "cold" });
      expect(await isLive(apart.id)).toBe(true);
      expect(await changedBy("consolidation")).toBe(0);
    });

    it("touches nothing protected, nothing of other layers or places, nothing used of late", async () => {
      const kept = [
        ...(await Promise.all(BUILDS.map((draft) => add({ ...draft, layer: "realize" })))),
        ...(await Promise.all(BUILDS.map((draft) => add({ ...draft, layer: "learning" })))),
        ...(await Promise.all(BUILDS.map((draft) => add({ ...draft, importance: 0.9 })))),
        await add(BUILDS[0]),
        await add({ ...BUILDS[1], entityName: "other" }),
        await add({ ...BUILDS[2], visibility: "private" }),
      ];
      later(40);
      const used = await add({ ...BUILDS[1], content: "nightly build of the gateway failed on the oak runner again." });
      kept.push(used);
      expect(await changedBy("consolidation")).toBe(0);
      for (const { id } of kept) expect(await isLive(id)).toBe(true);
    });

    it("keeps a private memory's summary private", async () => {
      for (const draft of BUILDS) await add({ ...draft, visibility: "private" });
      later(40);
      expect(await changedBy("consolidation")).toBe(3);
      expect(await find("amber")).toHaveLength(1);
      expect(await find("amber", { ...BEN, project: ANN.project })).toEqual([]);
    });

    it("is undone whole, and then stays undone", async () => {
      const members: Memory[] = [];
      for (const draft of BUILDS) members.push(await add(draft));
      later(40);
      await run(["consolidation"]);
      const [summaryId = 0] = await find("amber");
      const standing = async () => (await kit().as(ANN).memories.overview("here")).consolidations;
      expect(await standing()).toBe(1);
      const undone = await kit().engine.lifecycle.restore({ summaryId });
      expect(undone).toEqual({ restored: members.map(({ id }) => id), undone: [summaryId], reset: [], skipped: [] });
      expect(await find("amber")).toEqual([members[0]?.id]);
      expect(await isLive(summaryId)).toBe(false);
      expect(await standing()).toBe(0);
      expect(await changedBy("consolidation")).toBe(0);
      await expect(kit().engine.lifecycle.restore({ summaryId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("spares a summary until its memories are back", async () => {
      for (const draft of BUILDS) await add(draft);
      later(40);
      await run(["consolidation"]);
      const found = await find("amber");
      later(400);
      expect(await changedBy("forgetting")).toBe(0);
      expect(await find("amber")).toEqual(found);
    });
  });

  describe("forgetting", () => {
    it("drops what nobody will miss, the highest risk first, and never what is protected", async () => {
      const plain = await add();
      const dear = await add({ importance: 0.85, content: "dear" });
      const kept = [await add({ layer: "realize" }), await add({ layer: "goal" }), await add({ importance: 0.9 })];
      later(110);
      expect(await kit().engine.lifecycle.sweeps.forgetting({ cap: 10 })).toMatchObject({ toDrop: 1, toCompress: 1 });
      expect(await changedBy("forgetting")).toBe(1);
      expect(await read(plain.id)).toMatchObject({ archivedReason: "dropped" });
      later(1000);
      expect(await changedBy("forgetting")).toBe(1);
      expect(await isLive(dear.id)).toBe(false);
      for (const { id } of kept) expect(await isLive(id)).toBe(true);
    });

    it("takes no more than the cap, and goes on the next time", async () => {
      for (let i = 0; i < 5; i++) await add({ content: `number ${i}` });
      later(200);
      const drop = async () => {
        const plan = await kit().engine.lifecycle.sweeps.forgetting({ cap: 3 });
        return (await plan.apply({ signal: running.signal })).changed;
      };
      expect([await drop(), await drop(), await drop()]).toEqual([3, 2, 0]);
    });
  });

  describe("digest", () => {
    /** Noon of a day, where 1 is a Monday: the 30th of November 2026. */
    const noon = (day: number) => new Date(Date.UTC(2026, 10, 29 + day, 12));
    const note = async (nth: number, day: number, { visibility = "project" as Visibility, importance = 0.25 } = {}) => {
      const place = { visibility, projectKey: "host/org/apple" } as const;
      const { id = 0 } = await kit()
        .as(ANN)
        .write(async (tx) => {
          const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
          return tx.sessions.capture({
            ...place,
            entity,
            layer: "context",
            text: canonical(`Worked on file ${nth}: tests passed\nand more of it`),
            tags: [`t${nth}`],
            importance,
            session: "s-1",
            rule: "episode",
            captureKey: `note ${nth}`,
            at: noon(day),
            expiresAt: undefined,
            hasOwnExpiry: false,
          });
        });
      return id;
    };
    const at = (day: number) => kit().clock.advance(noon(day).getTime() - kit().clock.now().getTime());

    it("Compression into weekly summaries: a week's captured notes that nobody opened, by title, dated by their median", async () => {
      at(7);
      const ids = [await note(1, 7), await note(2, 7), await note(3, 7)];
      const important = await note(4, 7, { importance: 0.4 });
      const opened = await note(5, 7);
      const own = await note(6, 7, { visibility: "private" });
      kit().as(ANN).noteAccess([opened]);
      at(8);
      const nextWeek = await note(7, 8);
      at(28);
      expect(await changedBy("digest")).toBe(0);
      at(29);
      const { runId = 0, reports } = await run(["digest"]);
      expect(reports).toMatchObject([{ name: "digest", changed: 3 }]);
      for (const id of ids) expect(await read(id)).toMatchObject({ archivedReason: "cold" });
      for (const id of [important, opened, own, nextWeek]) expect(await isLive(id)).toBe(true);
      const digest = (await kit().as(ANN).memories.newest(HERE, 9)).find(({ layer }) => layer === "learning");
      expect(digest).toMatchObject({
        title: "3 notes from sessions of week 2026-W49",
        content: [
          "3 notes from sessions of week 2026-W49:",
          "- Worked on file 1: tests passed",
          "- Worked on file 2: tests passed",
          "- Worked on file 3: tests passed",
        ].join("\n"),
        tags: ["t1", "t2", "t3"],
        importance: 0.6,
        sourceType: "consolidation",
        createdAt: noon(7),
        expiresAt: undefined,
      });
      expect(await changedBy("digest")).toBe(0);
      const undone = await kit().engine.lifecycle.restore({ runId });
      expect(undone).toMatchObject({ restored: ids, undone: [digest?.id] });
      expect(await changedBy("digest")).toBe(0);
    });

    it("comes before their expiry, in a preview as well, and leaves two of a week to it", async () => {
      at(3);
      for (const nth of [1, 2, 3]) await note(nth, 3);
      const loose = [await note(4, 3, { visibility: "private" }), await note(5, 3, { visibility: "private" })];
      at(30);
      const preview = await previewPasses(kit().engine.lifecycle.sweeps, ["digest"], maintenance);
      expect(preview).toMatchObject([{ name: "digest", changed: 3 }]);
      expect(await changedBy("digest")).toBe(3);
      for (const id of loose) expect(await isLive(id)).toBe(true);
      const off = { ...maintenance, consolidate: "off" } as const;
      expect((await runJournalled(kit().engine.lifecycle, ["digest"], off, running)).reports).toMatchObject([
        { scanned: 0 },
      ]);
    });

    it("counts what was brought in old from the day it came", async () => {
      at(29);
      const ids = [await note(1, 3), await note(2, 3), await note(3, 3)];
      later(20);
      expect(await changedBy("digest")).toBe(0);
      later(1);
      expect(await changedBy("digest")).toBe(3);
      for (const id of ids) expect(await isLive(id)).toBe(false);
    });
  });

  describe("the journal", () => {
    let captured = 0;
    const capture = async (rule: "first_intent" | "file_edit" = "first_intent") => {
      captured += 1;
      const place = { visibility: "private", projectKey: "host/org/apple" } as const;
      const { id = 0 } = await kit()
        .as(ANN)
        .write(async (tx) => {
          const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
          return tx.sessions.capture({
            ...place,
            entity,
            layer: "context",
            text: canonical(`Ask ${captured} about the walrus`),
            tags: [],
            importance: 0.6,
            session: "s-1",
            rule,
            captureKey: `ask ${captured}`,
            at: kit().clock.now(),
            expiresAt: undefined,
            hasOwnExpiry: false,
          });
        });
      return id;
    };
    const held = async (id: number): Promise<Memory> => {
      const memory = await read(id);
      if (!memory) throw new Error(`memory ${id} is missing`);
      return memory;
    };
    const memories = async () => {
      const where = { ...HERE, withoutRules: JOURNAL_RULES };
      const found = await kit().as(ANN).search.matchWords(readQuery("walrus"), where, 50);
      return (found ?? []).map(({ id }) => id).toSorted((a, b) => a - b);
    };

    it("has no row that a member raised, linked or verified: that is a memory, with its layer's lifetime from then on", async () => {
      const asked = await capture();
      const raised = await capture("file_edit");
      const [linked, target, checked] = [await capture(), await capture(), await capture()];
      const own = await add({ content: "A walrus, on purpose" });
      const [moving, from, verified] = [await held(raised), await held(linked), await held(checked)];
      await kit()
        .as(ANN)
        .write(async (tx) => {
          await tx.memories.move(moving, { visibility: "project" });
          await tx.links.put(from, { to: own.id, type: "related_to", note: undefined });
          await tx.links.put(own, { to: target, type: "depends_on", note: undefined });
          await tx.sources.put(verified, [{ path: "src/walrus.ts" }]);
          await tx.sources.check(verified, [{ path: "src/walrus.ts", status: "ok" }]);
        });
      const taken = [raised, linked, target, checked];
      expect(await memories()).toEqual([own.id]);
      const preview = await previewPasses(kit().engine.lifecycle.sweeps, ["journal", "expiry"], maintenance);
      expect(preview[0]).toMatchObject({ changed: 4, note: expect.stringMatching(/^4 /) });
      expect(await memories()).toEqual([own.id]);

      expect(await changedBy("journal")).toBe(4);
      expect(await memories()).toEqual([...taken, own.id]);
      for (const id of taken) expect((await read(id))?.expiresAt).toEqual(new Date(+kit().clock.now() + 30 * DAY_MS));
      expect((await read(asked))?.expiresAt).toBeUndefined();
      expect(await changedBy("journal")).toBe(0);
    });

    it("keeps rows that only maintenance or their session changed", async () => {
      const id = await capture();
      await kit()
        .as(ANN)
        .write(async (tx) => tx.memories.archive(await held(id), "expired"));
      await kit()
        .as(ANN)
        .write(async (tx) => tx.memories.restore(await held(id)));
      expect(await changedBy("journal")).toBe(0);
      expect(await memories()).toEqual([]);
    });

    it("goes on with them where a run was stopped", async () => {
      const own = await add({ content: "A walrus, on purpose" });
      const ids: number[] = [];
      for (let nth = 0; nth < 20; nth++) ids.push(await capture());
      await kit()
        .as(ANN)
        .write(async (tx) => {
          for (const to of ids) await tx.links.put(own, { to, type: "related_to", note: undefined });
        });
      const stopped = new AbortController();
      const plan = await kit().engine.lifecycle.sweeps.journal({});
      const half = plan.apply({ signal: stopped.signal });
      stopped.abort();
      const { changed } = await half;
      expect(changed).toBeGreaterThan(0);
      expect(changed).toBeLessThan(20);
      expect(await memories()).toHaveLength(1 + changed);
      expect(await changedBy("journal")).toBe(20 - changed);
      expect(await memories()).toEqual([own.id, ...ids]);
    });

    it("loses the vectors that an earlier version made for it, however often the run is stopped, and no memory does", async () => {
      const ids = [await capture(), await capture(), await capture()];
      const own = await add({ content: "on purpose" });
      for (const id of [...ids, own.id]) await put(await held(id), UNIT);
      const found = async () =>
        ((await kit().as(ANN).search.matchVector(UNIT, kit().identity, HERE, 9)) ?? []).map(({ id }) => id);
      expect(await found()).toHaveLength(4);
      const plan = await kit().engine.lifecycle.sweeps.journal({});
      expect(plan.due).toBe(3);
      await plan.apply({ signal: AbortSignal.abort() });
      expect(await found()).toHaveLength(4);
      expect(await changedBy("journal")).toBe(3);
      expect(await found()).toEqual([own.id]);
      expect(await changedBy("journal")).toBe(0);
      expect(await kit().as(ANN).memories.countPending("here", kit().identity)).toBe(0);
    });
  });

  describe("retention", () => {
    it("prunes what nobody used for ninety days, is sure of, or called important", async () => {
      const limits = { unusedDays: 90, below: 0.5, importanceBelow: 0.75 };
      const unsure = { metadata: { confidence: 0.4 } };
      const { id } = await add({ ...unsure, content: "nobody misses it" });
      const kept = [
        await add({ content: "sure enough", metadata: { confidence: 0.5 } }),
        await add({ ...unsure, content: "important", importance: 0.75 }),
        await add({ ...unsure, content: "a goal", layer: "goal" }),
        await add({ ...unsure, content: "used" }),
      ];
      const { sweeps } = kit().engine.lifecycle;
      later(89);
      kit()
        .as(ANN)
        .noteAccess([kept[3]?.id ?? 0]);
      expect(await sweeps.prune({ ...limits, cap: 9 })).toMatchObject({ due: 0 });
      later(2);
      expect(await sweeps.prune({ ...limits, cap: 9 })).toMatchObject({ archives: [id], hasMore: false });
      const { runId = 0, reports } = await run(["prune"]);
      expect(reports).toMatchObject([{ name: "prune", changed: 1 }]);
      expect(await read(id)).toMatchObject({ archivedReason: "dropped" });
      for (const memory of kept) expect(await isLive(memory.id)).toBe(true);
      expect(await kit().engine.lifecycle.restore({ runId })).toMatchObject({ restored: [id] });
      expect(await changedBy("prune")).toBe(0);
      expect(
        (await runJournalled(kit().engine.lifecycle, ["prune"], { ...maintenance, prune: undefined }, running)).reports,
      ).toMatchObject([{ scanned: 0, changed: 0 }]);
    });

    it("lets go of events that are past counting", async () => {
      const { entity } = await add();
      await kit()
        .as(ANN)
        .write((tx) => tx.entities.noteEvent(entity.id, "memory_stored", {}));
      expect(await changedBy("retention")).toBe(0);
      later(91);
      expect(await changedBy("retention")).toBeGreaterThanOrEqual(1);
      expect(await changedBy("retention")).toBe(0);
    });

    it("leaves a session closed that ended after the pass had looked", async () => {
      await add();
      later(2);
      const plan = await kit().engine.lifecycle.sweeps.retention({});
      expect(plan).toMatchObject({ due: 1, note: "sessions 1" });
      const outside = { ...ANN, client: { name: "test", version: "1" } };
      await kit()
        .as(outside)
        .write((tx) => tx.sessions.close("s-1"));
      expect(await plan.apply(running)).toMatchObject({ changed: 0 });
    });
  });

  describe("a run", () => {
    const populate = async () => {
      const expiresAt = new Date(kit().clock.now().getTime() + DAY_MS);
      await add({ expiresAt, content: "soon over" });
      await add({ content: "long unused" });
      for (const word of ["amber", "birch", "cedar"])
        await add({ content: `nightly build of the gateway failed on the ${word} runner`, layer: "context" });
      later(120);
      const older = await add({ content: "the gateway listens on port 8080" });
      later(1);
      const newer = await add({ content: "the gateway is listening on port 8080" });
      await put(older, UNIT);
      await put(newer, NEAR);
    };
    const counts = (reports: readonly { readonly name: string; readonly changed: number }[]) =>
      Object.fromEntries(reports.map(({ name, changed }) => [name, changed]));

    it("does what its preview says, pass by pass, and the second time nothing", async () => {
      await populate();
      const expected = counts(await previewPasses(kit().engine.lifecycle.sweeps, PASSES, maintenance));
      expect(expected).toMatchObject({ expiry: 1, supersession: 1, consolidation: 3, forgetting: 1 });
      expect(await find("long unused soon over")).toHaveLength(2);
      // Memories archived in between need no activation any more, and their successors do.
      const { activation: _, ...done } = counts((await run()).reports);
      const { activation: __, ...said } = expected;
      expect(done).toEqual(said);
      const again = counts((await run()).reports);
      expect(again).toMatchObject({ momentum: 0, expiry: 0, supersession: 0, consolidation: 0, forgetting: 0 });
    });

    it("is undone by its number, all of it or one pass", async () => {
      await populate();
      const { runId = 0 } = await run();
      const expiry = await kit().engine.lifecycle.restore({ runId, pass: "expiry" });
      expect(expiry.restored).toHaveLength(1);
      const rest = await kit().engine.lifecycle.restore({ runId });
      expect(rest.restored).toHaveLength(5);
      expect(rest.undone).toHaveLength(1);
      expect(rest.skipped).toEqual(expiry.restored.map((id) => ({ id, reason: "not_archived" })));
      expect(counts((await run()).reports)).toMatchObject({
        expiry: 0,
        supersession: 0,
        consolidation: 0,
        forgetting: 0,
      });
      await expect(kit().engine.lifecycle.restore({ runId: 999 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("is undone by its reason, and by ids; what cannot be is named", async () => {
      const { id } = await add({ content: "long unused" });
      later(200);
      await run();
      const { lifecycle } = kit().engine;
      expect(await lifecycle.restore({ reason: "dropped", since: kit().clock.now() })).toMatchObject({
        restored: [id],
      });
      expect(await lifecycle.restore({ reason: "dropped", since: undefined })).toMatchObject({ restored: [] });
      expect((await lifecycle.restore({ ids: [id, 99_999] })).skipped).toEqual([
        { id, reason: "not_archived" },
        { id: 99_999, reason: "not_found" },
      ]);
      expect(await find("unused")).toEqual([id]);
    });

    it("stands in the journal, and stops where it is told to", async () => {
      await populate();
      const startedAt = kit().clock.now();
      const { runId } = await run();
      const [entry] = await kit().engine.lifecycle.journal.runs(1);
      expect(entry).toMatchObject({ id: runId, trigger: "operator", startedAt, outcome: "done" });
      expect(entry?.passes.map(({ name }) => name)).toEqual([...PASSES]);
      expect(await kit().engine.lifecycle.journal.lastAt()).toEqual(startedAt);
      const signal = AbortSignal.abort();
      const stopped = await runJournalled(kit().engine.lifecycle, PASSES, maintenance, { trigger: "timer", signal });
      expect(stopped.reports).toEqual([]);
      expect((await kit().engine.lifecycle.journal.runs(1))[0]).toMatchObject({ outcome: "stopped" });
    });

    it("waits with what goes by age when the clock has jumped, for one interval, whatever was written since", async () => {
      const { journal } = kit().engine.lifecycle;
      const unasked = async () => {
        const { reports } = await runJournalled(kit().engine.lifecycle, PASSES, maintenance, {
          ...running,
          trigger: "timer",
        });
        return reports.flatMap(({ name, waitsSince }) =>
          waitsSince === undefined ? [] : [`${name} since ${waitsSince}`],
        );
      };
      const { id } = await add({ expiresAt: new Date(kit().clock.now().getTime() + DAY_MS) });
      const { id: old } = await add({ content: "long unused" });
      const lastAt = kit().clock.now();
      later(400);
      await add({ content: "just written" });
      expect(await journal.lastSign(1)).toEqual({ at: lastAt, ageMs: 400 * DAY_MS });
      const waiting = PASSES.filter((name) => !["activation", "momentum", "journal", "supersession"].includes(name));
      expect(await unasked()).toEqual(waiting.map((name) => `${name} since ${lastAt.toISOString()}`));
      expect([await isLive(id), await isLive(old)]).toEqual([true, true]);
      expect((await journal.runs(1))[0]?.passes.filter(({ waitsSince }) => waitsSince)).toHaveLength(waiting.length);

      kit().clock.advance(maintenance.intervalMs);
      expect(await unasked()).toEqual([]);
      expect([await isLive(id), await isLive(old)]).toEqual([false, false]);
    });

    it("waits for nothing after a quiet week, nor where nothing was ever written", async () => {
      const timer = { ...running, trigger: "timer" } as const;
      const waits = async () =>
        (await runJournalled(kit().engine.lifecycle, PASSES, maintenance, timer)).reports.filter(
          (report) => report.waitsSince,
        );
      expect(await waits()).toEqual([]);
      const { id } = await add({ expiresAt: new Date(kit().clock.now().getTime() + DAY_MS) });
      later(7);
      expect(await waits()).toEqual([]);
      expect(await isLive(id)).toBe(false);
    });

    it("is one at a time", async () => {
      const { lifecycle } = kit().engine;
      const lease = await lifecycle.lease();
      expect(lease).toBeDefined();
      expect(await lifecycle.lease()).toBeUndefined();
      await lease?.release();
      const next = await lifecycle.lease();
      expect(next).toBeDefined();
      await next?.release();
    });
  });

  describe("a caller's sweep", () => {
    it("stays within what the caller opens here", async () => {
      const own = await add({ content: "own" });
      const foreign = await add({ content: "foreign" }, BEN);
      const secret = await add({ content: "secret", visibility: "private" }, { ...BEN, project: ANN.project });
      later(300);
      const plan = await kit().as(ANN).sweeps.forgetting({ cap: 10 });
      expect(plan.archives).toEqual([own.id]);
      await plan.apply({ signal: running.signal });
      expect((await read(foreign.id, BEN))?.archivedAt).toBeUndefined();
      expect((await read(secret.id, BEN))?.archivedAt).toBeUndefined();
      expect(await isLive(own.id)).toBe(false);
    });

    it("does work of several writes once under a key, and again after it failed", async () => {
      const call = { idempotencyKey: "sweep-1", request: { tool: "t", input: {} } };
      const once = (n: number, caller = ANN, over: Partial<Call> = {}) => {
        const store = kit().as(caller, { ...call, ...over });
        return store.once(async () => {
          await store.sweeps.forgetting({ cap: 1 });
          return store.write(async () => ({ n }));
        });
      };
      await expect(
        kit()
          .as(ANN, call)
          .once(() => Promise.reject(new Error("half way"))),
      ).rejects.toThrow("half way");
      expect(await once(1)).toEqual({ n: 1 });
      expect(await once(2)).toEqual({ n: 1 });
      expect(await once(3, BEN)).toEqual({ n: 3 });
      await expect(once(4, ANN, { request: { tool: "t", input: { a: 1 } } })).rejects.toMatchObject({
        code: "IDEMPOTENCY_MISMATCH",
      });
    });
  });
}

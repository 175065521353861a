import type { Caller, Reach, Visibility } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { canonical, type Memory } from "@chest/core/memory";
import type { Clock, EmbeddingIdentity, Engine, Filter, NewMemory, PastPage, Store, Writes } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aCall, aCaller, fixedClock } from "../fakes.ts";
import { accessContract } from "./access-contract.ts";
import { authorizationContract } from "./authorization-contract.ts";
import { contextContract } from "./context-contract.ts";
import { embeddingContract } from "./embedding-contract.ts";
import { eraseContract } from "./erase-contract.ts";
import { forgottenContract } from "./forgotten-contract.ts";
import { lifecycleContract } from "./lifecycle-contract.ts";
import { listsContract } from "./lists-contract.ts";
import { projectsContract } from "./projects-contract.ts";
import { sessionsContract } from "./sessions-contract.ts";
import { webhookContract } from "./webhook-contract.ts";

/** Opens a fresh, empty engine that flushes accesses within some milliseconds. */
export type OpenEngine = (options: { readonly clock: Clock; readonly active: EmbeddingIdentity }) => Promise<Engine>;

const ALICE = aCaller({ member: { id: 11, name: "alice" }, project: "host/org/apple" });
const BOB = aCaller({ member: { id: 12, name: "bob" }, project: "host/org/pear" });
const IN_TEAM = { visibility: "team", projectKey: undefined } as const;
const IDENTITY = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
const A_SNAPSHOT = { contentHash: "abc", mtimeNs: "1700000000000000001", sizeBytes: 12, chunks: "[]" };
const EVERYTHING: Filter = { reach: "everywhere", withArchived: false, withSuperseded: false };

export interface Draft extends Partial<Omit<NewMemory, "text" | "entity">> {
  readonly content?: string;
  readonly entityName?: string;
}

/** Requirements on every storage engine. */
export function engineContract(name: string, open: OpenEngine): void {
  describe(`${name} as an engine`, () => {
    let engine: Engine;
    let clock: ReturnType<typeof fixedClock>;
    beforeEach(async () => {
      clock = fixedClock();
      engine = await open({ clock, active: IDENTITY });
    });
    afterEach(() => engine.close());

    const as = (caller: Caller, over: Partial<Call> = {}): Store => engine.as(aCall({ caller, ...over }));

    async function put(
      tx: Writes,
      caller: Caller,
      { content = "the quick brown fox", entityName = "acme", ...over }: Draft,
    ) {
      const text = canonical(content);
      const rest = { layer: "learning", tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false } as const;
      const visibility: Visibility = caller.project ? "project" : "team";
      const place = { projectKey: caller.project, visibility, ...over };
      const { entity } = await tx.entities.findOrAdd({ name: entityName, kind: "project", key: undefined, ...place });
      return tx.memories.add({ entity, text, ...rest, ...place });
    }
    const add = (caller: Caller, draft: Draft = {}): Promise<Memory> =>
      as(caller).write((tx) => put(tx, caller, draft));
    const find = async (caller: Caller, text: string, over: Partial<Filter> = {}, limit = 50) =>
      ((await as(caller).search.matchWords(readQuery(text), { ...EVERYTHING, ...over }, limit)) ?? []).map(
        ({ id }) => id,
      );

    describe("a write", () => {
      it("returns the row that it made, however many run at once", async () => {
        const made = await Promise.all(
          Array.from({ length: 100 }, (_, i) => add(ALICE, { content: `number ${i} of many` })),
        );
        expect(new Set(made.map(({ id }) => id)).size).toBe(100);
        const read = await as(ALICE).memories.byIds(made.map(({ id }) => id));
        expect(read.map(({ content }) => content)).toEqual(made.map((_, i) => `number ${i} of many`));
      });

      it("is seen by others once it is done, and as a whole", async () => {
        const seen = async () => {
          const newest = await as(ALICE).memories.newest(EVERYTHING, 50);
          const byId = await as(ALICE).memories.byIds(newest.map(({ id }) => id));
          return [newest, byId].map((memories) => memories.map(({ content }) => content).sort());
        };
        await add(ALICE, { content: "was there" });
        const during: Promise<string[][]>[] = [];
        await as(ALICE).write(async (tx) => {
          await put(tx, ALICE, { content: "comes first" });
          during.push(seen());
          await during[0];
          await put(tx, ALICE, { content: "comes second" });
          during.push(seen());
          await during[1];
        });
        expect(await Promise.all(during)).toEqual(Array(2).fill([["was there"], ["was there"]]));
        expect(await seen()).toEqual(Array(2).fill(["comes first", "comes second", "was there"]));
      });

      it("leaves nothing when it fails, and does not touch those beside it", async () => {
        const [before, failed, after] = await Promise.allSettled([
          add(ALICE, { content: "first neighbour" }),
          as(ALICE).write(async (tx) => {
            await put(tx, ALICE, { content: "vanishing words", entityName: "ghost", projectKey: "host/org/ghost" });
            throw new Error("no");
          }),
          add(ALICE, { content: "second neighbour" }),
        ]);
        expect([before.status, failed.status, after.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
        expect(await find(ALICE, "vanishing")).toEqual([]);
        expect(await find(ALICE, "neighbour")).toHaveLength(2);
        const { entities } = await as(ALICE).entities.list({
          reach: "everywhere",
          minMemories: 0,
          limit: 10,
          offset: 0,
        });
        expect(entities.map((entity) => entity.name)).toEqual(["acme"]);
        expect((await engine.access.projects()).map(({ key }) => key)).not.toContain("host/org/ghost");
      });

      it("gives a repeat under its key the first answer and does nothing", async () => {
        let replays = 0;
        const request = { tool: "t", input: { a: 1, b: [2] } };
        const once = () =>
          as(ALICE, { idempotencyKey: "k1", request, onReplay: () => (replays += 1) }).write(async (tx) => ({
            id: (await put(tx, ALICE, { content: "kept once" })).id,
          }));
        const answers = await Promise.all([once(), once(), once()]);
        expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
        expect(await find(ALICE, "kept")).toHaveLength(1);
        expect(replays).toBe(2);
      });

      it("refuses another request under a used key, and lets another member use it", async () => {
        const write = (caller: Caller, input: unknown) =>
          as(caller, { idempotencyKey: "k2", request: { tool: "t", input } }).write(async () => ({ n: 1 }));
        await write(ALICE, { a: 1 });
        await expect(write(ALICE, { a: 2 })).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
        await expect(write(BOB, { a: 2 })).resolves.toEqual({ n: 1 });
      });

      it("keeps no failure under its key", async () => {
        const write = (work: () => Promise<{ n: number }>) =>
          as(ALICE, { idempotencyKey: "k3", request: { tool: "t", input: {} } }).write(work);
        await expect(write(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
        await expect(write(async () => ({ n: 2 }))).resolves.toEqual({ n: 2 });
      });
    });

    describe("an entity", () => {
      const spell = (names: readonly string[]) =>
        Promise.all(
          names.map((name) =>
            as(ALICE).write(
              async (tx) =>
                (
                  await tx.entities.findOrAdd({
                    name,
                    kind: "project",
                    key: undefined,
                    ...IN_TEAM,
                  })
                ).entity.id,
            ),
          ),
        );
      it("is one under every spelling, also for writers at the same time", async () => {
        expect(new Set(await spell(["AcmeAPI", "acme-api", "Acme API", "acme_api", "ACME API"])).size).toBe(1);
      });

      it("is another one under another kind", async () => {
        const ids = await as(ALICE).write(async (tx) => [
          (
            await tx.entities.findOrAdd({
              name: "acme",
              kind: "project",
              key: undefined,
              ...IN_TEAM,
            })
          ).entity.id,
          (
            await tx.entities.findOrAdd({
              name: "acme",
              kind: "company",
              key: undefined,
              ...IN_TEAM,
            })
          ).entity.id,
        ]);
        expect(new Set(ids).size).toBe(2);
      });

      it("takes a missing key, is found by it, and keeps it against another", async () => {
        const one = await as(ALICE).write(async (tx) => {
          await tx.entities.findOrAdd({
            name: "acme",
            kind: "project",
            key: undefined,
            ...IN_TEAM,
          });
          return tx.entities.findOrAdd({
            name: "acme",
            kind: "project",
            key: "acme.com",
            ...IN_TEAM,
          });
        });
        const byKey = await as(ALICE).write((tx) =>
          tx.entities.findOrAdd({
            name: "other",
            kind: "company",
            key: "acme.com",
            ...IN_TEAM,
          }),
        );
        const kept = await as(ALICE).write((tx) =>
          tx.entities.findOrAdd({
            name: "acme",
            kind: "project",
            key: "x.com",
            ...IN_TEAM,
          }),
        );
        expect(byKey.entity.id).toBe(one.entity.id);
        expect(kept).toMatchObject({ entity: { canonicalKey: "acme.com" }, keyConflict: "acme.com" });
      });

      it("gains momentum with its events", async () => {
        const { id } = await as(ALICE).write(async (tx) => {
          const memory = await put(tx, ALICE, {});
          return tx.entities.noteEvent(memory.entity.id, "memory_stored", { memory_id: memory.id });
        });
        const [summary] = (await as(ALICE).entities.list({ reach: "here", minMemories: 1, limit: 1, offset: 0 }))
          .entities;
        expect(summary).toMatchObject({ id, momentum: expect.closeTo(0.4 * 5 + 0.3 * 7 + 0.3 * 0.571, 1) });
      });

      it("is listed by what is visible: counts, layers, pages and total agree", async () => {
        await add(ALICE, { entityName: "one", layer: "goal" });
        await add(ALICE, { entityName: "one", content: "pinned", importance: 0.95 });
        const gone = await add(ALICE, { entityName: "two" });
        await add(BOB, { entityName: "one", content: "not for alice", visibility: "private" });
        await as(ALICE).write((tx) => tx.memories.archive(gone, "forget"));
        const list = (minMemories: number, limit = 10, offset = 0) =>
          as(ALICE).entities.list({ reach: "here", minMemories, limit, offset });
        const one = { name: "one", memoryCount: 2, pinnedCount: 1, layers: { goal: 1, learning: 1, realize: 0 } };
        expect(await list(1)).toMatchObject({ total: 1, entities: [one] });
        expect((await list(0)).total).toBe(2);
        expect((await list(0, 1, 1)).entities).toHaveLength(1);
        expect((await list(0, 1, 0)).total).toBe(2);
      });
    });

    describe("a memory", () => {
      it("comes back as it went in", async () => {
        const expiresAt = new Date("2027-01-01T00:00:00Z");
        const content = '{"n": 00123, "big": 12345678901234567890}\t\r\n終わり 🦊';
        const made = await add(ALICE, { content, tags: ["a", "b"], importance: 0.25, expiresAt, hasOwnExpiry: true });
        expect(await as(ALICE).memories.byId(made.id)).toEqual(made);
        expect(await as(ALICE).memories.contentOf(made.id)).toBe(content);
        expect(made).toMatchObject({ content, tags: ["a", "b"], expiresAt, createdAt: clock.now(), version: 1 });
      });

      it("keeps the first vector of its words, whoever brings another", async () => {
        const made = await add(ALICE, { content: "walrus", visibility: "team" });
        const [first, other] = [Float32Array.of(1, 0, 0, 0), Float32Array.of(0, 1, 0, 0)];
        const put = (caller: Caller, memory: Memory, vector: Float32Array) =>
          as(caller).write((tx) => tx.vectors.put(memory, IDENTITY, vector));
        const cosine = async () =>
          (await as(ALICE).search.matchVector(first, IDENTITY, EVERYTHING, 5))?.find(({ id }) => id === made.id)?.score;
        await put(ALICE, made, first);
        await put(BOB, made, other);
        await expect.poll(cosine, { timeout: 5000 }).toBeCloseTo(1);
        const revised = await as(ALICE).write((tx) => tx.memories.revise(made, { text: canonical("penguin") }));
        await put(BOB, revised, other);
        await expect.poll(cosine, { timeout: 5000 }).toBeCloseTo(0);
      });

      it("was closed until it was raised, to all but its author", async () => {
        const made = await add(ALICE, { content: "walrus", visibility: "private" });
        const open = await add(ALICE, { content: "penguin", visibility: "team" });
        clock.advance(5000);
        const raised = clock.now();
        await as(ALICE).write((tx) => tx.memories.move(made, { visibility: "team" }));
        clock.advance(5000);
        const until = async (caller: Caller) => [...(await as(caller).memories.closedUntil([made.id, open.id]))];
        expect(await until(BOB)).toEqual([[made.id, raised]]);
        expect(await until(ALICE)).toEqual([]);
      });

      it("is found by new words at once after a revision, and no more by the old", async () => {
        const made = await add(ALICE, { content: "walrus" });
        const identities = { ...IDENTITY };
        await as(ALICE).write((tx) => tx.vectors.put(made, identities, Float32Array.of(1, 0, 0, 0)));
        expect(await as(ALICE).memories.countPending("here", identities)).toBe(0);
        const revised = await as(ALICE).write((tx) => tx.memories.revise(made, { text: canonical("penguin") }));
        expect(revised).toMatchObject({ id: made.id, content: "penguin", version: 2 });
        expect(await find(ALICE, "walrus")).toEqual([]);
        expect(await find(ALICE, "penguin")).toEqual([made.id]);
        await expect.poll(() => as(ALICE).memories.countPending("here", identities), { timeout: 5000 }).toBe(1);
      });

      it("tells what it was before each change, newest first, to whoever may open it", async () => {
        const made = await add(ALICE, { content: "walrus", tags: ["sea"], visibility: "private" });
        const past = (caller: Caller, page: Partial<PastPage> = {}) =>
          as(caller).memories.pastVersions({ id: made.id, limit: 10, offset: 0, ...page });
        expect(await past(ALICE)).toEqual({ total: 0, versions: [] });

        const revision = { text: canonical("penguin"), layer: "realize", tags: [] } as const;
        const revised = await as(ALICE).write((tx) => tx.memories.revise(made, revision));
        await as(ALICE).write((tx) => tx.memories.archive(revised, "forget"));

        const metadata = expect.objectContaining({ confidence: 0.8, certainty: "likely" });
        const rest = { by: "alice", changedAt: clock.now(), importance: 0.5, metadata, visibility: "private" };
        const first = {
          version: 1,
          content: "walrus",
          layer: "learning",
          tags: ["sea"],
          op: "revise",
          reason: undefined,
        };
        const second = { version: 2, content: "penguin", layer: "realize", tags: [], op: "archive", reason: "forget" };
        expect(await past(ALICE)).toEqual({
          total: 2,
          versions: [
            { ...second, ...rest },
            { ...first, ...rest },
          ],
        });
        expect(await past(ALICE, { limit: 1, offset: 1 })).toEqual({ total: 2, versions: [{ ...first, ...rest }] });
        expect(await past(BOB)).toEqual({ total: 0, versions: [] });
      });

      it("keeps its vector when only its importance changes", async () => {
        const made = await add(ALICE);
        await as(ALICE).write((tx) => tx.vectors.put(made, IDENTITY, Float32Array.of(1, 0, 0, 0)));
        await as(ALICE).write((tx) => tx.memories.revise(made, { importance: 0.7, tags: ["new"], expiresAt: null }));
        expect(await as(ALICE).memories.countPending("here", IDENTITY)).toBe(0);
        expect(await find(ALICE, "fox", { tags: ["new"] })).toEqual([made.id]);
      });

      it("is recognised by its words in its place only", async () => {
        const made = await add(ALICE);
        const twin = await as(ALICE).write(async (tx) => {
          const place = { visibility: "project", projectKey: ALICE.project } as const;
          const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
          const draft = {
            entity,
            text: canonical("the quick brown fox"),
            projectKey: ALICE.project,
            layer: "learning",
          } as const;
          const rest = { tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false } as const;
          const same = await tx.memories.sameWords({ ...draft, ...rest, visibility: "project" });
          const elsewhere = await tx.memories.sameWords({ ...draft, ...rest, visibility: "team" });
          const otherLayer = await tx.memories.sameWords({
            ...draft,
            ...rest,
            visibility: "project",
            layer: "context",
          });
          return { same: same?.id, elsewhere, otherLayer };
        });
        expect(twin).toEqual({ same: made.id, elsewhere: undefined, otherLayer: undefined });
      });

      it("leaves sight when archived or superseded, and comes with its state when asked for", async () => {
        const archived = await add(ALICE, { content: "heron one" });
        const old = await add(ALICE, { content: "heron two" });
        const successor = await add(ALICE, { content: "heron three" });
        await as(ALICE).write(async (tx) => {
          await tx.memories.archive(archived, "forget");
          await tx.memories.supersede(old, successor.id);
        });
        const sorted = async (over: Partial<Filter>) => (await find(ALICE, "heron", over)).sort((a, b) => a - b);
        expect(await sorted({})).toEqual([successor.id]);
        expect(await sorted({ withSuperseded: true })).toEqual([old.id, successor.id]);
        expect(await sorted({ withArchived: true, withSuperseded: true })).toEqual([archived.id, old.id, successor.id]);
        expect(await as(ALICE).memories.byId(old.id)).toMatchObject({
          supersededById: successor.id,
          archivedReason: "superseded",
        });
        expect(await as(ALICE).memories.byId(archived.id)).toMatchObject({
          archivedAt: clock.now(),
          archivedReason: "forget",
        });
      });

      it("counts its accesses soon after they were noted", async () => {
        const made = await add(ALICE);
        as(ALICE).noteAccess([made.id]);
        clock.advance(1000);
        as(ALICE).noteAccess([made.id]);
        await expect.poll(async () => (await as(ALICE).memories.byId(made.id))?.accessCount, { timeout: 5000 }).toBe(2);
        const now = clock.now();
        const between = new Date(now.getTime() - 500);
        const read = await as(ALICE).memories.accesses([made.id], now, between);
        expect(read.get(made.id)).toEqual({
          within30Days: 2,
          within90Days: 2,
          total: 2,
          lastAt: now,
          earlier: { within30Days: 1, within90Days: 1, total: 1, lastAt: new Date(now.getTime() - 1000) },
        });
        const longBefore = await as(ALICE).memories.accesses([made.id], now, new Date(now.getTime() - 60_000));
        expect(longBefore.get(made.id)).toMatchObject({ total: 2, earlier: undefined });
      });
    });

    describe("words", () => {
      it.each([
        ["two distant words of a long text", `zebra ${"filler ".repeat(900)} quagga`, "zebra quagga"],
        ["a stem", "the deployments failed", "deployment failing"],
        ["part of an identifier", "call parseUserToken first", "user token"],
        ["a whole identifier", "see src/auth/login_form.ts", "src/auth/login_form.ts"],
        ["Japanese", "本番環境のデータベースを移行する前にバックアップを取る", "データベースの移行"],
        ["Chinese", "部署之前必须先备份数据库", "备份数据库"],
        ["Korean", "배포하기 전에 데이터베이스를 백업해야 합니다", "데이터베이스 백업"],
        ["one CJK character", "鍵は金庫にある", "鍵"],
        ["two letters", "the CI is red", "CI"],
      ])("find %s", async (_, content, query) => {
        const made = await add(ALICE, { content });
        await add(ALICE, { content: "something else altogether" });
        expect(await find(ALICE, query)).toEqual([made.id]);
      });

      it.each([
        "%",
        '"',
        "*",
        "NEAR(",
        "a AND",
        "NOT",
        "-",
        ":",
        "()",
        "^x",
        "title:",
        "{}",
        "\u0000",
        "\ud800",
        "🦊",
        "' OR 1=1 --",
      ])("take %j as text and never fail", async (query) => {
        await add(ALICE, { content: "plain words" });
        expect(await find(ALICE, query)).toEqual([]);
      });

      it("rank a row by what it holds, its entity's name above its text", async () => {
        for (let i = 0; i < 20; i++) await add(ALICE, { content: `filler text ${i}` });
        const both = await add(ALICE, { content: "otter and badger" });
        const one = await add(ALICE, { content: "otter and others" });
        const named = await add(ALICE, { content: "something of the river", entityName: "badger" });
        const ids = await find(ALICE, "otter badger");
        expect(ids.indexOf(both.id)).toBeLessThan(ids.indexOf(one.id));
        expect(new Set(ids)).toEqual(new Set([both.id, one.id, named.id]));
        expect((await find(ALICE, "badger"))[0]).toBe(named.id);
      });

      it("apply every filter before the limit", async () => {
        const wanted = await add(ALICE, {
          content: "lynx among many other words here",
          layer: "realize",
          tags: ["x", "y"],
          entityName: "Cat_100%",
        });
        for (let i = 0; i < 30; i++) await add(ALICE, { content: `lynx ${i}`, tags: ["x"] });
        expect(await find(ALICE, "lynx", { layers: ["goal", "realize"] }, 1)).toEqual([wanted.id]);
        expect(await find(ALICE, "lynx", { tags: ["x", "y"] }, 1)).toEqual([wanted.id]);
        expect(await find(ALICE, "lynx", { entityName: "t_100%" }, 1)).toEqual([wanted.id]);
        expect(await find(ALICE, "lynx", { entityName: "%" }, 50)).toEqual([wanted.id]);
        expect(
          (await as(ALICE).memories.newest({ ...EVERYTHING, layers: ["realize"] }, 1)).map(({ id }) => id),
        ).toEqual([wanted.id]);
      });
    });

    describe("context", () => contextContract(() => ({ as, add, engine })));

    describe("vectors", () => {
      it("rank the whole store by cosine, within the filter and one identity", async () => {
        expect(
          await as(ALICE).search.matchVector(Float32Array.of(1, 0, 0, 0), IDENTITY, EVERYTHING, 5),
        ).toBeUndefined();
        const near = await add(ALICE, { content: "near" });
        const far = await add(ALICE, { content: "far", layer: "realize" });
        const hidden = await add(BOB, { content: "hidden", visibility: "private" });
        await as(ALICE).write(async (tx) => {
          await tx.vectors.put(near, IDENTITY, Float32Array.of(3, 1, 0, 0));
          await tx.vectors.put(far, IDENTITY, Float32Array.of(0, 1, 0, 0));
        });
        await as(BOB).write((tx) => tx.vectors.put(hidden, IDENTITY, Float32Array.of(1, 0, 0, 0)));
        const match = (over: Partial<Filter> = {}, identity = IDENTITY) =>
          as(ALICE).search.matchVector(Float32Array.of(1, 0, 0, 0), identity, { ...EVERYTHING, ...over }, 5);
        const hits = await match();
        expect(hits?.map(({ id }) => id)).toEqual([near.id, far.id]);
        expect(hits?.[0]?.score).toBeCloseTo(3 / Math.sqrt(10), 3);
        expect((await match({ layers: ["realize"] }))?.map(({ id }) => id)).toEqual([far.id]);
        expect(await match({}, { ...IDENTITY, revision: "2" })).toBeUndefined();
      });

      it("apply every filter before the limit", async () => {
        const wanted = await add(ALICE, {
          content: "wanted",
          layer: "realize",
          tags: ["x", "y"],
          entityName: "Cat_100%",
        });
        const others = await Promise.all(Array.from({ length: 12 }, (_, i) => add(ALICE, { content: `other ${i}` })));
        await as(ALICE).write(async (tx) => {
          await tx.vectors.put(wanted, IDENTITY, Float32Array.of(0, 0, 0, 1));
          for (const other of others) await tx.vectors.put(other, IDENTITY, Float32Array.of(1, 0, 0, 0));
        });
        const first = async (over: Partial<Filter>) =>
          (
            await as(ALICE).search.matchVector(Float32Array.of(1, 0, 0, 0), IDENTITY, { ...EVERYTHING, ...over }, 1)
          )?.map(({ id }) => id);
        expect(await first({ layers: ["goal", "realize"] })).toEqual([wanted.id]);
        expect(await first({ tags: ["x", "y"] })).toEqual([wanted.id]);
        expect(await first({ entityName: "t_100%" })).toEqual([wanted.id]);
        expect(await first({ entityIds: [wanted.entity.id] })).toEqual([wanted.id]);
        expect(await first({ aboutProject: "cat_100%" })).toEqual([wanted.id]);
        expect(await first({ fromProject: "host/org/pear" })).toEqual([]);
        expect(await first({ layers: [] })).toEqual([]);
        expect(await first({ tags: ["x", "nobody's"] })).toEqual([]);
      });

      it("go where their memory goes, at once", async () => {
        const asked = Float32Array.of(1, 0, 0, 0);
        const sorted = async (caller: Caller, over: Partial<Filter> = {}) =>
          ((await as(caller).search.matchVector(asked, IDENTITY, { ...EVERYTHING, ...over }, 50)) ?? [])
            .map(({ id }) => id)
            .sort((a, b) => a - b);
        const one = await add(ALICE, { content: "one" });
        const two = await add(ALICE, { content: "two" });
        const three = await add(ALICE, { content: "three" });
        for (const memory of [one, two, three]) {
          await as(ALICE).write((tx) => tx.vectors.put(memory, IDENTITY, asked));
          expect(await sorted(ALICE)).toContain(memory.id);
        }
        await as(ALICE).write(async (tx) => {
          await tx.memories.archive(one, "forget");
          await tx.memories.supersede(two, three.id);
        });
        expect(await sorted(ALICE)).toEqual([three.id]);
        expect(await sorted(ALICE, { withArchived: true })).toEqual([one.id, three.id]);
        expect(await sorted(ALICE, { withSuperseded: true })).toEqual([two.id, three.id]);
        expect(await sorted(ALICE, { withArchived: true, withSuperseded: true })).toEqual([one.id, two.id, three.id]);
        const goal = await as(ALICE).write((tx) => tx.memories.revise(three, { layer: "goal" }));
        expect(await sorted(ALICE, { layers: ["goal"] })).toEqual([three.id]);
        await as(ALICE).write((tx) => tx.memories.revise(goal, { text: canonical("three in other words") }));
        expect(await sorted(ALICE, { withArchived: true, withSuperseded: true })).toEqual([one.id, two.id]);
      });

      it.each([
        ["as many numbers as another model makes", Float32Array.of(1, 2, 3)],
        ["a number that is none", Float32Array.of(1, Number.NaN, 0, 0)],
        ["a number without end", Float32Array.of(1, Number.POSITIVE_INFINITY, 0, 0)],
        ["nothing but zeros", Float32Array.of(0, 0, 0, 0)],
        ["nothing", Float32Array.of()],
      ])("are refused, stored or asked, with %s", async (_, vector) => {
        const memory = await add(ALICE);
        const refusal = { code: "VALIDATION_ERROR", details: { issues: [{ path: "vector" }] } };
        await expect(as(ALICE).write((tx) => tx.vectors.put(memory, IDENTITY, vector))).rejects.toMatchObject(refusal);
        await expect(as(ALICE).search.matchVector(vector, IDENTITY, EVERYTHING, 5)).rejects.toMatchObject(refusal);
      });
    });

    listsContract(() => ({ as, add, clock }));
    describe("what is done", () => eraseContract(() => ({ as, add, clock, engine })));
    lifecycleContract(() => ({ engine, clock, identity: IDENTITY, as, add }));
    describe("access", () =>
      accessContract(
        () => engine,
        () => clock,
      ));
    describe("projects", () =>
      projectsContract(
        () => engine,
        () => clock,
      ));
    describe("the authorization server", () =>
      authorizationContract(
        () => engine,
        () => clock,
      ));
    describe("webhooks", () =>
      webhookContract(
        () => engine,
        () => clock,
      ));
    embeddingContract(() => ({ as, add, clock, engine }));
    describe("sessions", () => sessionsContract(() => ({ as, add, clock, engine })));
    describe("what was forgotten is not captured again", () => forgottenContract(() => ({ as, add, clock, engine })));

    describe("spaces", () => {
      /** Every reading method, by name, answering with the ids (or names) it gave away. */
      const VIEWS: Readonly<
        Record<string, (store: Store, target: Memory, reach: Reach) => Promise<readonly number[]>>
      > = {
        "memories.byId": async (store, { id }) => [(await store.memories.byId(id))?.id ?? 0],
        "memories.contentOf": async (store, { id }) => ((await store.memories.contentOf(id)) === undefined ? [] : [id]),
        "memories.byIds": async (store, { id }) => (await store.memories.byIds([id])).map((row) => row.id),
        "memories.newest": async (store, _, reach) =>
          (await store.memories.newest({ ...EVERYTHING, reach }, 50)).map((row) => row.id),
        "memories.browse": async (store, _, reach) => {
          const { memories, total } = await store.memories.browse({
            order: "newest",
            limit: 50,
            offset: 0,
            where: { ...EVERYTHING, reach },
          });
          expect(total).toBe(memories.length);
          return memories.map((row) => row.id);
        },
        "memories.around": async (store, _, reach) => {
          const from = { id: 0, createdAt: new Date(0) };
          const { after } = await store.memories.around(from, { ...EVERYTHING, reach }, { before: 0, after: 50 });
          return after.map((row) => row.id);
        },
        "memories.activity": async (store, { id }, reach) => {
          const days = await store.memories.activity(reach, new Date(0));
          const all = await store.memories.newest({ ...EVERYTHING, reach }, 50);
          expect(days.reduce((sum, { memories }) => sum + memories, 0)).toBe(all.length);
          return all.some((row) => row.id === id) ? [id] : [];
        },
        "memories.overview": async (store, { id, entity }, reach) => {
          const { layers, entities } = await store.memories.overview(reach);
          const { total } = await store.memories.browse({
            order: "hot",
            limit: 1,
            offset: 0,
            where: { ...EVERYTHING, reach, entityIds: [entity.id] },
          });
          const all = await store.memories.newest({ ...EVERYTHING, reach }, 50);
          expect(layers.reduce((sum, { memories }) => sum + memories, 0)).toBe(all.length);
          expect(entities.reduce((sum, each) => sum + each.entities, 0)).toBe(
            new Set(all.map((row) => row.entity.id)).size,
          );
          return Array(total).fill(id);
        },
        "memories.pending": async (store) =>
          (await store.memories.pending({ ...IDENTITY, revision: "never" }, 0, 50)).memories.map(({ id }) => id),
        "entities.byName": async (store, { id, entity }, reach) =>
          (await store.entities.byName("Hideout", reach))?.ids.includes(entity.id) ? [id] : [],
        "listings.tags": async (store, { id }, reach) => {
          const where = { ...EVERYTHING, reach };
          const { total, tags } = await store.listings.tags({ where, limit: 9, offset: 0 });
          expect(total).toBe(tags.length);
          return tags.some(({ tag }) => tag === "secret") ? [id] : [];
        },
        "listings.categories": async (store, _, reach) => {
          const all = await store.listings.categories({ where: { ...EVERYTHING, reach }, tags: 5, sample: 9 });
          expect(all.map(({ total }) => total)).toEqual(all.map(({ sample }) => sample.length));
          return all.flatMap(({ sample }) => sample.map(({ id }) => id));
        },
        "listings.statistics": async (store, { id }, reach) => {
          const { shares } = await store.listings.statistics(reach);
          const all = await store.memories.newest({ ...EVERYTHING, reach }, 50);
          expect(shares.reduce((sum, { memories }) => sum + memories, 0)).toBe(all.length);
          return shares.reduce((sum, { tagged }) => sum + tagged, 0) > 0 ? [id] : [];
        },
        "listings.sessions": async (store, { id }, reach) =>
          (await store.listings.sessions({ reach, limit: 9, offset: 0 })).sessions.map(() => id),
        "listings.sessionEvents": async (store) =>
          ((await store.listings.sessionEvents({ session: "s-view" }))?.memories ?? []).map(({ memory }) => memory.id),
        "listings.openings": async (store, { id }, reach) =>
          (await store.listings.openings(reach, new Date(0))).map(() => id),
        "listings.links": async (store, { id }) =>
          (await store.listings.links([id])).flatMap(({ from, to }) => [from, to]),
        "listings.names": async (store, target) => [...(await store.listings.names([target])).authors.keys()],
        "listings.projectsLike": async (store, { id }) => (await store.listings.projectsLike("pear")).map(() => id),
        "listings.readings": async (store, { id }) => (await store.listings.readings(id, 9)).map(() => id),
        "listings.parts": async (store, { id }) => ((await store.listings.parts(id)) ? [id] : []),
        "snapshots.find": async (store, { id }) =>
          (await store.snapshots.find({ machine: "m", session: "s", path: "/secret" })) ? [id] : [],
        "sessions.current": async () => [],
        "sessions.progress": async (store, { id }) => ((await store.sessions.progress("s-view")) ? [id] : []),
        "sessions.project": async (store, { id }) => ((await store.sessions.project("s-view")) ? [id] : []),
        "sessions.trace": async (store) =>
          (await store.sessions.trace("s-view")).memories.map(({ memory }) => memory.id),
        "sessions.ownIds": async (store) => [...(await store.sessions.ownIds("s-view"))],
        "sessions.workSnapshot": async (store, { id }) => ((await store.sessions.workSnapshot("s-view")) ? [id] : []),
        "sessions.lastSeenAt": async (store, { id }) => ((await store.sessions.lastSeenAt("none")) ? [id] : []),
        "sessions.handoffs": async (store, { id }) => (await store.sessions.handoffs(9)).map(() => id),
        "sessions.lastWork": async (store, { id }) => ((await store.sessions.lastWork()) ? [id] : []),
        "memories.closedUntil": async (store, { id }) => [...(await store.memories.closedUntil([id])).keys()],
        "memories.pastVersions": async (store, { id }) =>
          (await store.memories.pastVersions({ id, limit: 9, offset: 0 })).versions.map(() => id),
        "memories.accesses": async (store, { id }) => [
          ...(await store.memories.accesses([id], clock.now(), clock.now())).keys(),
        ],
        "memories.countPending": async (store, { id }, reach) =>
          Array(await store.memories.countPending(reach, IDENTITY)).fill(id),
        "entities.list": async (store, target, reach) => {
          const { entities, total } = await store.entities.list({ reach, minMemories: 0, limit: 50, offset: 0 });
          expect(total).toBe(entities.length);
          return entities.some(({ id }) => id === target.entity.id) ? [target.id] : [];
        },
        "search.matchWords": async (store, _, reach) =>
          ((await store.search.matchWords(readQuery("secret squirrel"), { ...EVERYTHING, reach }, 50)) ?? []).map(
            ({ id }) => id,
          ),
        "search.matchVector": async (store, _, reach) =>
          (
            (await store.search.matchVector(Float32Array.of(1, 0, 0, 0), IDENTITY, { ...EVERYTHING, reach }, 50)) ?? []
          ).map(({ id }) => id),
      };
      const CAROL = aCaller({ member: { id: 13, name: "carol" } }); // names no project, as a 1.5 client

      it("has a row here for every method that reads", () => {
        const store = as(ALICE);
        const methods = (["memories", "entities", "listings", "snapshots", "sessions", "search"] as const).flatMap(
          (part) => Object.keys(store[part]).map((method) => `${part}.${method}`),
        );
        expect(Object.keys(VIEWS).sort()).toEqual(methods.sort());
      });

      it.each([
        // visibility, reader, reach, seen
        ["team", "owner", "here", true],
        ["team", "stranger", "here", true],
        ["team", "old client", "here", true],
        ["project", "owner", "here", true],
        ["project", "stranger", "here", false],
        ["project", "stranger", "everywhere", true],
        ["project", "old client", "here", true],
        ["private", "owner", "here", true],
        ["private", "owner", "everywhere", true],
        ["private", "stranger", "here", false],
        ["private", "stranger", "everywhere", false],
        ["private", "old client", "everywhere", false],
      ] as const)("a %s memory, its %s looking %s: %s, by every method", async (visibility, reader, reach, isSeen) => {
        const tags = ["secret"];
        const target = await add(ALICE, { content: "secret squirrel", entityName: "hideout", visibility, tags });
        const companion = await add(ALICE, { content: "its companion", entityName: "hideout", visibility });
        const type = "elaborates" as const;
        await as(ALICE).write((tx) => tx.links.put(companion, { to: target.id, type, note: undefined }));
        await as(ALICE).write((tx) => tx.vectors.put(target, IDENTITY, Float32Array.of(1, 0, 0, 0)));
        as(ALICE).noteAccess([target.id]);
        await expect
          .poll(async () => (await as(ALICE).memories.byId(target.id))?.accessCount, { timeout: 5000 })
          .toBe(1);
        await add(BOB, { content: "so that this project exists", entityName: "elsewhere" });
        const pending = await as(ALICE).write((tx) =>
          tx.memories.revise(target, { text: canonical("secret squirrel again") }),
        );
        await as(ALICE).write((tx) =>
          tx.vectors.put(pending, { ...IDENTITY, revision: "other" }, Float32Array.of(1, 0, 0, 0)),
        );
        const store = as({ owner: ALICE, stranger: BOB, "old client": CAROL }[reader]);
        const fetches = new Set([
          "memories.byId",
          "memories.contentOf",
          "memories.byIds",
          "memories.accesses",
          "memories.pending",
          "memories.pastVersions",
          "listings.links",
          "listings.parts",
          "listings.readings",
        ]);
        for (const [method, view] of Object.entries(VIEWS)) {
          if (["search.matchVector", "memories.countPending", "snapshots.find"].includes(method)) continue;
          // Names belong to memories that the caller already has.
          if (method === "listings.names") continue;
          // Keys of projects: `projectsContract` asks.
          if (method === "listings.projectsLike") continue;
          // A memory that was open all along has no such moment.
          if (method === "memories.closedUntil") continue;
          // Lists of sessions and of days: `listsContract` covers them.
          if (method === "listings.sessions" || method === "listings.openings") continue;
          // A session is its member's alone: `sessionsContract` asks.
          if (method.startsWith("sessions.") || method === "listings.sessionEvents") continue;
          // Fetching by id reaches all that a caller may open.
          const isExpected = fetches.has(method)
            ? isSeen || (visibility === "project" && reader === "stranger")
            : isSeen;
          expect([method, (await view(store, target, reach)).includes(target.id)]).toEqual([method, isExpected]);
        }
        const hits = await store.search.matchVector(
          Float32Array.of(1, 0, 0, 0),
          { ...IDENTITY, revision: "other" },
          { ...EVERYTHING, reach },
          50,
        );
        expect((hits ?? []).map(({ id }) => id).includes(target.id)).toBe(isSeen);
        // A session's snapshots of a file are its member's alone, beside memories in any space.
        await as(ALICE).write((tx) => tx.snapshots.put({ machine: "m", session: "s", path: "/secret" }, A_SNAPSHOT));
        expect((await VIEWS["snapshots.find"]?.(store, target, reach))?.length).toBe(Number(reader === "owner"));
        const open = await store.memories.countPending(reach, { ...IDENTITY, revision: "never" });
        expect(open).toBe((await store.memories.newest({ ...EVERYTHING, reach }, 50)).length);
      });

      it("are closed when a named project is unknown", async () => {
        await add(ALICE, { content: "secret squirrel" });
        expect(await find(ALICE, "squirrel", { reach: { projectKey: "host/org/nowhere" } })).toEqual([]);
        expect(await find(BOB, "squirrel", { reach: { projectKey: "host/org/apple" } })).toHaveLength(1);
      });
    });

    it("tells of the vectors of a write once it is committed, and of none of a write that failed", async () => {
      const memory = await add(ALICE);
      const told: unknown[] = [];
      const end = engine.onVectorsStored((stored) => told.push(...stored));
      const put = (tx: Writes) => tx.vectors.put(memory, IDENTITY, Float32Array.of(1, 0, 0, 0));
      const failing = as(ALICE).write(async (tx) => {
        await put(tx);
        throw new Error("on purpose");
      });
      await expect(failing).rejects.toThrow("on purpose");
      expect(told).toEqual([]);
      await as(ALICE).write(put);
      expect(told).toEqual([{ memoryId: memory.id, identity: IDENTITY }]);
      end();
      await as(ALICE).write(put);
      expect(told).toHaveLength(1);
    });

    it("sums itself up for an operator", async () => {
      const gone = await add(ALICE, { content: "gone" });
      await add(ALICE, { content: "here" });
      await as(ALICE).write((tx) => tx.memories.archive(gone, "forget"));
      await engine.inspect.ping();
      await engine.inspect.assertWritable();
      await engine.inspect.assertSearchable();
      expect(await engine.inspect.summary()).toMatchObject({
        live: 1,
        archived: 1,
        superseded: 0,
        textRows: 2,
        pending: 1,
      });
    });
  });
}

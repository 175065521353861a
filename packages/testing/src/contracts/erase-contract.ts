import { type Caller, localCaller, openAccessAdmin } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { AuditQuery, Engine, StoredText } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { expect, it } from "vitest";
import { aCaller } from "../fakes.ts";
import type { Bench } from "./lists-contract.ts";

const ALICE = aCaller({ member: { id: 11, name: "alice" }, client: { name: "t", version: "1", session: "s-1" } });
const BOB = aCaller({ member: { id: 12, name: "bob" } });
const OPERATOR = localCaller(undefined);

/** Requirements on an engine's audit log and on purging. */
export function eraseContract(bench: () => Bench & { readonly engine: Engine }): void {
  const audit = (query: Partial<AuditQuery> = {}) => bench().engine.audit.list({ limit: 100, ...query });
  const find = async (caller: Caller, text: string) => {
    const where = { reach: "everywhere", withArchived: true, withSuperseded: true } as const;
    const hits = (await bench().as(caller).search.matchWords(readQuery(text), where, 50)) ?? [];
    return hits.map(({ id }) => id);
  };

  it("leaves a row for every write with its transaction, and none for one that fails", async () => {
    const { as, add } = bench();
    const { id } = await add(ALICE, { content: "said by alice" });
    await add(BOB, { content: "said by bob" });
    await expect(as(ALICE).write(() => Promise.reject(new Error("no")))).rejects.toThrow();

    expect(await audit({ member: "alice" })).toMatchObject([
      { op: "write", outcome: "ok", memoryIds: [id], client: "t/1" },
    ]);
    expect((await audit()).map(({ member }) => member)).toEqual(["bob", "alice"]);
    expect(await audit({ memoryId: id })).toHaveLength(1);
    const [newest] = await audit({ limit: 1 });
    expect((await audit({ before: newest?.seq })).map(({ member }) => member)).toEqual(["alice"]);
    expect(await audit({ since: new Date(bench().clock.now().getTime() + 1000) })).toEqual([]);
  });

  it("leaves rows for members, tokens and projects, by id", async () => {
    const { engine, clock } = bench();
    const admin = openAccessAdmin(engine.access, OPERATOR, clock);
    const { id } = await admin.createToken({ member: "carol" });
    await admin.revokeToken({ id });
    await admin.revokeToken({ id });

    const rows = await audit({ member: "local" });
    expect(rows.map(({ op }) => op)).toEqual(["token.revoke", "token.create", "member.add"]);
    expect(rows[0]?.subject).toBe(`token:${id}`);
  });

  it("writes refusals down soon, those alike as one", async () => {
    const { engine } = bench();
    for (let i = 0; i < 3; i++) engine.audit.refused({ caller: BOB, op: "chest_forget", outcome: "FORBIDDEN" });
    engine.audit.refused({ caller: undefined, op: "POST /mcp", outcome: "UNAUTHORIZED" });

    await expect.poll(() => audit(), { timeout: 5000 }).toHaveLength(2);
    const rows = await audit({ op: "chest_forget" });
    expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(3);
    expect((await audit({ op: "POST /mcp" }))[0]).toMatchObject({ member: undefined, outcome: "UNAUTHORIZED" });
  });

  it("takes a memory away for good, whoever it belongs to, and says what was made of it", async () => {
    const { as, add, engine } = bench();
    const gone = await add(ALICE, {
      content: "the squirrel is called Ragnhild",
      entityName: "ragnhild",
      visibility: "private",
    });
    const kept = await add(ALICE, { content: "the squirrel eats nuts", entityName: "acme" });
    const newer = await add(ALICE, { content: "the squirrel moved", entityName: "acme" });
    await as(ALICE).write(async (tx) => tx.memories.supersede((await tx.memories.byId(gone.id)) ?? gone, newer.id));

    expect(await engine.purger.find({ ids: [gone.id, 999_999] })).toEqual([gone.id]);
    expect(await engine.purger.purge(OPERATOR, [gone.id, 999_999])).toMatchObject({
      purged: [gone.id],
      derived: [newer.id],
      backups: [],
      isLogClean: expect.any(Boolean),
    });
    expect([await find(ALICE, "Ragnhild"), await as(ALICE).memories.byId(gone.id)]).toEqual([[], undefined]);
    expect((await as(ALICE).memories.pastVersions({ id: gone.id, limit: 9, offset: 0 })).total).toBe(0);
    expect((await find(ALICE, "squirrel")).sort()).toEqual([kept.id, newer.id].sort());
    expect(await as(ALICE).entities.byName("ragnhild", "everywhere")).toBeUndefined();
    const rows = (await audit({ op: "purge" })).toReversed();
    expect(rows.map(({ outcome, memoryIds }) => [outcome, memoryIds])).toEqual([
      ["begun", [gone.id]],
      ["ok", [gone.id]],
    ]);
    expect((await engine.purger.purge(OPERATOR, [gone.id])).purged).toEqual([]);
  });

  it("brings what a purged memory had replaced out of its shadow, still archived", async () => {
    const { as, add, engine } = bench();
    const old = await add(ALICE, { content: "the walnut rule" });
    const newer = await add(ALICE, { content: "the walnut rule, mended" });
    await as(ALICE).write(async (tx) => tx.memories.supersede((await tx.memories.byId(old.id)) ?? old, newer.id));
    await engine.purger.purge(OPERATOR, [newer.id]);

    const left = await as(ALICE).memories.byId(old.id);
    expect([left?.supersededById, left?.archivedAt === undefined]).toEqual([undefined, false]);
    const archived = { reach: "everywhere", withArchived: true, withSuperseded: false } as const;
    const hits = (await as(ALICE).search.matchWords(readQuery("walnut"), archived, 9)) ?? [];
    expect(hits.map(({ id }) => id)).toEqual([old.id]);
  });

  it("means all of a member, or all of a session", async () => {
    const { add, engine, clock } = bench();
    await openAccessAdmin(engine.access, OPERATOR, clock).addMember({ name: "dave" });
    const dave = (await engine.access.memberByName("dave")) ?? BOB.member;
    const ofDave = await add(aCaller({ member: dave }), { content: "by dave" });
    const ofSession = await add(ALICE, { content: "in the session" });
    await add(BOB, { content: "elsewhere" });

    expect(await engine.purger.find({ member: "dave" })).toEqual([ofDave.id]);
    expect(await engine.purger.find({ session: "s-1" })).toEqual([ofSession.id]);
    await expect(engine.purger.find({ member: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("shows every stored text, and rewrites those of a memory with its words in the index", async () => {
    const { as, add, engine } = bench();
    const memory = await add(ALICE, { content: "call Ragnhild tomorrow", entityName: "Ragnhild" });
    await as(ALICE).write(async (tx) => tx.memories.revise(memory, { text: canonical("call Ragnhild today") }));
    const seen: StoredText[] = [];
    await engine.purger.visit((text) => seen.push(text));
    expect(seen).toContainEqual({ memoryId: memory.id, field: "content", text: "call Ragnhild today" });
    expect(seen.some(({ field, text }) => field === "entity" && text === "Ragnhild")).toBe(true);

    await engine.purger.rewrite(OPERATOR, [memory.id], (text) => text.replaceAll("Ragnhild", "somebody"));

    const left: StoredText[] = [];
    await engine.purger.visit((text) => left.push(text));
    expect(left.filter(({ text }) => text.includes("Ragnhild"))).toEqual([]);
    expect((await as(ALICE).memories.byId(memory.id))?.content).toBe("call somebody today");
    const { versions } = await as(ALICE).memories.pastVersions({ id: memory.id, limit: 9, offset: 0 });
    expect(versions).toMatchObject([{ content: "call somebody tomorrow" }]);
    expect([await find(ALICE, "Ragnhild"), await find(ALICE, "somebody")]).toEqual([[], [memory.id]]);
  });

  it("shows keys of projects, ids of sessions and labels of tokens, and rewrites them everywhere at once", async () => {
    const { as, add, engine, clock } = bench();
    const session = "of-Ragnhild";
    const ragnhild = { ...ALICE, project: "host/Ragnhild/app", client: { ...ALICE.client, session } };
    const { id } = await add(ragnhild, { content: "in her project" });
    await add({ ...ragnhild, project: "host/somebody/app" }, { content: "in another" });
    const progress = { nextLine: 3, lastLineHash: undefined, carry: undefined };
    const edit = { session, turn: "t", ordinal: 0, path: "/a.ts", operation: "edit", intent: undefined } as const;
    for (const caller of [ragnhild, { ...ragnhild, member: BOB.member }])
      await as(caller).write(async (tx) => {
        await tx.sessions.keepProgress(session, progress, caller.project);
        const rest = { at: clock.now(), captureKey: undefined, projectKey: caller.project };
        expect(await tx.sessions.touch({ ...edit, ...rest })).toBe(true);
        await tx.sessions.keepWorkSnapshot(session, { text: "at work" });
      });
    const admin = openAccessAdmin(engine.access, OPERATOR, clock);
    await admin.createToken({ member: "alice", label: "of Ragnhild" });

    await engine.purger.rewrite(OPERATOR, [], (text) => text.replaceAll("Ragnhild", "somebody"));

    const left: StoredText[] = [];
    await engine.purger.visit((text) => left.push(text));
    expect(left.filter(({ text }) => text.includes("Ragnhild"))).toEqual([]);
    const keys = (await engine.access.projects()).map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
    expect(await admin.listTokens({})).toMatchObject([{ label: "of somebody" }]);
    const renamed = left.find(({ field, memoryId }) => field === "session id" && memoryId === id)?.text ?? "";
    expect(renamed).toMatch(/^redacted-/);
    expect(await engine.purger.find({ session: renamed })).toContain(id);
    for (const caller of [ragnhild, { ...ragnhild, member: BOB.member }]) {
      const own = as({ ...caller, project: undefined }).sessions;
      expect(await own.progress(renamed)).toMatchObject({ nextLine: 3 });
      expect(await own.workSnapshot(renamed)).toMatchObject({ text: "at work" });
      expect((await own.trace(renamed)).files).toEqual([{ path: "/a.ts", edits: 1 }]);
    }
  });
}

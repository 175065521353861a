import { localCaller, openAccessAdmin } from "@chest/core/access";
import { canonical, type Memory } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { captureTranscript } from "@chest/core/transcript";
import { expect, it } from "vitest";
import { aCaller } from "../fakes.ts";
import { transcriptOf } from "../transcript.ts";
import type { Bench } from "./lists-contract.ts";

const PROJECT = "host/org/apple";
const ALICE = aCaller({ member: { id: 11, name: "alice" }, project: PROJECT });
const BOB = aCaller({ member: { id: 12, name: "bob" }, project: PROJECT });

const RULE = "From now on never commit the generated client to the repository.";
const NEARLY = "from now on, never commit the  generated clients to the repository!";
const OTHER = "From now on never commit the generated server to the repository.";

/** Requirements on an engine: what a member has forgotten is not captured of that member's sessions again. */
export function forgottenContract(bench: () => Bench & { readonly engine: Engine }): void {
  const take = async (session: string, said: string, caller = ALICE, file = "client") => {
    const { as, clock } = bench();
    const { user, edits } = transcriptOf(session);
    const lines = [user(said), edits(`/home/dev/acme/src/${file}.ts`)];
    const report = await captureTranscript(() => lines, {}, { store: as(caller), clock }, caller);
    if (!report) throw new Error("no session in these lines");
    return report.memories;
  };
  const rowsOf = async (session: string, caller = ALICE) => {
    const { memories } = await bench().as(caller).sessions.trace(session);
    return memories.map(({ memory, rule }) => ({ ...memory, rule }));
  };
  const ruleOf = async (session: string, caller = ALICE): Promise<Memory> => {
    const found = (await rowsOf(session, caller)).find(({ rule }) => rule === "realize");
    if (!found) throw new Error(`no rule in ${session}`);
    return found;
  };
  const forget = (memory: Memory, caller = ALICE) =>
    bench()
      .as(caller)
      .write((tx) => tx.memories.archive(memory, "forget"));
  const journalOf = async (session: string, caller = ALICE) =>
    (await rowsOf(session, caller))
      .filter(({ rule }) => rule !== "realize")
      .map(({ content }) => content)
      .join("\n");

  it("neither in the same words nor nearly in them, in any later session; another statement is", async () => {
    await take("first", RULE);
    await forget(await ruleOf("first"));
    expect(await take("again", RULE)).toMatchObject({ forgotten: 1 });
    expect(await take("nearly", NEARLY)).toMatchObject({ forgotten: 1 });
    expect(await take("other", OTHER)).toMatchObject({ forgotten: 0 });
    const rules = async (session: string) => (await rowsOf(session)).filter(({ rule }) => rule === "realize");
    expect(await rules("again")).toEqual([]);
    expect(await rules("nearly")).toEqual([]);
    expect(await rules("other")).toHaveLength(1);
  });

  it("and what is known is captured once, in whatever spelling, form or inflection it is said again", async () => {
    await take("first", RULE);
    const polite = "今後は必ず帳票を二回確認します。";
    await take("polite", polite);
    for (const [at, said] of [NEARLY, RULE.toLowerCase(), "今後は必ず帳票を二回確認する"].entries())
      expect(await take(`again-${at}`, said)).toMatchObject({ same_words: 1 });
    for (const [at, said] of [OTHER, "今後は必ず帳票を三回確認する"].entries())
      expect(await take(`other-${at}`, said)).toMatchObject({ same_words: 0 });
  });

  it("nor by a session that is rewritten so that it says it", async () => {
    const { as } = bench();
    await take("first", OTHER);
    await take("second", RULE);
    await forget(await ruleOf("second"));
    expect(await take("first", RULE, ALICE, "server")).toMatchObject({ forgotten: 1 });
    expect(await as(ALICE).memories.contentOf((await ruleOf("first")).id)).toBe(OTHER);
  });

  it("but what another member says in a session of their own stays", async () => {
    await take("first", RULE);
    await forget(await ruleOf("first"));
    expect(await take("of-bob", RULE, BOB)).toMatchObject({ forgotten: 0 });
    expect(await ruleOf("of-bob", BOB)).toMatchObject({ content: expect.stringContaining("generated client") });
    expect(await journalOf("of-bob", BOB)).not.toContain("[forgotten]");
    // The one who archives it has it forgotten for both.
    await forget(await ruleOf("of-bob", BOB), ALICE);
    expect(await take("of-bob-again", RULE, BOB)).toMatchObject({ forgotten: 1 });
  });

  it("nor where it is shown that it was said, until it is restored", async () => {
    const { as } = bench();
    await take("first", RULE);
    const memory = await ruleOf("first");
    expect(await journalOf("first")).toContain("generated client");
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("first", { text: `It was said:\n- ${RULE}\n- Go on` }));
    await forget(memory);
    expect(await journalOf("first")).not.toContain("generated client");
    expect(await journalOf("first")).toContain("[forgotten]");
    const { memories } = await as(ALICE).memories.browse({
      order: "newest",
      where: { reach: "here", withArchived: false, withSuperseded: false },
      after: undefined,
      offset: 0,
      limit: 50,
    });
    expect(memories.map(({ content }) => content).join("\n")).not.toContain("generated client");
    expect((await as(ALICE).sessions.lastWork())?.text).toBe("It was said:\n- [forgotten]\n- Go on");

    await as(ALICE).write(async (tx) => {
      const archived = await tx.memories.byId(memory.id);
      if (archived) await tx.memories.restore(archived);
    });
    expect(await journalOf("first")).toContain("generated client");
    expect((await as(ALICE).sessions.lastWork())?.text).toContain("generated client");
    expect(await take("again", RULE)).toMatchObject({ forgotten: 0, inserted: 0 });
  });

  it("until it is said again on purpose, nearly in the same words at least", async () => {
    await take("first", RULE);
    await forget(await ruleOf("first"));
    const draft = {
      layer: "learning" as const,
      text: canonical(NEARLY),
      tags: [],
      importance: 0.5,
      projectKey: PROJECT,
      expiresAt: undefined,
      hasOwnExpiry: false,
    };
    await bench()
      .as(ALICE)
      .write(async (tx) => {
        const place = { visibility: "project" as const, projectKey: PROJECT };
        const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
        // Storing the statement in another space does not remove the tombstone here.
        await tx.memories.sayAgain({ ...draft, entity, visibility: "private" });
      });
    expect(await take("again", RULE)).toMatchObject({ forgotten: 1 });
    await bench()
      .as(ALICE)
      .write(async (tx) => {
        const place = { visibility: "project" as const, projectKey: PROJECT };
        const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
        await tx.memories.sayAgain({ ...draft, entity, visibility: "project" });
      });
    expect(await journalOf("first")).toContain("generated client");
    expect(await take("once-more", RULE)).toMatchObject({ forgotten: 0 });
  });

  it("nor in a project that theirs is merged into", async () => {
    const { engine, clock } = bench();
    const fig = { ...ALICE, project: "host/org/fig" };
    await take("of-fig", RULE, fig);
    await forget(await ruleOf("of-fig", fig), fig);
    await take("of-apple", OTHER);
    const asked = { key: PROJECT, add_aliases: ["host/org/fig"], merge: true };
    await openAccessAdmin(engine.access, localCaller(undefined), clock).setProject(asked);
    expect(await take("again", RULE)).toMatchObject({ forgotten: 1 });
    expect(await journalOf("of-fig")).not.toContain("generated client");
  });

  it("nor after a purge, which leaves no word of it", async () => {
    const { engine } = bench();
    await take("first", RULE);
    const memory = await ruleOf("first");
    await forget(memory);
    await engine.purger.purge(ALICE, [memory.id, ...(await rowsOf("first")).map(({ id }) => id)]);
    expect(await take("again", RULE)).toMatchObject({ forgotten: 1 });
  });

  it("a purge leaves no word of it in notes that quote it, nor in sessions that said it again", async () => {
    const { engine, as } = bench();
    await take("first", RULE);
    await take("again", RULE, ALICE, "other");
    await take("his", RULE, BOB, "third");
    await take("not-it", OTHER, BOB, "fourth");
    await as(BOB).write((tx) => tx.sessions.keepWorkSnapshot("his", { text: `Asked: ${RULE}\nEdited third.ts` }));
    const rule = await ruleOf("first");
    const { purged } = await engine.purger.purge(ALICE, [rule.id]);

    expect(purged).toEqual([rule.id]);
    const left: string[] = [];
    await engine.purger.visit(({ text, field, memoryId }) => left.push(`${field} ${memoryId}: ${text}`));
    expect(left.filter((text) => /generated clients?/.test(text))).toEqual([]);
    expect(left.filter((text) => text.includes("generated server")).length).toBeGreaterThan(2);
    expect(await journalOf("first")).toContain("client.ts");
    expect((await as(BOB).sessions.workSnapshot("his"))?.text).toBe("Asked: [forgotten]\nEdited third.ts");
    const everywhere = { reach: "everywhere", withArchived: true, withSuperseded: true, withJournal: true } as const;
    const found = (await as(ALICE).search.matchWords(readQuery("generated"), everywhere, 50)) ?? [];
    const server = (await rowsOf("not-it", BOB)).map(({ id }) => id);
    expect(found.map(({ id }) => id).filter((id) => !server.includes(id))).toEqual([]);
  });

  it("a purge of a member, or of a session, takes the words of sessions whose memories are another's", async () => {
    const { engine, clock } = bench();
    await openAccessAdmin(engine.access, localCaller(undefined), clock).addMember({ name: "dora" });
    const dora = aCaller({ member: (await engine.access.memberByName("dora")) ?? ALICE.member, project: PROJECT });
    const wordsLeft = async () => {
      const left: string[] = [];
      await engine.purger.visit(({ text }) => left.push(text));
      return left.filter((text) => text.includes("generated")).length;
    };
    await take("first", RULE, dora);
    await take("second", RULE, dora);
    const own = await engine.purger.find({ member: "dora" });
    await engine.purger.purge(ALICE, own.slice(1));
    await engine.purger.purge(ALICE, own.slice(0, 1), { member: "dora" });
    expect(await wordsLeft()).toBe(0);
    expect(await take("third", `Yes. ${OTHER}`, dora)).toMatchObject({ purged: 0 });
    await engine.purger.purge(ALICE, await engine.purger.find({ session: "third" }), { session: "third" });
    expect(await wordsLeft()).toBe(0);
  });

  it("while what is archived for another reason may come again", async () => {
    const { as } = bench();
    for (const why of ["merged", "superseded", "dropped", "cold", "expired", "operator"] as const) {
      await take(`first-${why}`, RULE);
      const memory = await ruleOf(`first-${why}`);
      await as(ALICE).write((tx) => tx.memories.archive(memory, why));
      expect(await take(`again-${why}`, RULE)).toMatchObject({ forgotten: 0 });
      const again = await ruleOf(`again-${why}`);
      await as(ALICE).write((tx) => tx.memories.archive(again, why));
    }
    await take("gone", RULE);
    const gone = await ruleOf("gone");
    await as(ALICE).write((tx) => tx.sessions.retire(gone));
    expect(await take("after-it", RULE)).toMatchObject({ forgotten: 0 });
  });
}

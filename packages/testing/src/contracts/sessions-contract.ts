import { SESSION_PAUSE_MS } from "@chest/core/access";
import { canonical, type Memory } from "@chest/core/memory";
import type { CapturedMemory, Engine, Filter } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { type CaptureOptions, captureMemoryFiles, captureTranscript, isJournalRule } from "@chest/core/transcript";
import { describe, expect, it } from "vitest";
import { aCaller } from "../fakes.ts";
import { transcriptOf } from "../transcript.ts";
import type { Bench } from "./lists-contract.ts";

const ALICE = aCaller({ member: { id: 11, name: "alice" }, project: "host/org/apple" });
const BOB = aCaller({ member: { id: 12, name: "bob" }, project: "host/org/apple" });
const IDENTITY = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
const DAY_MS = 86_400_000;
const SESSION = "6d1f2f6e-0000-4000-8000-0000000000aa";

const { user, says, edits, runs, result } = transcriptOf(SESSION);
const FIRST = [
  user("Make the login tokens expire after fifteen minutes, please."),
  says("The check compares milliseconds with seconds."),
  edits("/home/dev/acme/src/token.ts"),
];
const SECOND = [
  user("Never commit the generated client to the repository."),
  edits("/home/dev/acme/src/index.ts"),
  edits("/home/dev/acme/src/index.ts"),
];

/** Requirements on an engine's sessions: capture from transcripts, and what remains of them. */
export function sessionsContract(bench: () => Bench & { readonly engine: Engine }): void {
  const take = async (lines: readonly string[], fromLine?: number, caller = ALICE, options: CaptureOptions = {}) => {
    const { as, clock } = bench();
    const ports = { store: as(caller), clock };
    const report = await captureTranscript(() => lines, { fromLine, ...options }, ports, caller);
    if (!report) throw new Error("no session in these lines");
    return report;
  };
  const trace = (caller = ALICE) => bench().as(caller).sessions.trace(SESSION);
  const ids = async () => (await trace()).memories.map(({ memory }) => memory.id).sort((a, b) => a - b);

  describe("a transcript", () => {
    it("is told of in a dry run as it would be taken, of what is there already, without a trace", async () => {
      const dry = (lines: readonly string[], fromLine?: number) => take(lines, fromLine, ALICE, { isDryRun: true });
      const whole = [...FIRST, ...SECOND];
      const told = await dry(whole);
      expect(await ids()).toEqual([]);
      expect(await bench().as(ALICE).sessions.progress(SESSION)).toBeUndefined();
      expect(await dry(whole)).toEqual(told);

      const first = await dry(FIRST);
      expect(await take(FIRST)).toMatchObject({ memories: first.memories, edits: first.edits });
      const before = await ids();
      expect((await dry(FIRST)).memories).toMatchObject({ inserted: 0, updated: 0 });
      const second = await dry(whole);
      expect(await ids()).toEqual(before);
      expect(await take(whole)).toMatchObject({ memories: second.memories, edits: second.edits, nextLine: 6 });
      expect((await dry(whole)).memories).toMatchObject({ inserted: 0, updated: 0 });
    });

    it("that is older than the lifetime of its layers comes in as it is asked to, also when it was left out before", async () => {
      const { as, clock } = bench();
      clock.advance(400 * DAY_MS);
      const whole = [...FIRST, ...SECOND];
      const without = await take(whole);
      const left = without.memories.expired;
      expect(left).toBeGreaterThan(0);
      const all = left + without.memories.inserted;

      const dry = await take(whole, undefined, ALICE, { keepOld: "archived", isDryRun: true });
      expect(dry.memories).toMatchObject({ inserted: left, kept_old: left, expired: 0 });
      const archived = await take(whole, undefined, ALICE, { keepOld: "archived" });
      expect(archived.memories).toMatchObject({ inserted: left, kept_old: left, expired: 0 });
      expect((await as(ALICE).memories.overview("here")).layers.reduce((sum, { memories }) => sum + memories, 0)).toBe(
        without.memories.inserted,
      );
      expect(await as(ALICE).sessions.ownIds(SESSION)).toHaveProperty("size", all);
      expect((await take(whole, undefined, ALICE, { keepOld: "fresh" })).memories).toMatchObject({ inserted: 0 });

      const other = transcriptOf("another");
      const lines = [
        other.user("Let the kiwi service drain its queue at night, please."),
        other.edits("/home/dev/acme/kiwi.ts"),
      ];
      const fresh = await take(lines, undefined, ALICE, { keepOld: "fresh" });
      expect(fresh.memories.kept_old).toBeGreaterThan(0);
      const memories = (await as(ALICE).sessions.trace("another")).memories.map(({ memory }) => memory);
      expect(memories).toHaveLength(fresh.memories.inserted);
      for (const { expiresAt, createdAt } of memories) {
        expect(createdAt.getUTCFullYear()).toBe(2026);
        if (expiresAt) expect(expiresAt.getTime()).toBeGreaterThan(clock.now().getTime());
      }
    });

    it("is taken once, however often it comes and in whatever pieces", async () => {
      const first = await take(FIRST);
      expect(first).toMatchObject({ session: SESSION, projectName: "apple", edits: 1, nextLine: 3 });
      expect(first.memories).toMatchObject({ inserted: 3, updated: 0 });
      const before = await ids();

      const again = await take(FIRST);
      expect(again.memories).toMatchObject({ inserted: 0, updated: 0 });
      const second = await take(SECOND, 3);
      expect(second.memories).toMatchObject({ inserted: 2, updated: 1, unchanged: 0 });
      expect(second).toMatchObject({ edits: 2, nextLine: 6 });
      const whole = await take([...FIRST, ...SECOND]);
      expect(whole.memories).toMatchObject({ inserted: 0, updated: 0 });
      expect((await ids()).slice(0, before.length)).toEqual(before);
      const counted = async (caller: typeof ALICE) => (await bench().as(caller).memories.overview("here")).edits;
      expect(await counted(ALICE)).toEqual({ edits: 3, files: 2, sessions: 1 });
      expect(await counted({ ...BOB, project: "host/org/pear" })).toEqual({ edits: 0, files: 0, sessions: 0 });
      const overview = (caller: typeof ALICE) => bench().as(caller).memories.overview("here");
      expect(await overview(ALICE)).toMatchObject({
        sessions: 1,
        topFiles: [
          { path: "/home/dev/acme/src/index.ts", edits: 2 },
          { path: "/home/dev/acme/src/token.ts", edits: 1 },
        ],
      });
      expect(await overview({ ...BOB, project: "host/org/pear" })).toMatchObject({ sessions: 0, topFiles: [] });
    });

    it("that a model has worded stays so, until it goes on: then a rule has the word again", async () => {
      await take(FIRST);
      const summary = async () => (await trace()).memories.find(({ rule }) => rule === "session_summary")?.memory;
      const ruled = await summary();
      if (!ruled) throw new Error("there is no summary");
      const worded = canonical("Said in other words.");
      await bench()
        .as(ALICE)
        .write((tx) => tx.memories.reword(ruled, worded, "a-model"));
      expect(await take(FIRST)).toMatchObject({ memories: { updated: 0 } });
      expect(await summary()).toMatchObject({ id: ruled.id, content: worded.content, version: 2 });
      await take(SECOND, 3);
      const now = await summary();
      expect(now).toMatchObject({ id: ruled.id, version: 3, content: expect.stringContaining("A session began with") });
      const past = await bench().as(ALICE).memories.pastVersions({ id: ruled.id, limit: 9, offset: 0 });
      expect(past.versions).toMatchObject([
        { op: "recapture", content: worded.content },
        { op: "reword", content: ruled.content, reason: "a-model" },
      ]);
    });

    it("gives what it gives whether it comes whole or in pieces", async () => {
      await take(FIRST.slice(0, 1));
      await take(FIRST.slice(1), 1);
      await take(SECOND, 3);
      const inPieces = (await trace()).memories.map(({ memory, rule }) => [rule, memory.content]).sort();
      const { engine } = bench();
      await engine.purger.purge(ALICE, await ids());
      const anotherName = (line: string) => line.replaceAll(SESSION, "another");
      await take([...FIRST, ...SECOND].map(anotherName));
      const { memories } = await bench().as(ALICE).sessions.trace("another");
      expect(memories.map(({ memory, rule }) => [rule, memory.content]).sort()).toEqual(inPieces);
    });

    it("leaves alone what somebody edited or put away, and never brings back what was purged", async () => {
      await take([...FIRST, ...SECOND]);
      const { memories } = await trace();
      const of = (rule: string) => {
        const found = memories.find((each) => each.rule === rule)?.memory;
        if (!found) throw new Error(`nothing by ${rule}`);
        return found;
      };
      const { as, engine } = bench();
      await as(ALICE).write((tx) =>
        tx.memories.revise(of("session_summary"), { text: canonical("said better by hand") }),
      );
      await as(ALICE).write((tx) => tx.memories.archive(of("first_intent"), "forget"));
      await engine.purger.purge(ALICE, [of("realize").id]);

      const rewritten = [
        FIRST[0] ?? "",
        ...SECOND,
        user("And one thing more that has to be done in the end, later on."),
      ];
      const report = await take(rewritten);
      // The note of the edit, which lost what was purged, is kept as well.
      expect(report.memories).toMatchObject({ kept: 2, purged: 1, updated: 0 });
      const now = await as(ALICE).memories.byIds([of("session_summary").id, of("first_intent").id, of("realize").id]);
      expect(now.map(({ content, archivedAt }) => [content, archivedAt !== undefined])).toEqual([
        ["said better by hand", false],
        [of("first_intent").content, true],
      ]);
    });

    it("does not say again what was purged, though it goes on", async () => {
      const { as, engine } = bench();
      await take([
        ...FIRST.slice(0, 2),
        runs("npm run heron", "t1"),
        result("t1", "TypeError: heron is not a function"),
      ]);
      await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot(SESSION, { text: "Make the login tokens expire" }));
      await engine.purger.purge(ALICE, await ids());
      expect(await as(ALICE).sessions.workSnapshot(SESSION)).toBeUndefined();
      expect((await trace()).carry).not.toMatch(/login|milliseconds|heron/);
      const edit = FIRST.slice(2);
      expect(await take([...edit, runs("npm run heron", "t2"), result("t2")], 4)).toMatchObject({
        edits: 1,
        nextLine: 7,
      });
      await take(SECOND.slice(0, 1), 7);
      const said = (await trace()).memories.map(({ memory }) => memory.content).join("\n");
      expect(said).toContain("A session edited");
      expect(said).not.toMatch(/login|milliseconds|heron/);
    });

    it("is asked for from the line that is missing", async () => {
      await take(FIRST);
      await expect(take(SECOND, 5)).rejects.toMatchObject({
        code: "VERSION_CONFLICT",
        details: { expected: 3, actual: 5 },
      });
    });

    it("ends as one when two bring it at once", async () => {
      const reports = await Promise.all([take([...FIRST, ...SECOND]), take([...FIRST, ...SECOND]), take(FIRST)]);
      expect(reports.reduce((sum, { memories }) => sum + memories.inserted, 0)).toBe((await ids()).length);
      expect(reports.reduce((sum, each) => sum + each.edits, 0)).toBe(3);
      expect((await take(SECOND, 3)).memories.inserted).toBe(0);
    });

    it("lies in its project and at its time; its journal waits for no vector and has no expiry of its own", async () => {
      await take(FIRST);
      const { memories, files } = await trace();
      expect(files).toEqual([{ path: "/home/dev/acme/src/token.ts", edits: 1 }]);
      const intent = memories.find(({ rule }) => rule === "first_intent")?.memory;
      expect(intent).toMatchObject({ visibility: "project", layer: "context", authorId: 11, version: 1 });
      expect(intent?.createdAt.toISOString()).toBe("2026-11-21T10:01:00.000Z");
      expect(intent?.expiresAt).toBeUndefined();
      const { remaining } = await bench().as(ALICE).memories.pending(IDENTITY, 0, 50);
      expect(remaining).toBe(memories.filter(({ rule }) => !isJournalRule(rule)).length);
    });

    it("of long ago brings nothing that would be over by now", async () => {
      const old = FIRST.map((line) => line.replaceAll("2026-11-21T", "2026-01-21T"));
      expect((await take(old)).memories).toMatchObject({ inserted: 0, expired: 3 });
    });

    it("knows which memories are its own, whatever became of them", async () => {
      const { as } = bench();
      await take([...FIRST, ...SECOND]);
      const own = await ids();
      const [first] = (await trace()).memories;
      if (!first) throw new Error("nothing was taken");
      await as(ALICE).write((tx) => tx.memories.archive(first.memory, "forget"));
      expect([...(await as(ALICE).sessions.ownIds(SESSION))].sort((a, b) => a - b)).toEqual(own);
      expect((await as(BOB).sessions.ownIds(SESSION)).size).toBe(0);
      expect((await as(ALICE).sessions.ownIds("none")).size).toBe(0);
    });

    it("is its member's: under the same id another member has another session, and is told nothing of this one", async () => {
      const { as, engine } = bench();
      const elsewhere = { ...BOB, project: "host/org/pear" };
      await take(FIRST);
      expect(await as(BOB).sessions.progress(SESSION)).toBeUndefined();
      expect(await trace(BOB)).toEqual({ files: [], memories: [], carry: undefined });
      await expect(take(SECOND, 3, elsewhere)).rejects.toMatchObject({ details: { expected: 0, actual: 3 } });

      expect(await take(SECOND, 0, elsewhere)).toMatchObject({ edits: 2, nextLine: 3 });
      const [alices, bobs] = [await trace(), await trace(elsewhere)];
      expect(alices.files).toEqual([{ path: "/home/dev/acme/src/token.ts", edits: 1 }]);
      expect(bobs.files).toEqual([{ path: "/home/dev/acme/src/index.ts", edits: 2 }]);
      expect([alices.carry, bobs.carry].map((carry) => /milliseconds/.test(carry ?? ""))).toEqual([true, false]);
      expect(await take(SECOND, 3)).toMatchObject({ edits: 2, nextLine: 6 });

      await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot(SESSION, { text: "alice was here" }));
      await as(elsewhere).write((tx) => tx.sessions.keepWorkSnapshot(SESSION, { text: "bob was here" }));
      await as(elsewhere).write((tx) => tx.sessions.close(SESSION));
      expect(await as(ALICE).sessions.workSnapshot(SESSION)).toMatchObject({ text: "alice was here" });
      expect(await as(elsewhere).sessions.workSnapshot(SESSION)).toMatchObject({ text: "bob was here" });
      const everything = { ...ALICE, project: undefined };
      const overview = await as(everything).memories.overview("everywhere");
      expect(overview).toMatchObject({ edits: { sessions: 2 }, sessions: 2 });
      const most = { paths: 5, days: 5, intents: 5, memories: 5 };
      const asked = { part: "index.ts", roots: undefined, most, reach: "everywhere" } as const;
      expect(await as(everything).files.history(asked)).toMatchObject({ edits: 4, sessions: 2 });

      await engine.purger.purge(ALICE, await ids());
      expect(await as(ALICE).sessions.workSnapshot(SESSION)).toBeUndefined();
      expect((await trace()).carry).not.toMatch(/milliseconds|client/);
      expect(await as(elsewhere).sessions.workSnapshot(SESSION)).toMatchObject({ text: "bob was here" });
      expect((await trace(elsewhere)).carry).toBe(bobs.carry);
    });
  });

  describe("notes that an agent keeps by hand", () => {
    const FOLDER = { machine: "laptop", folder: "0a1b2c" };
    const note = (path: string, text: string) => ({ path, text, modified_at: new Date("2026-06-01T10:00:00Z") });
    const TABS = note(
      "tabs.md",
      "---\nname: tabs\ndescription: how to indent\ntype: feedback\n---\n\nIndent with tabs.\n",
    );
    const DEPLOY = note(
      "deploy.md",
      "---\nname: deploy\nmetadata:\n  type: project\n---\nDeploys go through the gateway.",
    );
    const keep = (
      files: readonly ReturnType<typeof note>[],
      present = files.map(({ path }) => path),
      caller = ALICE,
    ) => {
      const { as, clock } = bench();
      const ports = { store: as(caller), clock, contentChars: 60 };
      return captureMemoryFiles({ ...FOLDER, project_name: undefined, files: [...files], present }, ports, caller);
    };
    const kept = async (caller = ALICE) =>
      (await bench().as(caller).sessions.trace(`memory-files:${caller.member.id}:laptop:0a1b2c`)).memories.map(
        ({ memory }) => memory,
      );

    it("are taken once: a person's own for that person, what is so for the project, and without an end", async () => {
      expect((await keep([TABS, DEPLOY])).memories).toMatchObject({ inserted: 2, archived: 0 });
      expect((await keep([TABS, DEPLOY])).memories).toMatchObject({ inserted: 0, unchanged: 2 });
      const memories = (await kept()).toSorted((a, b) => a.content.localeCompare(b.content));
      expect(memories).toMatchObject([
        {
          content: "deploy\n\nDeploys go through the gateway.",
          layer: "context",
          importance: 0.6,
          visibility: "project",
        },
        {
          content: "tabs: how to indent\n\nIndent with tabs.",
          layer: "learning",
          importance: 0.7,
          visibility: "private",
        },
      ]);
      expect(memories.map(({ expiresAt }) => expiresAt)).toEqual([undefined, undefined]);
      expect(memories[0]?.createdAt.toISOString()).toBe("2026-06-01T10:00:00.000Z");
      expect((await keep([TABS], undefined, BOB)).memories).toMatchObject({ inserted: 1 });
    });

    it("are brought up to date, unless somebody edited what came of them, and cut at the limit", async () => {
      await keep([TABS, DEPLOY]);
      const [edited] = (await kept()).filter(({ content }) => content.startsWith("deploy"));
      if (!edited) throw new Error("nothing was kept");
      await bench()
        .as(ALICE)
        .write((tx) => tx.memories.revise(edited, { text: canonical("said better by hand") }));
      const long = note("tabs.md", `Two ${"blanks ".repeat(30)}`);
      expect((await keep([long, { ...DEPLOY, text: "Deploys wait." }])).memories).toMatchObject({
        updated: 1,
        kept: 1,
      });
      const contents = (await kept()).map(({ content }) => content);
      expect(contents).toContain("said better by hand");
      expect(contents.find((content) => content.startsWith("Two"))).toHaveLength(60);
    });

    it("are told of in a dry run, which changes nothing", async () => {
      const { as, clock } = bench();
      const dry = (files: (typeof TABS)[]) => {
        const ports = { store: as(ALICE), clock, contentChars: 60 };
        const run = { ...FOLDER, files, present: files.map(({ path }) => path), dry_run: true };
        return captureMemoryFiles(run, ports, ALICE);
      };
      expect((await dry([TABS, DEPLOY])).memories).toMatchObject({ inserted: 2 });
      expect(await kept()).toEqual([]);
      await keep([TABS, DEPLOY]);
      expect((await dry([TABS])).memories).toMatchObject({ unchanged: 1, archived: 1 });
      expect(await kept()).toHaveLength(2);
    });

    it("go out of sight with their file, and only where all files are named", async () => {
      await keep([TABS, DEPLOY]);
      const { as, clock } = bench();
      const ports = { store: as(ALICE), clock, contentChars: 60 };
      const some = { ...FOLDER, project_name: undefined, files: [DEPLOY], present: undefined };
      expect((await captureMemoryFiles(some, ports, ALICE)).memories).toMatchObject({ archived: 0 });
      expect((await keep([DEPLOY])).memories).toMatchObject({ unchanged: 1, archived: 1 });
      expect((await kept()).map(({ content }) => content)).toEqual(["deploy\n\nDeploys go through the gateway."]);
      expect((await keep([])).memories).toMatchObject({ archived: 1 });
    });

    it("come back with their file, and go on being brought up to date", async () => {
      await keep([TABS, DEPLOY]);
      const before = (await kept()).map(({ id }) => id).sort();
      await keep([]);
      expect(await kept()).toEqual([]);
      expect((await keep([TABS, DEPLOY])).memories).toMatchObject({ inserted: 0, updated: 2, unchanged: 0 });
      expect((await kept()).map(({ id }) => id).sort()).toEqual(before);
      expect((await keep([TABS, DEPLOY])).memories).toMatchObject({ updated: 0, unchanged: 2 });
      await keep([DEPLOY]);
      const spaces = note("tabs.md", "Indent with two blanks.");
      expect((await keep([spaces, DEPLOY])).memories).toMatchObject({ updated: 1, unchanged: 1 });
      expect((await keep([{ ...spaces, text: "Indent with four." }, DEPLOY])).memories).toMatchObject({ updated: 1 });
      expect((await kept()).map(({ content }) => content)).toContain("Indent with four.");
    });

    it("stay out of sight when somebody put what came of them away", async () => {
      await keep([TABS]);
      const [memory] = await kept();
      if (!memory) throw new Error("nothing was kept");
      await bench()
        .as(ALICE)
        .write((tx) => tx.memories.archive(memory, "forget"));
      await keep([]);
      expect((await keep([TABS])).memories).toMatchObject({ updated: 0, unchanged: 1 });
      expect(await kept()).toEqual([]);
    });

    it("of a kind that nobody knows are the project's", async () => {
      await keep([note("odd.md", "---\ntype: constructor\n---\nDeploys are odd.")]);
      expect(await kept()).toMatchObject([{ layer: "context", importance: 0.5, visibility: "project" }]);
    });

    it("is one a session, of whatever kind, with its words and its commit, and is seen by its member alone", async () => {
      const { as, clock } = bench();
      const keep = (kind: "compact" | "exit", over: object = {}) =>
        as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("marked", { text: kind, kind, ...over }));
      const git = { commit: "c".repeat(40), branch: "main" };
      await keep("compact");
      clock.advance(1000);
      await keep("exit", { keywords: ["stork", "src/stork.ts"], git });
      const kept = { text: "exit", kind: "exit", keywords: ["stork", "src/stork.ts"], git };
      expect(await as(ALICE).sessions.workSnapshot("marked")).toMatchObject(kept);
      expect(await as(ALICE).sessions.lastWork()).toMatchObject({ ...kept, session: "marked", takenBy: undefined });
      expect(await as(BOB).sessions.lastWork()).toBeUndefined();
    });

    it("is followed by when its member was here last, in another session", async () => {
      const { as, clock } = bench();
      const store = (id: string, caller = ALICE) =>
        as({ ...caller, client: { ...caller.client, session: id } }).write((tx) => tx.sessions.close(id));
      expect(await as(ALICE).sessions.lastSeenAt("now")).toBeUndefined();
      await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("then", { text: "one" }));
      await store("then");
      const at = clock.now();
      clock.advance(60_000);
      await store("elsewhere", { ...ALICE, project: "host/org/pear" });
      await store("bobs", BOB);
      expect(Math.abs(Number(await as(ALICE).sessions.lastSeenAt("now")) - at.getTime())).toBeLessThan(1000);
      expect(await as(ALICE).sessions.lastSeenAt("then")).toBeUndefined();
    });

    it("go once when two tell at once that they are gone, and never where they are pinned", async () => {
      const { as } = bench();
      await keep([TABS, DEPLOY]);
      const pinned = (await kept()).find(({ content }) => content.startsWith("deploy"));
      if (!pinned) throw new Error("nothing was kept");
      await as(ALICE).write((tx) => tx.memories.revise(pinned, { importance: 0.95 }));
      const reports = await Promise.all([keep([]), keep([])]);
      expect(reports.map(({ memories }) => memories.archived).sort()).toEqual([0, 1]);
      expect((await kept()).map(({ id }) => id)).toEqual([pinned.id]);
    });
  });

  it("two finds of the same words in one place are one memory", async () => {
    const { as } = bench();
    const find = (captureKey: string): Omit<CapturedMemory, "entity"> => ({
      layer: "learning",
      text: canonical("use redis for sessions"),
      tags: [],
      importance: 0.5,
      visibility: "project",
      projectKey: "host/org/apple",
      expiresAt: undefined,
      hasOwnExpiry: false,
      captureKey,
      session: SESSION,
      rule: "decision",
      at: new Date("2026-11-21T10:00:00Z"),
    });
    const both = await as(ALICE).write(async (tx) => {
      const { entity } = await tx.entities.findOrAdd({
        name: "apple",
        kind: "project",
        key: undefined,
        visibility: "team",
        projectKey: undefined,
      });
      return [await tx.sessions.capture({ ...find("a"), entity }), await tx.sessions.capture({ ...find("b"), entity })];
    });
    expect(both.map(({ outcome }) => outcome)).toEqual(["inserted", "same_words"]);
    expect(both[0]?.id).toBe(both[1]?.id);
  });

  it("a statement that another session of its author makes again later is surer, once a day and for each time once", async () => {
    const { as } = bench();
    const said = async (session: string, time: string, rule: CapturedMemory["rule"] = "finding", caller = ALICE) =>
      as(caller).write(async (tx) => {
        const place = { visibility: "project", projectKey: "host/org/apple" } as const;
        const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
        const text = canonical("The import job holds the lock for a minute.");
        const life = { tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false };
        const at = new Date(time);
        const captureKey = `${caller.member.id} ${session} ${time}`;
        return tx.sessions.capture({
          ...place,
          ...life,
          ...{ entity, text, at, captureKey, session, rule },
          layer: "learning",
        });
      });
    const { id = 0 } = await said("monday", "2026-11-16T10:00:00Z");
    const confidence = async () => (await as(ALICE).memories.byId(id))?.confidence;
    const first = (await confidence()) ?? Number.NaN;
    await said("monday", "2026-11-16T11:00:00Z");
    await said("fork of monday", "2026-11-16T10:00:00Z");
    await said("bobs", "2026-11-17T10:00:00Z", "finding", BOB);
    await said("asked", "2026-11-17T10:00:00Z", "first_intent");
    expect(await confidence()).toBe(first);
    await said("tuesday", "2026-11-17T10:00:00Z");
    expect(await confidence()).toBeCloseTo(first + 0.02, 9);
    await said("tuesday, read again", "2026-11-17T10:00:00Z");
    await said("tuesday evening", "2026-11-17T20:00:00Z");
    expect(await confidence()).toBeCloseTo(first + 0.02, 9);
    await said("friday", "2026-11-20T10:00:00Z");
    expect(await confidence()).toBeCloseTo(first + 0.04, 9);
  });

  it("leaves out of any list what some rules found, before the limit", async () => {
    const { as, add } = bench();
    const nearest = Float32Array.of(1, 0, 0, 0);
    const wanted = await add(ALICE, { content: "the marten sleeps by day" });
    await as(ALICE).write(async (tx) => {
      await tx.vectors.put(wanted, IDENTITY, Float32Array.of(0, 1, 0, 0));
      const place = { visibility: "project", projectKey: "host/org/apple" } as const;
      const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
      const found = { entity, ...place, layer: "context", tags: [], importance: 0.25, session: SESSION } as const;
      for (let nth = 0; nth < 40; nth++) {
        const text = canonical(`marten marten ${nth}`);
        const at = { at: new Date(), expiresAt: undefined, hasOwnExpiry: false };
        const { id } = await tx.sessions.capture({ ...found, ...at, text, rule: "episode", captureKey: `nth ${nth}` });
        const episode = await tx.memories.byId(id ?? 0);
        if (episode) await tx.vectors.put(episode, IDENTITY, nearest);
      }
    });
    const where = { reach: "here", withArchived: false, withSuperseded: false, withoutRules: ["episode"] } as const;
    const { memories, search } = as(ALICE);
    const lists = async (filter: Filter) => [
      await memories.newest(filter, 1),
      (await memories.browse({ order: "newest", where: filter, limit: 1, offset: 0 })).memories,
      (await search.matchWords(readQuery("marten"), filter, 1)) ?? [],
      (await search.matchVector(nearest, IDENTITY, filter, 1)) ?? [],
      ((await search.matchVector(nearest, IDENTITY, filter, 30)) ?? []).slice(0, 1),
    ];
    const ids = async (filter: Filter) => (await lists(filter)).map((list) => list.map(({ id }) => id));
    expect(await ids(where)).toEqual(Array(5).fill([wanted.id]));
    expect(await ids({ ...where, withoutRules: ["fix"] })).not.toContainEqual([wanted.id]);
    expect(await ids({ ...where, fromProject: "host/org/apple" })).toEqual(Array(5).fill([wanted.id]));
    expect(await ids({ ...where, fromProject: "host/org/pear" })).toEqual(Array(5).fill([]));
  });

  it("tells of a memory which project it was written in, whoever may read it", async () => {
    const { as, add } = bench();
    const shared = await add(ALICE, { content: "for everybody", visibility: "team" });
    const own = await add(ALICE, { content: "for me", visibility: "private" });
    await add(ALICE, { content: "of no project", visibility: "team", projectKey: undefined });
    await add({ ...BOB, project: "host/org/pear" }, { content: "of another", visibility: "team" });
    const where = { reach: "everywhere", withArchived: false, withSuperseded: false } as const;
    const found = await as(ALICE).memories.newest({ ...where, fromProject: "host/org/apple" }, 50);
    expect(found.map(({ id }) => id).sort()).toEqual([shared.id, own.id].sort());
    expect(await as(ALICE).memories.newest({ ...where, fromProject: "host/org/nobodys" }, 50)).toEqual([]);
  });

  it("leaves what is taken long after it was said its time here, and forgets it then", async () => {
    const { as, clock, engine } = bench();
    await as(ALICE).write(async (tx) => {
      const place = { visibility: "project", projectKey: "host/org/apple" } as const;
      const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
      const words = {
        layer: "learning",
        text: canonical("use redis for sessions"),
        tags: [],
        importance: 0.5,
      } as const;
      const found = { captureKey: "old", session: SESSION, rule: "decision", hasOwnExpiry: false } as const;
      const at = new Date(clock.now().getTime() - 300 * 86_400_000);
      return tx.sessions.capture({ entity, ...place, ...words, ...found, at, expiresAt: undefined });
    });
    const due = async () => (await engine.lifecycle.sweeps.forgetting({ cap: 10 })).due;
    expect(await due()).toBe(0);
    clock.advance(107 * 86_400_000);
    expect(await due()).toBe(1);
  });

  it("keeps one work snapshot a session for two weeks, for its member", async () => {
    const { as, clock } = bench();
    const kept = (caller = ALICE) => as(caller).sessions.workSnapshot(SESSION);
    expect(await kept()).toBeUndefined();
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot(SESSION, { text: "first" }));
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot(SESSION, { text: "second" }));
    expect(await kept()).toMatchObject({ text: "second" });
    expect(await kept(BOB)).toBeUndefined();
    clock.advance(14 * 86_400_000);
    expect(await kept()).toBeUndefined();
  });

  it("knows the newest work that a member left in a project", async () => {
    const { as, clock } = bench();
    const pear = { ...ALICE, project: "host/org/pear" };
    const last = async (caller = ALICE) => (await as(caller).sessions.lastWork())?.session;
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("older", { text: "one" }));
    clock.advance(1000);
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("newer", { text: "two" }));
    await as(pear).write((tx) => tx.sessions.keepWorkSnapshot("elsewhere", { text: "three" }));
    expect([await last(), await last(pear), await last(BOB)]).toEqual(["newer", "elsewhere", undefined]);
    expect(await last({ ...ALICE, project: undefined })).toBeUndefined();
  });

  it("gives a client that sends no id its last session, unless that was over when it began to call again", async () => {
    const { add, clock } = bench();
    const write = async (member: typeof ALICE, origin: string, calledForMs = 0) => {
      const activeSince = new Date(clock.now().getTime() - calledForMs);
      const client = { ...member.client, session: undefined, inferred: { origin, activeSince } };
      return sessionOf(await add({ ...member, client }, { content: `${clock.now().getTime()} ${origin}` }));
    };
    const sessionOf = async ({ id }: Memory) => (await bench().as(ALICE).memories.byId(id))?.session;
    const first = await write(ALICE, "desk");
    expect([await write(ALICE, "desk"), await write(ALICE, "lap")].map((each) => each === first)).toEqual([
      true,
      false,
    ]);
    expect(await write(BOB, "desk")).not.toBe(first);
    clock.advance(SESSION_PAUSE_MS - 1000);
    expect(await write(ALICE, "desk")).toBe(first);
    clock.advance(3 * SESSION_PAUSE_MS);
    expect(await write(ALICE, "desk", 3 * SESSION_PAUSE_MS)).toBe(first);
    clock.advance(SESSION_PAUSE_MS);
    const later = await write(ALICE, "desk");
    expect([first, later].map((each) => typeof each)).toEqual(["string", "string"]);
    expect(later).not.toBe(first);
    const unnamed = { ...ALICE.client, inferred: { origin: "desk" } };
    expect(await sessionOf(await add({ ...ALICE, client: unnamed }, { content: "of no session" }))).toBeUndefined();
  });

  it("knows where a session works that a client named, and keeps to its transcript", async () => {
    const { as } = bench();
    const inSession = (session: string, member = ALICE) => ({ ...member, client: { ...member.client, session } });
    const workIn = (caller: typeof ALICE, key: string) => as(caller).write((tx) => tx.sessions.workIn(key));
    const where = (session: string, caller = ALICE) => as(caller).sessions.project(session);
    expect(await where("s-1")).toBeUndefined();
    await workIn(inSession("s-1"), "host/org/pear");
    await workIn(inSession("s-1"), "host/org/plum");
    await workIn(inSession("s-1", BOB), "host/org/fig");
    await workIn(ALICE, "host/org/fig");
    expect(await where("s-1")).toBe("host/org/plum");
    expect(await where("s-1", BOB)).not.toBe("host/org/plum");
    await take(FIRST);
    await workIn(inSession(SESSION), "host/org/plum");
    expect(await where(SESSION)).toBe("host/org/apple");
  });

  it("hands a session's work on once, until it keeps new work", async () => {
    const { as } = bench();
    const take = (caller = ALICE) => as(caller).write((tx) => tx.sessions.takeWork("handed-on", "next"));
    const takenBy = async () => (await as(ALICE).sessions.lastWork())?.takenBy;
    expect(await take()).toBe(false);
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("handed-on", { text: "one" }));
    expect([await takenBy(), await take(BOB), await take(), await takenBy(), await take()]).toEqual([
      undefined,
      false,
      true,
      "next",
      false,
    ]);
    expect(await as(ALICE).sessions.workSnapshot("handed-on")).toMatchObject({ text: "one" });
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot("handed-on", { text: "two" }));
    expect([await takenBy(), await take()]).toEqual([undefined, true]);
  });

  it("shows a member's work in a project only while that project is open to it", async () => {
    const { as, engine } = bench();
    await take([...FIRST, ...SECOND]);
    await as(ALICE).write((tx) => tx.sessions.keepWorkSnapshot(SESSION, { text: "in the orchard" }));
    const seen = async (caller: typeof ALICE) => {
      const { sessions } = as(caller);
      const [kept, last, { carry }] = [
        await sessions.workSnapshot(SESSION),
        await sessions.lastWork(),
        await sessions.trace(SESSION),
      ];
      return [kept?.text, last?.text, carry !== undefined];
    };
    const [apple, pear] = await engine.access.change(ALICE, async (tx) => [
      await tx.project("host/org/apple"),
      await tx.project("host/org/pear"),
    ]);
    const token = { id: 1, projectIds: [pear?.id ?? 0], expiresAt: undefined };
    expect(await seen(ALICE)).toEqual(["in the orchard", "in the orchard", true]);
    expect(await seen({ ...ALICE, token })).toEqual([undefined, undefined, false]);
    await engine.access.change(ALICE, (tx) => tx.setProject(apple?.id ?? 0, { access: "members", memberIds: [] }));
    expect(await seen(ALICE)).toEqual([undefined, undefined, false]);
    expect(await seen({ ...ALICE, project: undefined })).toEqual([undefined, undefined, false]);
  });

  it("says nothing elsewhere of what a session was at in a project that was closed to its member since", async () => {
    const { as, engine } = bench();
    await take(FIRST);
    const apple = await engine.access.change(ALICE, (tx) => tx.project("host/org/apple"));
    await engine.access.change(ALICE, (tx) => tx.setProject(apple?.id ?? 0, { access: "members", memberIds: [] }));
    const pear = { ...ALICE, project: "host/org/pear" };
    expect(await as(pear).sessions.progress(SESSION)).toMatchObject({ nextLine: 3, carry: undefined });

    // Without a word of a person: what it was for could only come from before.
    const { memories } = await take([says("The index is next."), edits("/home/dev/pear/src/index.ts")], 3, pear);
    expect(memories.inserted).toBeGreaterThan(0);
    const said = (await trace(pear)).memories.map(({ memory }) => memory.content).join("\n");
    expect(said).toContain("The index is next.");
    expect(said).not.toMatch(/login|expire|milliseconds|token/);
  });

  it("keeps apart what a session said in two projects, each of which others may open without the other", async () => {
    const { as } = bench();
    const pear = { ...ALICE, project: "host/org/pear" };
    await take(FIRST);
    await take([says("The index is next."), edits("/home/dev/pear/src/index.ts")], 3, pear);
    await take([edits("/home/dev/acme/src/token.ts")], 5);
    const said = async (caller: typeof ALICE) => {
      const rows = await as(caller).memories.newest({ reach: "here", withArchived: false, withSuperseded: false }, 50);
      const own = rows.filter(({ visibility }) => visibility === "project");
      return own.map(({ content }) => content).join("\n");
    };
    expect(await said({ ...BOB, project: "host/org/pear" })).toContain("A session edited");
    expect(await said({ ...BOB, project: "host/org/pear" })).not.toMatch(/login|expire|milliseconds|token/);
    expect(await said(BOB)).toContain("It edited src/token.ts");
    expect(await said(BOB)).not.toMatch(/index/);
  });

  it("keeps the lines that hooks showed, counts them, and tells each reader of those that it may see", async () => {
    const { as, add, engine } = bench();
    await take(FIRST);
    const open = await add(ALICE, { content: "an open note" });
    const own = await add(ALICE, { content: "a note of one's own", visibility: "private" });
    const lines = [
      { id: open.id, tokens: 12 },
      { id: own.id, tokens: 30 },
      { id: own.id + 999, tokens: 7 },
    ];
    as(ALICE).noteImpressions({ session: SESSION, surface: "prompt", lines });
    as(ALICE).noteImpressions({ session: undefined, surface: "start", lines: lines.slice(0, 1) });
    const events = (caller: typeof ALICE) => as(caller).listings.sessionEvents({ session: SESSION });
    const shown = async (caller: typeof ALICE) =>
      (await events(caller))?.shown.map(({ memory, surface, tokens }) => [memory, surface, tokens]);
    await expect
      .poll(() => shown(ALICE), { timeout: 5000 })
      .toEqual([
        [open.id, "prompt", 12],
        [own.id, "prompt", 30],
      ]);
    expect(await shown(BOB)).toEqual([[open.id, "prompt", 12]]);
    expect(await events(ALICE)).toMatchObject({ author: "alice", isOwn: true, project: "host/org/apple" });
    expect(await events(BOB)).toMatchObject({ author: "alice", isOwn: false });
    expect((await events(ALICE))?.edits).toMatchObject([{ path: "/home/dev/acme/src/token.ts" }]);
    const sums = await as(ALICE).listings.statistics("here");
    expect(sums.shares.reduce((sum, share) => sum + share.shown, 0)).toBe(2);

    const apple = await engine.access.change(ALICE, (tx) => tx.project("host/org/apple"));
    await engine.access.change(ALICE, (tx) => tx.setProject(apple?.id ?? 0, { access: "members", memberIds: [] }));
    expect(await events(BOB)).toBeUndefined();
    await engine.purger.purge(ALICE, [own.id]);
    await engine.access.change(ALICE, (tx) => tx.setProject(apple?.id ?? 0, { access: "open", memberIds: [] }));
    expect(await shown(ALICE)).toEqual([[open.id, "prompt", 12]]);
  });
}

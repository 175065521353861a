import { NOTICE } from "@chest/core/answers";
import { partKeyOf } from "@chest/core/files";
import { captureTranscript } from "@chest/core/transcript";
import { describe, expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { transcriptOf } from "../../transcript.ts";
import { engineFixture } from "../engine-fixture.ts";

interface History {
  readonly count: number;
  readonly note?: string;
  readonly match?: string;
  readonly paths_matched?: readonly { readonly file_path: string; readonly edits: number }[];
  readonly total_paths?: number;
  readonly summary?: object;
  readonly daily_breakdown?: readonly object[];
  readonly user_intents?: readonly { readonly intent: string }[];
  readonly linked_memories?: readonly { readonly id: number; readonly preview: string }[];
  readonly roots_filter?: object;
}

const LOGIN = "/home/dev/acme/src/auth/login.ts";
const FLAKY = "Fix the flaky login test, it waits for a port that is taken.";
const EXPIRY = "Let the login tokens expire after fifteen minutes, please.";

let sessions = 0;

/** Requirements on the history of a file: every edit, and its purpose. */
export function recallFileContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  /** Sits down where this session's transcript was taken. */
  async function taken(script: (say: ReturnType<typeof transcriptOf>) => readonly string[], agent = anAgent(fixture)) {
    sessions += 1;
    const lines = script(transcriptOf(`session-${sessions}`));
    const ports = { store: fixture.as({ caller: agent.caller }), clock: fixture.clock };
    await captureTranscript(() => lines, {}, ports, agent.caller);
    return agent;
  }
  const ask = (agent: Agent, path_substring: string, over: object = {}) =>
    agent.call("chest_recall_file", { path_substring, ...over }) as Promise<History>;
  const paths = ({ paths_matched = [] }: History) => paths_matched.map(({ file_path }) => file_path);

  it("takes a whole path for one file, and for nothing that goes on before or after it", async () => {
    const { caller } = await taken(({ user, edits }) => [
      user(FLAKY),
      edits(LOGIN),
      edits(`${LOGIN}x`),
      edits(`/mnt${LOGIN}`),
    ]);
    const most = { paths: 9, days: 0, intents: 0, memories: 9 };
    const history = (path: string) =>
      fixture.as({ caller }).files.history({ reach: "here", part: partKeyOf(path), isPath: true, most });
    expect(await history(LOGIN)).toMatchObject({ matched: 1, files: 1, paths: [{ path: LOGIN, edits: 1 }] });
    expect(await history(LOGIN.slice(0, -1))).toMatchObject({ matched: 0, files: 0, paths: [], memories: [] });
  });

  it("tells every edit of a file, when and for what", async () => {
    const agent = await taken(({ user, edits }) => [user(FLAKY), edits(LOGIN), edits(LOGIN)]);
    await taken(({ user, edits }) => [user(EXPIRY), edits(LOGIN), edits("/home/dev/acme/README.md")], agent);
    const history = await ask(agent, "auth/login.ts");
    expect(Object.keys(history)[0]).toBe("_notice");
    expect(history).toEqual({
      _notice: NOTICE,
      ok: true,
      path_substring: "auth/login.ts",
      count: 1,
      match: "segments",
      paths_matched: [{ file_path: LOGIN, edits: 3 }],
      summary: {
        total_edits: 3,
        sessions_involved: 2,
        first_edit_at: "2026-11-21T10:02:00.000Z",
        last_edit_at: "2026-11-21T10:03:00.000Z",
      },
      daily_breakdown: [{ day: "2026-11-21", operation: "edit", edits: 3 }],
      user_intents: [
        { when: "2026-11-21T10:03:00.000Z", occurrences: 2, intent: FLAKY },
        { when: "2026-11-21T10:02:00.000Z", occurrences: 1, intent: EXPIRY },
      ],
      linked_memories: [
        expect.objectContaining({ layer: "implementation", preview: expect.stringContaining(EXPIRY) }),
        expect.objectContaining({ layer: "implementation", preview: expect.stringContaining(FLAKY) }),
      ],
    });
  });

  it("does not count reading as editing", async () => {
    const read = (path: string) =>
      JSON.stringify({ ...JSON.parse(transcriptOf("s").edits(path)), sessionId: undefined });
    const agent = await taken(({ user, edits }) => [
      user(FLAKY),
      edits(LOGIN),
      read(LOGIN).replace('"Edit"', '"Read"'),
      read("/home/dev/acme/other.ts").replace('"Edit"', '"Read"'),
    ]);
    expect(await ask(agent, LOGIN)).toMatchObject({ summary: { total_edits: 1 } });
    expect(await ask(agent, "other.ts")).toMatchObject({ count: 0 });
  });

  describe("a path", () => {
    const FILES = ["/x/src/auth/login.ts", "/x/src/auth/login.tsx", "/x/src/oauth/login.ts", "/x/src/100%_done.md"];
    const FOUND = [
      ["auth/login.ts", "segments", ["/x/src/auth/login.ts"]],
      ["AUTH\\LOGIN.TS", "segments", ["/x/src/auth/login.ts"]],
      ["./src/oauth/", "segments", ["/x/src/oauth/login.ts"]],
      ["login.ts", "segments", ["/x/src/auth/login.ts", "/x/src/oauth/login.ts"]],
      ["auth/login", "substring", ["/x/src/auth/login.ts", "/x/src/auth/login.tsx", "/x/src/oauth/login.ts"]],
      ["100%_d", "substring", ["/x/src/100%_done.md"]],
      ["%", "substring", ["/x/src/100%_done.md"]],
    ] as const;

    it("is found by whole names first, in any case and with any slash, and wildcards are letters", async () => {
      const agent = await taken(({ user, edits }) => [user(FLAKY), ...FILES.map((path) => edits(path))]);
      for (const [part, match, files] of FOUND) {
        const history = await ask(agent, part);
        expect([history.match, paths(history)], part).toEqual([match, files]);
      }
      expect(await ask(agent, "lo_in.ts")).toEqual({
        ok: true,
        path_substring: "lo_in.ts",
        count: 0,
        note: expect.any(String),
      });
    });

    it("of many files lists fifty, the busiest first, and sums up all", async () => {
      const all = Array.from({ length: 60 }, (_, at) => `/x/src/part-${at}.ts`);
      const agent = await taken(({ user, edits }) => [
        user(FLAKY),
        ...all.map((path) => edits(path)),
        edits("/x/src/part-59.ts"),
      ]);
      const history = await ask(agent, "src");
      expect(history).toMatchObject({ count: 60, total_paths: 60, summary: { total_edits: 61 } });
      expect(history.paths_matched).toHaveLength(50);
      expect(history.paths_matched?.[0]).toEqual({ file_path: "/x/src/part-59.ts", edits: 2 });
      expect(history.linked_memories).toHaveLength(20);
    });

    it.each(["", "  ", "/", "./"])("that is %j is refused", async (part) => {
      expect(await anAgent(fixture).refused("chest_recall_file", { path_substring: part })).toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("path_substring"),
      });
    });
  });

  it("gives as many requests as are wanted, each once, and none of a word or two", async () => {
    const agent = await taken(({ user, edits }) => [
      ...Array.from({ length: 6 }, (_, at) => [
        user(`Please do the number ${at} of these things.`),
        edits(LOGIN),
      ]).flat(),
    ]);
    const history = await ask(agent, LOGIN, { max_intents: 2 });
    expect(history.user_intents?.map(({ intent }) => intent)).toEqual([
      "Please do the number 5 of these things.",
      "Please do the number 4 of these things.",
    ]);
  });

  it("puts lessons about a file first, also one that nobody has edited", async () => {
    const agent = await taken(({ user, edits }) => [user(FLAKY), edits(LOGIN)]);
    const about = { entity_kind: "file", entity_name: "src/auth/login.ts" };
    const note = await agent.store("it is the oldest part of the house", { ...about, layer: "context", importance: 1 });
    const lesson = await agent.store("never log the token here", { ...about, layer: "realize" });
    const gone = await agent.store("of no use", about);
    await agent.forget({ memory_id: gone });
    await agent.store("another file", { ...about, entity_name: "src/auth/log.ts" });
    const { linked_memories = [] } = await ask(agent, LOGIN);
    expect(linked_memories.map(({ id }) => id)).toEqual([lesson, note, expect.any(Number)]);
    const other = await agent.store("has a lock of its own", { ...about, entity_name: "src/lock.ts" });
    expect(await ask(agent, "src/lock.ts")).toMatchObject({ count: 0, linked_memories: [{ id: other }] });
  });

  it("shows the beginning of a long memory", async () => {
    const agent = anAgent(fixture);
    await agent.store("😀".repeat(400), { entity_kind: "file", entity_name: "src/long.ts" });
    const { linked_memories = [] } = await ask(agent, "src/long.ts");
    expect([...(linked_memories[0]?.preview ?? "")]).toHaveLength(300);
  });

  it("keeps to the folders that are open, by whole names, in all its parts", async () => {
    const files = ["/home/dev/proj/src/a.ts", "/home/dev/proj-secret/src/a.ts", "/elsewhere/src/a.ts"];
    const agent = await taken(({ user, edits }) =>
      files.flatMap((path, at) => [user(`Please mend the file number ${at} of these.`), edits(path)]),
    );
    await agent.store("about the one elsewhere", { entity_kind: "file", entity_name: "/elsewhere/src/a.ts" });
    const scoped = await ask(agent, "a.ts", { scope_to_roots: true, roots: ["/Home/dev/proj/", "/nowhere"] });
    expect(scoped).toMatchObject({
      count: 1,
      paths_matched: [{ file_path: files[0] }],
      summary: { total_edits: 1 },
      roots_filter: { applied: true, root_count: 2, before: 3, after: 1 },
      user_intents: [{ intent: "Please mend the file number 0 of these." }],
    });
    expect(scoped.linked_memories).toHaveLength(1);
    expect(await ask(agent, "a.ts", { scope_to_roots: true, roots: ["/nowhere"] })).toMatchObject({
      count: 0,
      note: expect.any(String),
      roots_filter: { applied: true, before: 3, after: 0 },
    });
    expect(await ask(agent, "a.ts", { scope_to_roots: true })).toMatchObject({
      count: 3,
      roots_filter: { applied: false, reason: expect.any(String) },
    });
    expect(await ask(agent, "a.ts", { roots: ["/nowhere"] })).toMatchObject({ count: 3 });
  });

  it.each(["relative", "./here", "~/proj", "", "C:proj", "file:///x"])(
    "refuses a folder that is not absolute: %j",
    async (root) => {
      const refusal = await anAgent(fixture).refused("chest_recall_file", {
        path_substring: "a.ts",
        scope_to_roots: true,
        roots: ["/proj", "C:\\proj", "d:/proj", "\\\\host\\share", root],
      });
      expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", message: "roots.4: is not an absolute path" });
    },
  );

  it("is told to whom the project is open, from elsewhere only by its key", async () => {
    const agent = await taken(({ user, edits }) => [user(FLAKY), edits(LOGIN)]);
    const { project = "" } = agent.caller;
    const colleague = anAgent(fixture, { project });
    const stranger = anAgent(fixture);
    expect(await ask(colleague, LOGIN)).toMatchObject({ count: 1, linked_memories: [{}] });
    expect(await ask(stranger, LOGIN)).toMatchObject({ count: 0 });
    expect(await ask(stranger, LOGIN, { project })).toMatchObject({ count: 1 });
    const { id = 0 } = (await fixture.engine.access.projects()).find(({ key }) => key === project) ?? {};
    await fixture.engine.access.change(agent.caller, (tx) =>
      tx.setProject(id, { access: "members", memberIds: [agent.caller.member.id] }),
    );
    expect(await ask(stranger, LOGIN, { project })).toMatchObject({ count: 0 });
    expect(await ask(colleague, LOGIN)).toMatchObject({ count: 0 });
    expect(await ask(agent, LOGIN)).toMatchObject({ count: 1 });
  });
}

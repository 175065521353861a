import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { positives, transcriptOf } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { AgentMachine } from "../support/clients/hook.ts";
import { type Newcomer, type Newcomers, openNewcomers } from "../support/clients/newcomer.ts";
import { cleanEnv } from "../support/process.ts";
import { withStoreFile } from "../support/store-file.ts";

/** Project key that this machine's hooks derive from the git remote. */
const PROJECT = "git.example/acme/acme";

let backend: Newcomers;
let one: Newcomer;
let machine: AgentMachine;
beforeAll(async () => {
  backend = await openNewcomers();
  one = await backend.agent(PROJECT);
  const { url, token } = backend.backend;
  machine = new AgentMachine({
    CHEST_MODE: "remote",
    CHEST_REMOTE_URL: url,
    CHEST_API_TOKEN: token,
    // Starting a process takes long on a busy machine, and hooks pause their calls after one that was late.
    CHEST_HOOK_BUDGET_MS: "5000",
  });
});
afterAll(async () => {
  machine?.remove();
  await backend?.stop();
});

const find = async (query: string, over: object = {}) =>
  (await one.use("chest_recall", { query, ...over })).memories as { id: number; content: string }[];
const view = async (name: string, over: object = {}) => one.use("chest_inspect", { view: name, ...over });
const cli = async (...words: string[]) =>
  runCli(words, cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir, CHEST_CLI_STORE: "local" }));
const atBackend = async (...words: string[]) => {
  const { url, token } = backend.backend;
  return runCli(words, cleanEnv({ CHEST_MODE: "remote", CHEST_REMOTE_URL: url, CHEST_API_TOKEN: token }));
};
/** Runs a session with these lines. @returns the answers to its events. */
function aSession(lines: (made: ReturnType<typeof transcriptOf>) => readonly string[]) {
  const session = randomUUID();
  const transcript = machine.transcript(session);
  writeFileSync(
    transcript,
    lines(transcriptOf(session, machine.cwd))
      .map((line) => `${line}\n`)
      .join(""),
  );
  const event = (name: string, over: object = {}) =>
    machine.hook(name, { session_id: session, transcript_path: transcript, ...over });
  return { session, event };
}

describe("capture of claude-mem-lite", () => {
  it("Automatic capture by hooks; Episode batching; Session summary; Read-file tracking; User prompt capture", async () => {
    const { session, event } = aSession(({ user, says, edits, reads, runs, result }) => [
      user("Let the sanderling importer read the windward format, please."),
      ...Array.from({ length: 9 }, (_, nth) => reads(`src/reader-${nth}.ts`)),
      edits("src/sanderling.ts"),
      runs("npm test", "t1"),
      result("t1", "Exit code 1\nTypeError: windward.parse is not a function"),
      user("Never let the sanderling importer skip a row in silence."),
      edits("src/sanderling.ts"),
      runs("npm test", "t2"),
      result("t2"),
      runs("npm run build", "t3"),
      result("t3", "Exit code 2\nsrc/sanderling.ts(4,1): error TS2345: Argument of type 'Row'."),
      says("Next: give the windward rows their type."),
    ]);
    for (const _ of ["twice", "is once"]) expect((await event("stop")).exitCode).toBe(0);
    await event("session-end", { reason: "exit" });
    const { items } = await view("session", { session_id: session });
    const contents: string[] = items.map(({ content }: { content: string }) => content);
    const summaries = contents.filter((content) => content.startsWith("A session began with"));
    expect(summaries).toHaveLength(1);
    for (const part of [
      "A session began with: Let the sanderling importer read the windward format",
      "It edited src/sanderling.ts",
      "It learned: Never let the sanderling importer skip a row",
      "It completed: `npm test` mended",
      "Left to do: Next: give the windward rows their type | `npm run build` fails:",
    ])
      expect(summaries[0]).toContain(part);
    const [episode = ""] = contents.filter((content) => content.startsWith("Worked on src/sanderling.ts"));
    expect(episode).toContain("`npm test` failed, then passed");
    expect(episode).toMatch(/^Read src\/reader-0\.ts, src\/reader-1\.ts/m);
    expect(contents.filter((content) => content.startsWith("Let the sanderling importer"))).toHaveLength(1);
  });

  it("Cross-session handoff on /clear and /exit; Startup dashboard; Project-scoped context into session start; Hook Stop", async () => {
    // The order of sessions is by seconds of their ends.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { session, event } = aSession(({ user, edits }) => [user("Paint the gannet chart."), edits("src/gannet.ts")]);
    const stateOf = () =>
      withStoreFile(join(backend.backend.dataDir, "chest.db"), (db) =>
        db.prepare("SELECT status FROM sessions WHERE id = ?").pluck().get(session),
      );
    await event("stop");
    expect(stateOf()).toBe("active");
    await event("session-end", { reason: "clear" });
    expect(stateOf()).toBe("closed");
    await one.use("chest_work", { action: "add", title: "Frame the gannet chart" });
    await one.store("The gannet chart is drawn in metres.", { importance: 0.8 });
    const elsewhere = await backend.agent("git.example/acme/other");
    await elsewhere.store("The gannet chart of another project.", { importance: 0.8, visibility: "project" });
    const cleared = aSession(() => []);
    const { context } = await cleared.event("session-start", { source: "clear" });
    expect(context).not.toContain("gannet.ts");
    expect((await cleared.event("user-prompt", { prompt: "carry on" })).context).toContain("src/gannet.ts");
    expect(context).toContain("Frame the gannet chart");
    expect(context).toContain("drawn in metres");
    expect(context).not.toContain("of another project");
    expect((await aSession(() => []).event("session-start", { source: "clear" })).context).not.toContain(
      "src/gannet.ts",
    );
  });

  it("Secret scrubbing 15+ patterns: in what is saved and in what is captured", async () => {
    const ofEachKind = [...new Map(positives().map((positive) => [positive.kind, positive])).values()].slice(0, 24);
    expect(ofEachKind.length).toBeGreaterThan(15);
    const { session, event } = aSession(({ user }) =>
      ofEachKind.map(({ text }, nth) => user(`Let fulmar ${nth} start with these words in its settings: ${text}`)),
    );
    const captured = async () => (await view("session", { session_id: session })).items;
    // An event that was late on a busy machine is sent with the next one.
    const stopped = async () => {
      await event("stop");
      return (await captured()).length;
    };
    await expect.poll(stopped, { timeout: 20_000 }).toBeGreaterThan(0);
    const saved = [];
    for (const { text } of ofEachKind.slice(0, 8)) saved.push(await one.store(`The fulmar settings. ${text}`));
    const { memories } = await one.use("chest_recall", { ids: saved });
    const kept = JSON.stringify([memories, await captured()]);
    expect(kept).toContain("[REDACTED]");
    for (const { kind, secret } of ofEachKind) expect(kept, kind).not.toContain(secret);
  });

  it("Dedup Jaccard 5 min + MinHash 7 days: the same words are stored once, a restatement is named as similar", async () => {
    const first = await one.store("The petrel service writes its log to the shared volume every night.");
    expect(await one.store("The petrel service writes its log to the shared volume every night.")).toBe(first);
    const content = "The petrel service writes its whole log to the shared volume every night.";
    expect(await one.use("chest_remember", { content, layer: "learning" })).toMatchObject({ similar: [first] });
  });

  it("Observation types (6): categories, from which the layer follows", async () => {
    for (const [category, layer] of [
      ["bugfix", "realize"],
      ["decision", "learning"],
      ["discovery", "learning"],
      ["feature", "implementation"],
      ["refactor", "implementation"],
      ["change", "implementation"],
    ]) {
      const content = `The ${category} of the shearwater.`;
      const { memory_id: id } = await one.use("chest_remember", { content, category });
      expect((await one.use("chest_recall", { ids: [id] })).memories[0]).toMatchObject({ layer });
      expect(await find("of the shearwater", { category })).toMatchObject([{ id }]);
    }
  });
});

describe("what is shown unasked by claude-mem-lite", () => {
  it("Prompt-time injection; Dual injection dedup; Result-overlap cooldown", async () => {
    await one.store("The guillemot deploy needs the blue key.", { layer: "realize" });
    const { event } = aSession(() => []);
    const ask = () => event("user-prompt", { prompt: "How do we deploy the guillemot service?" });
    expect((await ask()).context).toContain("blue key");
    expect((await ask()).context ?? "").not.toContain("blue key");
    expect((await event("user-prompt", { prompt: "ok" })).context).toBeUndefined();
  });

  it("Error-triggered recall; Hook pipeline PostToolUse pre-filter", async () => {
    await one.store("PuffinLimitError comes from the pool: raise max_puffins in pool.ts.", { layer: "realize" });
    const { event } = aSession(() => []);
    const failed = (command: string) => ({
      tool_name: "Bash",
      tool_input: { command },
      error: "Exit code 1\nPuffinLimitError: max_puffins reached",
    });
    expect((await event("post-tool", failed("npm test"))).context).toContain("raise max_puffins");
    expect((await aSession(() => []).event("post-tool", failed("grep -rn Puffin src"))).context).toBeUndefined();
  });

  it("Proactive file history before an edit: once for a file in a session", async () => {
    await one.store("whinchat.ts must stay free of imports: it runs before the loader.", {
      layer: "realize",
      files: ["src/whinchat.ts"],
    });
    const { event } = aSession(() => []);
    const edit = { tool_name: "Edit", tool_input: { file_path: join(machine.cwd, "src/whinchat.ts") } };
    expect((await event("pre-tool", edit)).context).toContain("free of imports");
    expect((await event("pre-tool", edit)).context).toBeUndefined();
  });

  it("stdin cut at 256 KB; Zero loss: an event that is too long or no event ends with 0 and says nothing", async () => {
    for (const input of [`{"prompt": "${"x".repeat(300_000)}"}`, "no json"])
      expect(await machine.hook("user-prompt", input)).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

describe("search of claude-mem-lite", () => {
  it("Hybrid search FTS; OR fallback; Synonym expansion 100+ pairs incl. CJK↔EN; CJK synonym extraction", async () => {
    const id = await one.store("The skua database migration failed on Kubernetes.");
    for (const query of ["skua k8s", "skua 数据库", "skua zebra"])
      expect(
        (await find(query)).map((each) => each.id),
        query,
      ).toContain(id);
  });

  it("Stop words; Modular NLP: little words hide nothing, in four languages", async () => {
    const id = await one.store("The brambling cache is warmed at dawn. 花鶏のキャッシュは明け方に温める。");
    for (const query of ["what is the brambling of the", "花鶏のは何ですか", "花鶏的是什么", "the 花鶏 는 무엇"])
      expect((await find(query))[0]?.id, query).toBe(id);
  });

  it("Cross-source normalisation: what was captured and what was saved come in one order", async () => {
    const { session, event } = aSession(({ user, edits }) => [
      user("Teach the redpoll exporter to count its rows."),
      edits("src/redpoll.ts"),
    ]);
    await event("stop");
    const saved = await one.store("The redpoll exporter counts its rows twice at midnight.", { layer: "realize" });
    const found = await one.use("chest_recall", { query: "redpoll exporter count rows", journal: true });
    const scores = found.memories.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    const captured = (await view("session", { session_id: session })).items.map(({ id }: { id: number }) => id);
    const ids: number[] = found.memories.map(({ id }: { id: number }) => id);
    expect(ids).toContain(saved);
    expect(ids.some((id) => captured.includes(id))).toBe(true);
  });

  it("lesson_learned first; tool mem_recall (file)", async () => {
    const id = await one.store("auk.ts must not import the client.", { layer: "realize", files: ["src/auk.ts"] });
    expect(JSON.stringify(await one.use("chest_recall_file", { path_substring: "auk.ts" }))).toContain(`"id":${id}`);
  });

  it("Superseded detection: what a newer one replaces is shown no more, and found where it is asked for", async () => {
    const old = await one.store("The tern port is 80.");
    const now = await one.use("chest_remember", {
      content: "The tern port is 8080.",
      layer: "learning",
      supersedes: [old],
    });
    const ids = (await find("tern port")).map(({ id }) => id);
    expect(ids[0]).toBe(now.memory_id);
    expect(ids).not.toContain(old);
  });
});

describe("tools of claude-mem-lite", () => {
  it("tool mem_save (+ closes_deferred); tool mem_defer; tool mem_defer_list; tool mem_defer_drop", async () => {
    const add = (title: string) => one.use("chest_work", { action: "add", title });
    const [first, second] = [(await add("Clip the hedge")).items[0].id, (await add("Sweep the path")).items[0].id];
    const list = async () =>
      (await one.use("chest_work", { action: "list" })).items.map(({ id }: { id: string }) => id);
    expect(await list()).toEqual(expect.arrayContaining([first, second]));
    await one.use("chest_remember", {
      content: "The hedge is clipped.",
      layer: "implementation",
      closes_work: [first],
    });
    await one.use("chest_work", { action: "drop", id: second, reason: "it rains" });
    expect(await list()).not.toEqual(expect.arrayContaining([first]));
    expect(await list()).not.toEqual(expect.arrayContaining([second]));
  });

  it("Atomic multi-table writes: with work that is not there nothing is closed and nothing stored", async () => {
    const { items } = await one.use("chest_work", { action: "add", title: "Oil the gate" });
    const asked = { content: "The gate is oiled.", layer: "implementation", closes_work: [items[0].id, 99_999] };
    expect(await one.refused("chest_remember", asked)).toContain("99999");
    expect(JSON.stringify(await one.use("chest_work", { action: "list" }))).toContain("Oil the gate");
    expect((await find("gate oiled")).map(({ content }) => content)).not.toContain("The gate is oiled.");
  });

  it("/mem slash commands; Unified resource discovery: prompts and resources that a host lists, and the terminal", async () => {
    const { prompts, resources } = await one.offers();
    expect(prompts).toEqual(expect.arrayContaining(["recall-and-write", "remember", "briefing", "review-memories"]));
    const offered = ["memory://recent", "memory://stats", "chest://projects", "chest://guide"];
    expect(resources).toEqual(expect.arrayContaining(offered));
    const id = await one.store("The slash commands of the crossbill.");
    const atTerminal = async (words: string) => JSON.parse((await atBackend(...words.split(" "), "--json")).stdout);
    expect(JSON.stringify(await atTerminal("recall crossbill"))).toContain("of the crossbill");
    for (const words of ["recent", `timeline --id ${id}`, "tiers", "stats"])
      expect((await atTerminal(`inspect ${words} --project ${PROJECT}`)).items.length, words).toBeGreaterThan(0);
  });

  it("/lesson, /bug: a prompt that remembers a text, and a category that makes it a lesson or a pitfall", async () => {
    const asked = await one.prompt("remember", { text: "The crossbill build fails with two runners." });
    expect(asked).toContain("chest_remember");
    expect(asked).toContain("fails with two runners");
    const layers = [];
    for (const category of ["pattern", "bug"])
      layers.push((await one.use("chest_remember", { content: `The crossbill ${category}.`, category })).layer);
    expect(layers).toEqual(["learning", "realize"]);
  });

  it("tool mem_search; tool mem_get (ids); 3-step workflow: index → timeline → details; Timeline browsing around an anchor", async () => {
    const ids = [];
    for (const nth of [1, 2, 3]) ids.push(await one.store(`Step ${nth} of the eider rollout.`));
    const index = await one.use("chest_recall", { query: "eider rollout", format: "index" });
    expect(index.memories.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining(ids));
    const { items } = await view("timeline", { id: ids[1], before: 1, after: 1 });
    expect(items.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect((await one.use("chest_recall", { ids: [ids[2]] })).memories[0].content).toContain("Step 3");
  });

  it("tool mem_timeline; tool mem_browse (tiers); tool mem_recent", async () => {
    const id = await one.store("The newest of the scaup notes.");
    expect((await view("recent")).items[0].id).toBe(id);
    expect(JSON.stringify(await view("tiers"))).toContain("scaup");
  });

  it("tool mem_update; In-place updates; tool mem_delete (preview/confirm)", async () => {
    const id = await one.store("The wigeon is grey.");
    await one.use("chest_update_memory", { memory_id: id, content: "The wigeon is chestnut." });
    expect((await find("wigeon"))[0]?.content).toContain("chestnut");
    expect((await one.use("chest_forget", { ids: [id] })).matched).toBe(1);
    await one.use("chest_forget", { ids: [id], confirm: true });
    expect(await find("wigeon")).toEqual([]);
  });

  it("tool mem_stats: by layer and category, and by day over REST", async () => {
    expect((await view("stats")).items.length).toBeGreaterThan(0);
    const headers = { authorization: `Bearer ${backend.backend.token}` };
    const series = await (await fetch(`${backend.backend.url}/stats?series=day`, { headers })).json();
    expect(JSON.stringify(series)).toContain(new Date().toISOString().slice(0, 10));
  });

  it("tool mem_compress; tool mem_maintain (dedup/decay/cleanup): consolidation shows what it would do", async () => {
    expect(await one.use("chest_consolidate", { dry_run: true })).toMatchObject({ dry_run: true });
    const [first, second] = [
      await one.store("The garganey pool is drained by hand.", { tags: ["garganey", "pool"] }),
      await one.store("The garganey pool is drained by hand in May.", { tags: ["garganey", "pool"] }),
    ];
    const { pairs } = await one.use("chest_consolidate", { action: "find" });
    const ids = pairs.map((pair: { ids: number[] }) => pair.ids.toSorted((a, b) => a - b));
    expect(ids).toContainEqual([first, second]);
    const headers = { authorization: `Bearer ${backend.backend.token}`, "content-type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify({ action: "preview" }) };
    const { passes } = (await (await fetch(`${backend.backend.url}/api/maintenance`, asked)).json()) as {
      passes: readonly { name: string }[];
    };
    const names = passes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["confidence", "digest", "prune", "supersession", "retention"]));
  });

  it("tool mem_export; Bulk export JSON/JSONL with filters; tool mem_fts_check; FTS integrity check/rebuild", async () => {
    await one.store("An exported shoveler.", { visibility: "project", category: "decision" });
    const elsewhere = await backend.agent("git.example/acme/exported");
    await elsewhere.store("A shoveler of another project.", { visibility: "project" });
    const { stdout } = await cli("export", "--project", PROJECT);
    const records = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.length).toBeGreaterThan(10);
    expect(stdout).toContain("An exported shoveler.");
    expect(stdout).not.toContain("of another project");
    const since = new Date(Date.now() - 60_000).toISOString();
    const filtered = async (over: object) =>
      (await one.use("chest_recall", { format: "raw", limit: 200, ...over })).memories.map(
        ({ content }: { content: string }) => content,
      );
    expect(await filtered({ category: "decision", since })).toContain("An exported shoveler.");
    expect(await filtered({ category: "decision", until: since })).not.toContain("An exported shoveler.");
    expect(await filtered({ category: "pattern", since })).not.toContain("An exported shoveler.");
    expect((await cli("fts", "check")).exitCode).toBe(0);
  });

  it("tool mem_registry; tool mem_use; Resource registry of skills: scanned, found, read, never shown unasked", async () => {
    const folder = join(machine.root, "skills", "pochard");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), "---\nname: pochard\ndescription: Mends the pochard build.\n---\n");
    expect((await atBackend("skills", "scan", join(machine.root, "skills"))).stdout).toContain("added pochard");
    const [found] = await find("mend the pochard build", { category: "skill" });
    expect(found?.content).toContain("pochard/SKILL.md");
    expect(await one.read("chest://skill/pochard")).toMatchObject({ name: "pochard" });
    const { context = "" } = await aSession(() => []).event("user-prompt", { prompt: "Please mend the pochard build" });
    expect(context).not.toContain("SKILL.md");
  });

  it("DB auto-recovery of WAL/SHM; PID locks with stale cleanup; Atomic writes: a backend that was killed", async () => {
    const killed = await openNewcomers();
    await (await killed.agent(PROJECT)).store("The last dipper is ringed.");
    await killed.backend.kill9();
    const { dataDir } = killed.backend;
    const env = cleanEnv({ CHEST_DATA_DIR: dataDir, CHEST_CLI_STORE: "local" });
    const second = await startBackend({ dataDir });
    try {
      expect((await runCli(["export"], env)).stdout).toContain("The last dipper is ringed.");
      expect((await runCli(["fts", "check"], env)).exitCode).toBe(0);
    } finally {
      await second.stop();
      await killed.stop();
    }
  });

  it("hidden tools (core set listed): eight are listed, and the others answer", async () => {
    const core = await openNewcomers({ CHEST_TOOL_SET: "core" });
    try {
      const agent = await core.agent("host/org/core");
      expect((await agent.offers()).tools).toHaveLength(8);
      expect((await one.offers()).tools.length).toBeGreaterThan(8);
      expect(await agent.use("chest_work", { action: "list" })).toMatchObject({ ok: true });
    } finally {
      await core.stop();
    }
  });
});

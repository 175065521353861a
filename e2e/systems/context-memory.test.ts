import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/clients/cli.ts";
import { type Newcomer, type Newcomers, openNewcomers } from "../support/clients/newcomer.ts";
import { cleanEnv } from "../support/process.ts";

const PROJECT = "git.example/acme/waders";

let backend: Newcomers;
let one: Newcomer;
let folder: string;
beforeAll(async () => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "chest-context-memory-")));
  folder = join(dir, "waders");
  await mkdir(join(folder, "src"), { recursive: true });
  backend = await openNewcomers();
  one = await backend.agent(PROJECT, folder);
});
afterAll(async () => {
  await backend?.stop();
  await rm(join(folder, ".."), { recursive: true, force: true });
});

interface Row {
  readonly id: number;
  readonly content: string;
}

const remember = (content: string, over: object = {}) =>
  one.use("chest_remember", { content, layer: "learning", ...over });
const find = async (query: string, over: object = {}): Promise<Row[]> =>
  (await one.use("chest_recall", { query, ...over })).memories;
const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
const raw = async (id: number) => (await one.use("chest_recall", { ids: [id], format: "raw" })).memories[0];
const whole = async (id: number) => (await backend.get(`/api/memories/${id}?project=*`)).memory;
const view = async (name: string, over: object = {}) => one.use("chest_inspect", { view: name, ...over });
const update = (memory_id: number, over: object) => one.use("chest_update_memory", { memory_id, ...over });
const write = (name: string, text: string) => writeFile(join(folder, name), text);
const local = () => cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir, CHEST_CLI_STORE: "local" });
const cli = (...words: string[]) => runCli(words, local());

describe("what context-memory keeps of a fact", () => {
  it("Field id, content, project, session; Field importance (4 words); Fields certainty, category; Field confidence; Field topics; Field evidence", async () => {
    const { memory_id: id } = await one.use("chest_remember", {
      content: "The avocet service listens on port 8443. #ports",
      category: "decision",
      importance: "high",
      certainty: "definite",
      confidence: 0.9,
      topics: ["avocet"],
      evidence: ["src/avocet.ts, line 3"],
    });
    expect(await raw(id)).toMatchObject({
      id,
      category: "decision",
      importance: 0.75,
      certainty: "definite",
      confidence: 0.9,
      tags: ["avocet", "ports"],
      evidence: ["src/avocet.ts, line 3"],
    });
    expect(await whole(id)).toMatchObject({ project: PROJECT, session_id: expect.any(String) });
  });

  it("Field scope global/project/branch/task: a visibility, or a tag for what is narrower", async () => {
    const everywhere = await remember("Bitterns boom.", { scope: "global" });
    const branch = await remember("Bitterns hide.", { scope: "branch:reeds" });
    expect(await raw(everywhere.memory_id)).toMatchObject({ visibility: "team" });
    expect(await raw(branch.memory_id)).toMatchObject({ visibility: "project", tags: ["branch:reeds"] });
  });

  it("access_count, last_accessed, archived; tool get_archived; tool archive; tool unarchive; tool forget", async () => {
    const { memory_id: id } = await remember("Curlews call at night.");
    await find("curlews call");
    await expect.poll(async () => (await raw(id)).access_count, { timeout: 15_000 }).toBeGreaterThan(0);
    await update(id, { archived: true });
    expect(ids((await view("archived")).items)).toContain(id);
    expect(ids(await find("curlews call"))).not.toContain(id);
    await update(id, { archived: false });
    expect(ids(await find("curlews call"))).toContain(id);
    await one.use("chest_forget", { memory_id: id });
    expect(ids((await view("archived")).items)).toContain(id);
  });

  it("Fact versioning; History: version, content, changed_at, reason; tool get_fact_history", async () => {
    const { memory_id: id } = await remember("The dunlin job runs at two.");
    await update(id, { content: "The dunlin job runs at three.", reason: "it was late" });
    const { items } = await view("history", { id });
    expect(items.map(({ content }: Row) => content)).toEqual([
      "The dunlin job runs at three.",
      "The dunlin job runs at two.",
    ]);
    expect(JSON.stringify(items)).toContain("it was late");
  });

  it("Topic extraction: hashtags; tool list_topics; tool summarize (a topic's facts)", async () => {
    const { memory_id: id } = await remember("Plovers nest on gravel. #plovers");
    expect((await view("tags")).items).toContainEqual(expect.objectContaining({ tag: "plovers", count: 1 }));
    expect(ids((await view("tag", { tag: "plovers" })).items)).toEqual([id]);
  });

  it("tool forget_observation: takes one piece of evidence out", async () => {
    const { memory_id: id } = await remember("Knots fly south.", { evidence: ["ring 12", "ring 13"] });
    await update(id, { remove_evidence: ["ring 12"] });
    expect((await raw(id)).evidence).toEqual(["ring 13"]);
  });
});

describe("sources of context-memory", () => {
  it("Source tracking: link to file:line; Fields source, source_content_hash; Source staleness by SHA-256; Field stale; tool verify; tool get_stale; tool refresh_all", async () => {
    await write("src/ruff.ts", "export const ruffs = 1;\n");
    const { memory_id: id } = await remember("There is one ruff.", { source: "src/ruff.ts:1" });
    const { sources } = await backend.get(`/api/memories/${id}`);
    expect(sources).toMatchObject([{ path: "src/ruff.ts", line: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    await write("src/ruff.ts", "export const ruffs = 2;\n");
    expect((await find("how many ruffs are there"))[0]).toMatchObject({ id, stale: ["src/ruff.ts"] });
    expect((await one.use("chest_verify", { ids: [id] })).counts).toMatchObject({ stale: 1 });
    expect(ids((await view("stale")).items)).toContain(id);
    await one.use("chest_verify", { all: true, accept: true });
    expect(ids((await view("stale")).items)).not.toContain(id);
  });

  it("Path canonicalisation: a link out of the folder is no source, and the answer says why", async () => {
    await writeFile(join(folder, "../secret.txt"), "hidden\n");
    await symlink(join(folder, "../secret.txt"), join(folder, "inside.txt"));
    for (const source of ["inside.txt", "../secret.txt"])
      expect(
        await one.refused("chest_remember", { content: `Read from ${source}.`, layer: "learning", source }),
      ).toContain("outside the folders");
  });
});

describe("contradictions of context-memory", () => {
  it("Contradiction warning on store; Contradiction: > 50 % topic overlap, negation, opposite pairs; Auto-creates contradicts relation; tool find_contradictions", async () => {
    for (const [before, after] of [
      ["The lapwing cache is enabled.", "The lapwing cache is disabled."],
      ["Deploy the godwit service on Fridays.", "Do not deploy the godwit service on Fridays."],
      ["The snipe gateway listens on port 8080.", "The snipe gateway listens on port 9443."],
    ] as const) {
      const old = (await remember(before, { topics: ["birds"] })).memory_id;
      const { memory_id: id, contradicts, warnings } = await remember(after, { topics: ["birds"] });
      expect(contradicts).toMatchObject([{ id: old }]);
      expect(warnings).toMatchObject([{ reason: "possible_contradiction" }]);
      expect(await raw(old)).toMatchObject({ contradicted_by: [id] });
      const { items } = await view("contradictions");
      expect(items.map(({ newer }: { newer: Row }) => newer.id)).toContain(id);
    }
  });

  it("Supersedes", async () => {
    const { memory_id: old } = await remember("The stint port is 80.");
    const now = await remember("The stint port is 8080.", { supersedes: [old] });
    expect(now.superseded).toEqual([old]);
    const found = ids(await find("stint port"));
    expect([found[0], found.includes(old)]).toEqual([now.memory_id, false]);
  });
});

describe("links of context-memory", () => {
  it("Fact linking, typed; Relations: six types + metadata; tool link; tool unlink; tool get_related", async () => {
    const { memory_id: from } = await remember("The tern build needs the reed image.");
    const types = ["depends_on", "contradicts", "elaborates", "related_to", "part_of", "supersedes"];
    for (const type of types) {
      const { memory_id: to } = await remember(`The end of a link that is called ${type}.`);
      await update(from, { add_links: [{ to, type, note: `because of ${type}` }] });
      const linked = async () => (await view("related", { id: from, limit: 50 })).items;
      expect(await linked()).toContainEqual(expect.objectContaining({ type, note: `because of ${type}` }));
      await update(from, { remove_links: [{ to, type }] });
      expect(JSON.stringify(await linked())).not.toContain(`because of ${type}`);
    }
  });

  it("Consolidation: find similar; tool consolidate (similarity); tool merge_facts", async () => {
    const words = "The phalarope backup goes to the second region every night at two";
    const first = (await remember(`${words}.`, { topics: ["backup", "region"], confidence: 0.6 })).memory_id;
    const second = (await remember(`${words} sharp.`, { topics: ["night"], confidence: 0.9 })).memory_id;
    const { pairs } = await one.use("chest_consolidate", { action: "find", similarity: 0.9 });
    expect(pairs).toContainEqual(expect.objectContaining({ ids: [second, first] }));
    const merged = await one.use("chest_consolidate", { action: "merge", memory_ids: [first, second] });
    expect(merged.merged).toEqual([first, second]);
    expect(await raw(merged.memory_id)).toMatchObject({ tags: ["backup", "night", "region"], confidence: 0.9 });
  });
});

describe("recall of context-memory", () => {
  it("tool recall (query, all_projects, session, topics, category, min_confidence, limit); Project isolation by git root, cross-project query", async () => {
    const other = await backend.agent("git.example/acme/other");
    const elsewhere = await other.store("Sandpipers eat shrimp in the other project.", { visibility: "project" });
    const sure = (await remember("Sandpipers run.", { topics: ["runs"], category: "discovery", confidence: 0.9 }))
      .memory_id;
    const unsure = (await remember("Sandpipers swim.", { topics: ["swims"], confidence: 0.3 })).memory_id;
    const own = [elsewhere, sure, unsure];
    const asked = async (over: object) => new Set(ids(await find("sandpipers", over)).filter((id) => own.includes(id)));
    expect(await asked({})).toEqual(new Set([sure, unsure]));
    expect(await asked({ project: "*" })).toEqual(new Set([sure, unsure, elsewhere]));
    for (const narrow of [{ topics: ["runs"] }, { category: "discovery" }, { min_confidence: 0.8 }])
      expect(await asked(narrow), JSON.stringify(narrow)).toEqual(new Set([sure]));
    expect((await find("sandpipers", { limit: 1 })).length).toBe(1);
    const { session_id } = await whole(sure);
    expect(await asked({ session_id })).toEqual(new Set([sure, unsure]));
  });

  it("Smart retrieval, time-weighted, by confidence: of equals the surer comes first", async () => {
    const weak = (await remember("Oystercatchers open mussels.", { confidence: 0.2 })).memory_id;
    const strong = (await remember("Oystercatchers open cockles.", { confidence: 0.95 })).memory_id;
    const found = ids(await find("oystercatchers open"));
    expect(found.indexOf(strong)).toBeLessThan(found.indexOf(weak));
  });

  it("Session tracking; tool get_session_facts", async () => {
    const agent = await backend.agent("git.example/acme/session");
    const first = await agent.store("Avocets sweep.");
    const second = await agent.store("Stilts wade.");
    const { items, session_id } = await agent.use("chest_inspect", { view: "session" });
    expect([ids(items), typeof session_id]).toEqual([[second, first], "string"]);
  });

  it("Read path: sanitise, filters, time weight, boost; FTS injection", async () => {
    for (const query of ['waders" OR 1=1 --', "NEAR(a b)", "*", "content: (", "%"])
      expect(await one.use("chest_recall", { query })).toHaveProperty("memories");
  });

  it("Category summaries; tool get_category_summary; tool stats", async () => {
    await remember("Whimbrels prefer moors.", { category: "preference", topics: ["moor"] });
    const { items } = await view("categories", { category: "preference" });
    expect(items).toContainEqual(expect.objectContaining({ category: "preference", total: 1 }));
    expect((await view("stats")).items.length).toBeGreaterThan(0);
    expect((await cli("stats", "--json")).exitCode).toBe(0);
  });
});

describe("the store of context-memory", () => {
  it("Persistent storage SQLite + FTS5; foreign_keys, secure_delete, WAL; Write path: validate, topics, contradiction, hash, session, FTS", async () => {
    const { memory_id: id } = await remember("Turnstones turn stones. #stones");
    expect(ids(await find("turnstones"))[0]).toBe(id);
    expect((await cli("fts", "check")).exitCode).toBe(0);
    const { stdout } = await cli("doctor", "server", "--json");
    expect(stdout).toContain("wal");
  });

  it("Input limits", async () => {
    const refused = await one.refused("chest_remember", { content: "x".repeat(9000), layer: "learning" });
    expect(refused).toContain("8000");
    expect(await one.refused("chest_remember", { content: "x", layer: "learning", topics: ["a b"] })).toContain("tags");
  });

  it("Concurrent sessions on one store (daemon)", async () => {
    const agents = await Promise.all([1, 2, 3, 4].map((nth) => backend.agent(`git.example/acme/many-${nth}`)));
    const stored = await Promise.all(
      agents.flatMap((agent, at) => [1, 2, 3].map((nth) => agent.store(`Dotterel ${at} ${nth} is counted.`))),
    );
    expect(new Set(stored).size).toBe(12);
  });

  it("Auto-maintenance at start; CONTEXT_MEMORY_SKIP_MAINTENANCE", async () => {
    const lastRun = async () => JSON.parse((await cli("status", "--json")).stdout).maintenance.last_at;
    await expect.poll(lastRun, { timeout: 30_000 }).not.toBeNull();
    const still = await openNewcomers({ CHEST_AUTO_MAINTENANCE: "0" });
    try {
      await (await still.agent("host/org/still")).store("Nothing is kept in order here.");
      const env = cleanEnv({ CHEST_DATA_DIR: still.backend.dataDir, CHEST_CLI_STORE: "local" });
      expect(JSON.parse((await runCli(["status", "--json"], env)).stdout).maintenance.last_at).toBeNull();
    } finally {
      await still.stop();
    }
  });

  it("Confidence decay; tool decay; Pruning old low-confidence facts; tool prune", async () => {
    const { phases } = JSON.parse((await cli("up", "--check", "--decay", "--json")).stdout);
    expect(phases.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["confidence", "prune", "expiry"]),
    );
  });
});

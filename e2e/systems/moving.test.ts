import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type LlmStandIn, openLlmStandIn } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/clients/cli.ts";
import { type Newcomer, type Newcomers, openNewcomers } from "../support/clients/newcomer.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { cleanEnv, ROOT } from "../support/process.ts";

interface Row {
  readonly system: string;
  /** First name in the row: the name in the other system. */
  readonly there: string;
  readonly here: string;
}

const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const spansIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);

/** Tables of the guide for users who move from another system. */
const ROWS: readonly Row[] = textOf("docs/moving.md")
  .split(/^## /m)
  .flatMap((section) => {
    const system = section.split("\n")[0] ?? "";
    const lines = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| -"));
    if (!lines[0]?.includes("| Here")) return [];
    return lines.slice(1).map((line) => {
      const [, there = "", here = ""] = line.split(" | ").length > 1 ? ["", ...line.slice(2, -2).split(" | ")] : [];
      return { system, there: there.trim(), here: here.trim() };
    });
  });

const PROJECT = "host/org/mover";
const CONVERSATION = "moved";

let backend: Newcomers;
let llm: LlmStandIn;
let one: Newcomer;
let folder: string;
/** Names that a trial has called, and names in the answers. */
let said: string[] = [];

beforeAll(async () => {
  folder = join(await realpath(await mkdtemp(join(tmpdir(), "chest-moving-"))), "mover");
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "src/moved.ts"), "export const moved = 1;\n");
  llm = await openLlmStandIn();
  backend = await openNewcomers({
    CHEST_LLM_PROVIDER: "openai",
    CHEST_LLM_URL: llm.url,
    CHEST_LLM_MODEL: "stand-in",
  });
  one = await backend.agent(PROJECT, folder);
});
afterAll(async () => {
  await backend?.stop();
  await llm?.close();
  await rm(join(folder, ".."), { recursive: true, force: true });
});

async function use(tool: string, input: object = {}) {
  const answer = await one.use(tool, input);
  said.push(tool, JSON.stringify(input), ...Object.keys(answer));
  return answer;
}
const view = (name: string, over: object = {}) => use("chest_inspect", { view: name, ...over });
async function cli(words: string, env: NodeJS.ProcessEnv = local()) {
  const ended = await runCli(words.split(" "), env);
  expect(ended.exitCode, `${words}\n${ended.stdout}${ended.stderr}`).toBe(0);
  said.push(`chest-index ${words}`, ...Object.keys(env));
  return ended.stdout;
}
const local = () => cleanEnv({ CHEST_DATA_DIR: backend.backend.dataDir });
const remote = () =>
  cleanEnv({ CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.backend.url, CHEST_API_TOKEN: backend.backend.token });

let stored = 0;
const remember = async (over: object = {}): Promise<number> => {
  stored += 1;
  const content = `Fact ${stored} of the mover: the dunlin number ${stored * 7919} is ringed.`;
  return (await use("chest_remember", { content, layer: "learning", ...over })).memory_id;
};
const talk = (action: string, content: string, over: object = {}) =>
  use("chest_conversation", {
    action,
    conversation_id: CONVERSATION,
    messages: [{ role: "user", content, ...(action === "capture" && { timestamp: "2026-01-02T10:00:00Z" }) }],
    ...over,
  });

/** A trial for each row of the tables; each makes only calls that its row names. */
const TRIALS: Readonly<Record<string, () => Promise<unknown>>> = {
  // context-memory
  remember: () => remember({ tags: ["topic"] }),
  recall: async () => {
    const asked = { tags: ["topic"], category: "decision", session_id: "s-1", min_confidence: 0.5 };
    await use("chest_recall", { query: "dunlin", ...asked });
    await use("chest_recall", { query: "dunlin", project: "*" });
  },
  forget: async () => use("chest_forget", { memory_id: await remember() }),
  forget_observation: async () => {
    const id = await remember({ evidence: ["seen twice"] });
    await use("chest_update_memory", { memory_id: id, remove_evidence: ["seen twice"] });
  },
  link: async () => {
    const [from, to] = [await remember(), await remember()];
    await use("chest_update_memory", { memory_id: from, add_links: [{ to, type: "depends_on" }] });
    await use("chest_update_memory", { memory_id: from, remove_links: [{ to, type: "depends_on" }] });
  },
  archive: async () => {
    const memory_id = await remember();
    await use("chest_update_memory", { memory_id, archived: true });
    await use("chest_update_memory", { memory_id, archived: false });
  },
  verify: async () => {
    const id = await remember({ source: "src/moved.ts:1" });
    for (const which of [{ ids: [id] }, { path: "src" }, { all: true }]) await use("chest_verify", which);
  },
  consolidate: async () => {
    const ids = [await remember(), await remember()];
    await use("chest_consolidate", { action: "find" });
    await use("chest_consolidate", { action: "merge", memory_ids: ids });
  },
  decay: async () => [await cli("decay --check"), await cli("prune --check")],
  get_stale: async () => [await view("stale"), await view("contradictions")],
  get_related: async () => {
    const id = await remember();
    for (const name of ["related", "history"]) await view(name, { id });
  },
  get_session_facts: async () => [await view("session", { session_id: "s-1" }), await view("archived")],
  list_topics: async () => {
    await remember({ tags: ["topic"] });
    expect((await view("tags")).items.map(({ tag }: { tag: string }) => tag)).toContain("topic");
    await view("tag", { tag: "topic" });
    await use("chest_recall", { query: "dunlin", tags: ["topic"], format: "summary" });
  },
  get_category_summary: async () => [await view("categories"), await view("stats")],
  // claude-mem-lite
  mem_save: () => remember({ layer: "realize" }),
  mem_search: async () => {
    await use("chest_recall", { ids: [await remember()] });
    await use("chest_recall", { query: "dunlin", format: "index" });
  },
  mem_recall: () => use("chest_recall_file", { path_substring: "moved.ts" }),
  mem_update: async () => {
    const memory_id = await remember();
    await use("chest_update_memory", { memory_id, importance: 0.7 });
    await use("chest_forget", { memory_id, dry_run: true });
  },
  mem_recent: async () => [await view("recent"), await view("timeline")],
  mem_browse: async () => [await view("tiers"), await view("stats"), await cli("browse")],
  mem_defer: async () => {
    const add = async (title: string) => (await use("chest_work", { action: "add", title })).items[0].id;
    const [id, other] = [await add("Ring the dunlins"), await add("Count the dunlins")];
    expect((await use("chest_work", { action: "list" })).items).toHaveLength(2);
    await use("chest_work", { action: "drop", id, reason: "they are ringed" });
    await remember({ closes_work: [other] });
    expect((await use("chest_work", { action: "list" })).items).toEqual([]);
  },
  mem_compress: async () => [
    await use("chest_consolidate", { dry_run: true }),
    await cli("compress"),
    await cli("dedup"),
    await cli("up --json"),
  ],
  mem_export: async () => [await cli("export"), await cli("fts check")],
  mem_registry: async () => {
    const skill = join(folder, "skills", "dunlin");
    await mkdir(skill, { recursive: true });
    await writeFile(join(skill, "SKILL.md"), "---\nname: dunlin\ndescription: Rings a dunlin.\n---\n");
    expect(await cli(`skills scan ${join(folder, "skills")}`, remote())).toContain("dunlin");
    expect((await use("chest_recall", { query: "ring a dunlin", category: "skill" })).count).toBe(1);
  },
  "/mem …": async () => {
    const asked = {
      remember: { text: "Dunlins are ringed." },
      briefing: {},
      reminder: { what: "ring", when: "Friday" },
      "review-memories": { topic: "dunlins" },
    };
    for (const [name, given] of Object.entries(asked)) {
      expect(await one.prompt(name, given), name).toMatch(/chest_\w+/);
      said.push(name);
    }
  },
  adopt: async () => {
    await writeFile(join(folder, "CLAUDE.md"), "# Ours\n");
    for (const words of [`adopt ${folder}`, `unadopt ${folder}`]) await cli(words);
    expect(await textIn("CLAUDE.md")).toBe("# Ours\n");
  },
  CLAUDE_MEM_DIR: async () => {
    await cli("stats");
    said.push("CHEST_LLM_MODEL"); // The backend of all these trials has this setting.
    expect(await cli("llm test", remote())).toContain("stand-in");
  },
  // memory-mcp-server
  add_short_term_memory: () => talk("capture", "The whimbrel is back.", { role_weights: { user: 3 } }),
  search_short_term_memories: async () => {
    await talk("capture", "The whimbrel is at the pond.");
    const { top } = await talk("recall", "Where is the whimbrel?", { flashback: 2 });
    expect(top.length).toBeGreaterThan(0);
  },
  delete_short_term_memories: async () => {
    await talk("capture", "A curlew* is a curlew.");
    const asked = { conversation_id: CONVERSATION, text: "curlew*" };
    expect((await use("chest_forget", asked)).matched).toBe(1);
    expect((await use("chest_forget", { ...asked, confirm: true })).ids).toHaveLength(1);
  },
  get_frequent_conversation: async () => {
    await talk("capture", "A stint.");
    expect((await view("conversations")).items[0].conversation_id).toBe(CONVERSATION);
  },
  get_memory_stats: async () => {
    await view("stats");
    expect((await one.read("chest://stats")).memory_count).toBeGreaterThan(0);
    said.push("chest://stats");
  },
  cleanup_memories: () => cli("up --pass conversations"),
  add_long_term_memory: () => remember({ name: "pond-rule", trigger: { any: ["pond"] } }),
  update_long_term_memory: async () => {
    const id = await remember({ name: "reed-rule", trigger: { any: ["reed"] } });
    expect(await remember({ name: "reed-rule" })).toBe(id);
    await use("chest_update_memory", { memory_id: id, trigger: { any: ["rush"] } });
  },
  delete_long_term_memory: async () => {
    await remember({ name: "gone", trigger: { any: ["gone"] } });
    const { items } = await view("triggers");
    const { id: memory_id } = items.find(({ name }: { name: string }) => name === "gone");
    expect(await use("chest_forget", { memory_id })).toMatchObject({ archived: 1 });
  },
  list_long_term_memories: async () => {
    const id = await remember({ name: "listed", trigger: { any: ["listed"] } });
    expect((await view("triggers")).items).toContainEqual(expect.objectContaining({ id, name: "listed" }));
  },
  search_long_term_memories: async () => {
    const id = await remember({ trigger: { any: ["ruff"] } });
    expect((await talk("recall", "a ruff")).triggered).toMatchObject([{ id }]);
    await use("chest_recall", { query: "dunlin" });
  },
  get_memory_context: async () => {
    const id = await remember();
    await use("chest_update_memory", { memory_id: id, content: "Another fact of the mover." });
    expect((await view("history", { id })).items).toHaveLength(2);
  },
  "a trigger in JavaScript": () =>
    remember({
      trigger: "(match_keys(['x']) > 1 || match_keys_all(['x', 'y'])) && new Date().getMonth() === 11",
    }),
  // @provos
  memory_store: async () => {
    const content = "The smew dives in the mere at dusk.";
    const first = await use("chest_remember", { content, layer: "learning" });
    expect(await use("chest_remember", { content, layer: "learning" })).toMatchObject({ memory_id: first.memory_id });
  },
  memory_recall: async () => {
    for (const format of ["list", "raw", "summary", "answer"])
      await use("chest_recall", { query: "dunlin", token_budget: 500, tags: ["topic"], format });
  },
  memory_context: () => use("chest_context", { task: "ring dunlins", token_budget: 500 }),
  memory_forget: async () => {
    const id = await remember({ tags: ["going"] });
    for (const which of [{ ids: [id] }, { tags: ["going"] }, { query: "dunlin ringed" }, { before: "2020-01-01" }])
      expect(await use("chest_forget", which)).toMatchObject({ dry_run: true });
    expect((await use("chest_forget", { ids: [id], confirm: true })).ids).toEqual([id]);
  },
  memory_inspect: async () => {
    for (const name of ["stats", "recent", "important", "tags"]) await view(name);
  },
  "memory_inspect ids": async () => [await use("chest_recall", { ids: [await remember()] }), await cli("export")],
  "MEMORY_LLM_*": async () => {
    expect((await backend.get("/api/llm")).configured).toBe(true);
    said.push("CHEST_LLM_"); // The backend of all these trials has these settings.
  },
  MEMORY_DB_PATH: async () => {
    const path = join(folder, "own.db");
    const env = { CHEST_MODE: "local", CHEST_DB_PATH: path, CHEST_PROJECT: PROJECT };
    const alone = await connectStdioClient({ env });
    const fact = { content: "A file of its own.", layer: "learning", visibility: "project" };
    await alone.client.callTool({ name: "chest_remember", arguments: fact });
    await alone.stop();
    expect(await cli("export", cleanEnv(env))).toContain("A file of its own.");
  },
  MEMORY_DEFAULT_TOKEN_BUDGET: () => use("chest_recall", { query: "dunlin", token_budget: 300 }),
  "the exported system prompt": async () => {
    const { exports } = JSON.parse(textOf("apps/mcp/package.json"));
    const { systemPrompt } = await import(pathToFileURL(join(ROOT, "apps/mcp", exports["./prompts"])).href);
    expect(systemPrompt()).toContain("chest_remember");
    said.push('import { systemPrompt } from "chest-memory/prompts"');
  },
};

const textIn = async (name: string) => readFileSync(join(folder, name), "utf8");

/** Key of a row's trial: the first name in the row, with more of it where two rows begin alike. */
const trialOf = ({ there }: Row): string => {
  const [first = there] = spansIn(there);
  return first === "memory_inspect" && there.includes("ids") ? "memory_inspect ids" : first;
};

describe("from another server's tool to ours", () => {
  it("has a row for each tool of the four systems", () => {
    const guide = ROWS.map(({ there }) => there).join("\n");
    const rows = textOf("e2e/systems/README.md").matchAll(/^\| (?:tool (\w+)|(mem(?:ory)?_\w+))\b/gm);
    const tools = [...rows].map(([, named, plain = ""]) => named ?? plain);
    expect(tools.length).toBeGreaterThan(40);
    for (const name of new Set(tools)) expect(guide, name).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it.each(ROWS.map((row) => [`${row.system}: ${row.there}`, row] as const))("can be walked: %s", async (_, row) => {
    const trial = TRIALS[trialOf(row)];
    expect(trial, "no trial is written for this row").toBeDefined();
    said = [];
    await trial?.();
    const asked = said.join("\n");
    for (const span of spansIn(row.here)) {
      if (span === "roleWeights" || span === "view") continue;
      for (const word of span.match(/[A-Za-z_][\w-]*(?::\/\/\w+)?/g) ?? [])
        expect(asked, `\`${span}\``).toContain(word);
    }
  });
});

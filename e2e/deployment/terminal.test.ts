import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";
import { CHEST_INDEX, cleanEnv, NODE_24 } from "../support/process.ts";
import { hasProgram } from "../support/requirements.ts";

const execute = promisify(execFile);
const hasTerminals = hasProgram("terminals");

const OLD = "the release is built on Mondays";
const NEW = "the release is built on Tuesdays, since Monday is for triage";
const EDITED = "services/billing/invoice.py";

describe.each(["at a backend", "beside the store"] as const)("memories on a terminal, %s", (where) => {
  let folder: string;
  let backend: Backend | undefined;
  let env: NodeJS.ProcessEnv;
  let agent: StdioClient;
  let id: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chest-terminal-"));
    backend = where === "at a backend" ? await startBackend() : undefined;
    env = cleanEnv({
      CHEST_DATA_DIR: folder,
      CHEST_MODE: backend ? "remote" : "local",
      ...(backend && { CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token }),
    });
    agent = await connectStdioClient({ env });
    const fact = { entity_name: "acme-api", entity_kind: "project", layer: "learning", visibility: "team" };
    const told = await ask(mcpDoor(agent.client), "chest_remember", { ...fact, content: OLD, tags: ["release"] });
    id = Number(told.memory_id);
    const change = { memory_id: id, content: NEW, layer: "realize" };
    await ask(mcpDoor(agent.client), "chest_update_memory", change);
    const transcript = join(folder, "s-1.jsonl");
    await writeFile(transcript, TRANSCRIPT);
    const taken = await run("import", "--session-file", transcript, "--skip-embed");
    expect(taken).toMatchObject({ exitCode: 0, stderr: "" });
  });
  afterAll(async () => {
    await agent?.stop();
    await backend?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...words: string[]) => runCli(words, env);
  const onTerminal = async (columns: number, ...words: string[]) => {
    const line = `stty cols ${columns}; '${NODE_24}' '${CHEST_INDEX}' ${words.join(" ")} 2>/dev/null; true`;
    // With CI set, Node assumes a terminal without colours.
    const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...rest } = env;
    const { stdout } = await execute("script", ["-qec", line, "/dev/null"], {
      env: { ...rest, TERM: "xterm-256color" },
    });
    return stdout.replaceAll("\r", "");
  };
  const json = async (...words: string[]) => JSON.parse((await run(...words, "--json")).stdout);

  it("are found, shown in full and listed", async () => {
    expect((await run("recall", "release Tuesdays")).stdout).toContain(NEW.slice(0, 30));
    expect((await json("show", `${id}`)).memories).toMatchObject([{ id, content: NEW }]);
    expect((await run("list", "--layer", "realize")).stdout).toContain(`#${id}  realize  acme-api`);
  });

  it("have a history: each text, until when it was valid, and who changed it", async () => {
    const { stdout, exitCode } = await run("history", `#${id}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^#\d+ {2}acme-api {2}live, 2 versions$/m);
    expect(stdout).toMatch(
      /^v2 {2}since \d{4}-\d\d-\d\d \d\d:\d\d {2}realize {2}#release\n {4}the release is built on Tuesdays/m,
    );
    expect(stdout).toMatch(
      /^v1 {2}until \d{4}-\d\d-\d\d \d\d:\d\d: revise by (shared|local) {2}learning {2}#release\n {4}the/m,
    );

    const { versions, total } = await json("history", `${id}`, "--limit", "1");
    expect({ total, versions }).toMatchObject({ total: 2, versions: [{ version: 2, content: NEW }] });
    expect((await run("history", `${id}`, "--limit", "1")).stdout).toContain("1 more: `--limit`");
  });

  it("still have a history when they are archived", async () => {
    const fact = { entity_name: "acme-api", entity_kind: "project", layer: "context", visibility: "team" };
    const gone = await ask(mcpDoor(agent.client), "chest_remember", { ...fact, content: "soon forgotten" });
    await ask(mcpDoor(agent.client), "chest_forget", { memory_id: gone.memory_id });
    expect((await run("history", `${gone.memory_id}`)).stdout).toMatch(
      /archived, 2 versions[\s\S]*archive \(forget\) by/,
    );
  });

  it("have a history of files: what sessions did to them, and why", async () => {
    const { stdout, exitCode } = await run("history", EDITED, "--project", "*");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/invoice\.py {2}1 edit$/m);
    expect(stdout).toContain("round half up in invoices");
    expect((await run("history", "nowhere/at-all.ts")).stdout).toContain("no edit of it is known");
  });

  it.each([
    [["history", "99999"], "memory 99999 not found"],
    [["history"], "OF"],
    [["history", "1", "--limit", "0"], "limit"],
  ])("are refused with a correct command: %s", async (words, problem) => {
    const { exitCode, stderr, stdout } = await run(...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  it("add up in the statistics", async () => {
    const { counts, layer_breakdown, date_range, ...told } = await json("stats");
    expect(counts).toMatchObject({ memories: expect.any(Number), file_edits: 1, unique_files: 1 });
    expect(counts).toMatchObject({ sessions_seen: 2, consolidations: 0 });
    expect(told).toMatchObject({ pinned: 0, realize_protected: 1, top_files: [{ edits: 1 }] });
    expect(date_range.newest >= date_range.oldest).toBe(true);
    expect(layer_breakdown).toContainEqual({ layer: "realize", c: 1 });
  });

  it("are listed of every project, or of one", async () => {
    const fact = ["the crane lifts on Sundays", "--entity", "crane", "--visibility", "project"];
    const { memory_id } = await json("remember", ...fact, "--project", "host/org/crane");
    const everywhere = await run("list", "--project", "*");
    expect(everywhere).toMatchObject({ exitCode: 0, stderr: "" });
    expect(everywhere.stdout).toMatch(/^crane {2}project {2}1 memory$/m);
    expect(everywhere.stdout).toMatch(/^acme-api {2}project/m);
    expect((await run("list", "--project", "*", "--entity", "crane")).stdout).toContain(
      `#${memory_id}  learning  crane`,
    );
    expect((await run("list", "--project", "host/org/crane", "--hot")).stdout).toContain("lifts on Sundays");
    expect((await run("list", "--project", "host/org/other", "--entity", "crane")).exitCode).toBe(2);
  });

  it("are shown in full by ids with any separator", async () => {
    const { memory_id: other } = await json("remember", "the mill turns at noon", "--entity", "mill");
    for (const words of [[`${id}`, `${other}`], [`#${id},`, `${other}`], [`${id},${other}`]]) {
      const shown = await json("show", ...words);
      expect(shown.memories.map((memory: { id: number }) => memory.id)).toEqual([id, Number(other)]);
    }
  });

  it.skipIf(!hasTerminals)("are a table that fits a real terminal, on which doctor uses colours", async () => {
    await run(
      "remember",
      "the ferry leaves at six",
      "--entity",
      `ferry ${"of the long river ".repeat(5)}`,
      "--kind",
      "concept",
    );
    const lines = (await onTerminal(50, "list")).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    const start = (name: string) => lines.find((line) => line.startsWith(name))?.search(/(concept|project) {2}/);
    expect(start("ferry")).toBeGreaterThan(10);
    expect(start("ferry")).toBe(start("acme-api"));

    expect(await onTerminal(120, "doctor", "client")).toMatch(/\[3[123]m\[(ok|warn|fail)\] client\./);
    expect((await run("doctor", "client")).stdout).not.toContain("[3");
  });

  it("are counted by the status", async () => {
    const { stdout } = await run("status");
    expect(stdout).toMatch(/^memories: [1-9]\d* (that this token opens, \d+ pinned|live, \d+ archived)/m);
    const told = await json("status");
    expect(backend ? told.memories.visible : told.store.live).toBeGreaterThan(0);
  });

  it("are saved as typed, the same words once", async () => {
    const fact = ["the kiln is fired on Fridays", "--entity", "kiln", "--kind", "concept", "--tags", "fire, week"];
    const stored = await run("remember", ...fact, "--layer", "realize", "--importance", "0.8", "--visibility", "team");
    expect(stored).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringMatching(/^#\d+ created\n$/) });
    const saved = Number(/#(\d+)/.exec(stored.stdout)?.[1]);
    expect((await json("show", `${saved}`)).memories).toMatchObject([
      {
        id: saved,
        content: fact[0],
        layer: "realize",
        importance: 0.8,
        entity: { name: "kiln", kind: "concept" },
        tags: ["fire", "week"],
      },
    ]);
    expect((await run("recall", "kiln Fridays")).stdout).toContain("fired on Fridays");
    expect(await json("remember", ...fact, "--layer", "realize", "--visibility", "team")).toMatchObject({
      action: "duplicate",
      memory_id: saved,
    });
  });

  it("are saved from a pipe, without the final line break", async () => {
    const { exitCode, stdout } = await runCli(
      ["remember", "-", "--entity", "kiln", "--json"],
      env,
      folder,
      "glaze it\nthen fire\n",
    );
    expect(exitCode).toBe(0);
    const { memory_id } = JSON.parse(stdout);
    expect((await json("show", `${memory_id}`)).memories).toMatchObject([{ content: "glaze it\nthen fire" }]);
  });

  it.each([
    ["a kind of nothing", ["a fact", "--kind", "person"], /entity_name/],
    ["no words", ["", "--entity", "kiln"], /content/],
    [
      "an importance that is none",
      ["a fact", "--entity", "kiln", "--importance", "2"],
      /`--importance 2` is not a number/,
    ],
  ])("are not saved with %s, which is named", async (_, words, message) => {
    const { exitCode, stdout, stderr } = await run("remember", ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

const line = (type: string, at: string, message: object) =>
  `${JSON.stringify({ type, sessionId: "s-1", uuid: at, timestamp: `2026-03-01T09:${at}:00Z`, cwd: "/src/acme", message })}\n`;

const TRANSCRIPT = [
  line("user", "30", { role: "user", content: "please round half up in invoices, as the accountants want it" }),
  line("assistant", "31", {
    role: "assistant",
    content: [
      {
        type: "tool_use",
        id: "t1",
        name: "Edit",
        input: { file_path: `/src/acme/${EDITED}`, old_string: "round(x)", new_string: "half_up(x)" },
      },
    ],
  }),
].join("");

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openOutboxFolder } from "@chest/client";
import { type FakeBackend, page, refuse, startFakeBackend } from "@chest/client/testing";
import { ChestError } from "@chest/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { captured } from "./testing/captured.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const TOKEN = "t".repeat(32);

let dir: string;
let fake: FakeBackend;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-cli-"));
  fake = await startFakeBackend();
});

const CWD = process.cwd();
afterEach(async () => {
  process.chdir(CWD);
  vi.unstubAllEnvs();
  await fake.stop();
  await rm(dir, { recursive: true });
});

const REMOTE = () => ({ CHEST_MODE: "remote", CHEST_REMOTE_URL: fake.url, CHEST_API_TOKEN: TOKEN });

const environment = (env: Record<string, string>) => ({
  CHEST_DATA_DIR: join(dir, "data"),
  CHEST_ROOTS: dir,
  HOME: dir,
  PATH: process.env.PATH ?? "",
  ...env,
});

/** Runs a command line in this process; a new process is started only by tests that need one. */
async function run(words: string, env: Record<string, string> = {}) {
  vi.stubEnv("HOME", dir);
  process.chdir(dir);
  return captured(words, environment(env));
}

async function runProcess(words: string, env: Record<string, string> = {}, uid?: number) {
  const child = spawn(process.execPath, [MAIN, ...words.split(" ").filter(Boolean)], {
    cwd: dir,
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "", ...environment(env) },
    ...(uid === undefined ? {} : { uid }),
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk));
  const [code] = (await once(child, "close")) as [number];
  return { code, ...printed };
}

const folder = () => openOutboxFolder(join(dir, "data/outbox"));

async function queue(over: { url?: string; tool?: string; member?: string; token?: string } = {}) {
  return folder().add({
    url: fake.url,
    tool: "chest_remember",
    input: { entity_name: "acme", entity_kind: "project", layer: "learning", content: "a stored sentence" },
    key: "key-1",
    request_id: "r-1",
    may_have_arrived: false,
    ...over,
  });
}

it.skipIf(!existsSync("/dev/full"))("says so where its output has no room", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [MAIN, "--help"], { cwd: dir, env: {}, stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk));

  expect(await once(child, "close")).toEqual([2, null]);
  expect(stderr).toMatch(/^chest-index: the output cannot be written: ENOSPC.*\nhint: .*make room.*\n$/);
});

describe("a wrong command line", () => {
  it.each([
    ["", "needs a command", "use one of help, status, up, unarchive, doctor"],
    ["stauts", "unknown command `stauts`", "did you mean `chest-index status`?"],
    ["doctor cleint", "unknown command `cleint`", "did you mean `chest-index doctor client`?"],
    [
      "status --jsno --token-file f",
      "unknown flag `--jsno`",
      "did you mean `chest-index status --json --token-file f`?",
    ],
    [`status --jsno ${"t".repeat(40)}`, "unknown flag `--jsno`", "did you mean `--json`?"],
    ["status now", "unexpected argument `now`", "`chest-index status --help` shows what it takes"],
    ["status --remote-url", "`--remote-url` needs a value", "`chest-index status --help` shows what it takes"],
    ["status --json=1", "`--json` takes no value", "`chest-index status --help` shows what it takes"],
    ["doctor client --timeout soon", "`--timeout soon` is not a number of seconds", "leave it out for the default"],
    ["outbox drop", "`ID` is missing", "`chest-index outbox drop --help` shows what it takes"],
    ["recall", "`QUERY` is missing", "`chest-index recall --help` shows what it takes"],
    ["remember", "`CONTENT` is missing", "`chest-index remember --help` shows what it takes"],
    ["outbox retry", "needs an id or `--all`", "`chest-index outbox list` shows the ids"],
    ["outbox retry 1 --all", "`--all` takes no id", "`chest-index outbox list` shows the ids"],
    ["help stauts", "unknown command `stauts`", "did you mean"],
    ["list --hot --layer goal", "`list` takes one of `--entity`, `--layer`", "`chest-index recall WORDS"],
    ["status --remote-url nonsense", "CHEST_REMOTE_URL", ""],
  ])("`%s` is refused with what to type, and nothing is done", async (words, message, hint) => {
    const { code, stdout, stderr } = await run(words);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    if (hint) expect(stderr).toContain(`hint: ${hint}`);
    if (!words.includes("nonsense")) expect(stderr).toMatch(/^usage: chest-index /m);
    expect(await readdir(dir)).toEqual([]);
  });

  it("prints the usage of a command with a missing argument", async () => {
    const { code, stderr } = await run("restore");
    expect(code).toBe(2);
    expect(stderr).toMatch(/`FILE` is missing\nhint: .+\nusage: chest-index restore \[OPTIONS\] <FILE>\n$/);
  });

  it("has help for every command, and a version", async () => {
    const all = [
      "",
      "status",
      "backup",
      "restore",
      "doctor",
      "doctor client",
      "outbox",
      "outbox list",
      "outbox retry",
      "outbox drop",
    ];
    for (const words of all) {
      const { code, stdout } = await run(`${words} --help`);
      expect(code).toBe(0);
      expect(stdout).toContain(`USAGE ${`chest-index ${words}`.trim()}`);
    }
    for (const words of ["", "doctor client"]) {
      expect(await run(`help ${words}`)).toEqual(await run(`${words} --help`));
    }
    expect((await runProcess("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }, 90_000);
});

describe("status", () => {
  it("describes a backend, and the calls that wait for it", async () => {
    const { queued_at } = await queue();

    const { code, stdout } = await runProcess("status --json", REMOTE());

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      store: {
        where: fake.url,
        api_version: "1.6.0",
        server_version: "0.0.0-fake",
        db: "ok",
        features: ["idempotency"],
        server_has_embedder: false,
      },
      outbox: { entries: 1, oldest_at: queued_at, refused: 0 },
    });
  });

  it("prints text without --json", async () => {
    const { stdout } = await run("status", REMOTE());

    expect(stdout).toContain(`store: ${fake.url}, release 0.0.0-fake, wire 1.6.0\n`);
    expect(stdout).toContain("outbox: empty\n");
  });

  it("prints the error and its hint on stderr, and as the one document", async () => {
    const { code, stdout, stderr } = await runProcess("status --json --remote-url http://127.0.0.1:1");

    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "BACKEND_UNREACHABLE" } });
    expect(stderr).toMatch(
      /^chest-index: no answer from .*\nhint: .*`chest-index doctor client --remote-url .*` tells more\n$/,
    );
  });

  it("creates no store where there is none", async () => {
    const { code, stderr } = await run("status");

    expect(code).toBe(2);
    expect(stderr).toContain("there is no store");
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("doctor client", () => {
  const registered = { mcpServers: { chest: { command: "npx", args: ["--yes", "chest-memory"] } } };
  const well = (over: Record<string, unknown> = {}) =>
    startFakeBackend({ capabilities: { server_has_embedder: true, server_time: new Date().toISOString(), ...over } });
  beforeEach(async () => {
    await fake.stop();
    fake = await well();
    await writeFile(join(dir, ".mcp.json"), JSON.stringify(registered));
  });

  it("is fine when everything is", async () => {
    const { code, stdout } = await run("doctor client", REMOTE());

    const apart = /(\d+) s apart/.exec(stdout)?.[1];
    expect(code).toBe(0);
    expect(stdout).toBe(`chest-index doctor client

[ok] client.mcp.project this folder registers the client
    ${join(dir, ".mcp.json")}
[ok] client.mcp.user an agent of this user finds the client
    this folder registers it, and that is enough
[ok] client.mcp.duplicate it is registered once
    it is
[skip] client.rules.exists the agent has the rules for what to save
    Claude Code is not used on this machine
[skip] client.rules.fresh the rules are this release's
    Claude Code is not used on this machine
[skip] client.skills.chest the agent has the skill
    Claude Code is not used on this machine
[skip] client.local.db the store on this machine can be used
    remote mode: the store is the backend's
[skip] client.local.maintenance the store on this machine is maintained and backed up
    remote mode: the backend maintains its store
[ok] client.network.health the backend answers
    ${fake.url} answers: wire 1.6.0, database ok
[ok] client.network.capabilities the backend accepts this client and its token
    release 0.0.0-fake takes wire 1.5.0 and newer; this client speaks 1.6.0
[skip] client.model.cache the model that embeds here is intact
    the backend embeds; none is needed here
[skip] client.identity this machine's model is the backend's
    the backend names no model
[skip] client.hooks the agent's events recall and save by themselves
    Claude Code is not used on this machine
[skip] client.profile agent, hooks and command line use the same store
    there is no profile: each uses its own settings
[ok] client.token the token is there, and no one else can read it
    from CHEST_API_TOKEN
[skip] client.project the project of this folder is open to the token
    this folder is no project
[ok] client.outbox no write waits for long
    empty
[skip] client.hook_log hooks ran without errors in the last day
    no hook has run yet
[ok] client.clock this clock and the backend's agree
    ${apart} s apart
[ok] client.workspace there is a folder that files may be read from
    ${dir}

Summary: ok=9 warn=0 fail=0 skip=11
Exit code: 0
`);
  });

  it("is one document with --json, with every check and the exit code", async () => {
    const { stdout } = await run("doctor client --json", REMOTE());

    expect(JSON.parse(stdout)).toMatchObject({
      subcommand: "client",
      started_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
      results: [
        { id: "client.mcp.project" },
        { id: "client.mcp.user" },
        { id: "client.mcp.duplicate" },
        { id: "client.rules.exists" },
        { id: "client.rules.fresh" },
        { id: "client.skills.chest" },
        { id: "client.local.db" },
        { id: "client.local.maintenance" },
        {
          id: "client.network.health",
          category: "client.network",
          status: "ok",
          fix_hint: "",
          duration_ms: expect.any(Number),
        },
        { id: "client.network.capabilities" },
        { id: "client.model.cache" },
        { id: "client.identity" },
        { id: "client.hooks" },
        { id: "client.profile" },
        { id: "client.token", category: "client.token" },
        { id: "client.project" },
        { id: "client.outbox" },
        { id: "client.hook_log" },
        { id: "client.clock" },
        { id: "client.workspace" },
      ],
      summary: { ok: 9, warn: 0, fail: 0, skip: 11 },
      exit_code: 0,
    });
  });

  it.each([
    ["a refused token", refuse(401, "UNAUTHORIZED"), "refuses the token from CHEST_API_TOKEN"],
    ["a proxy's page", page(200), "a proxy may be in the way"],
  ])("finds %s", async (_, mishap, message) => {
    fake.meetAlways(mishap);

    const { code, stdout } = await run("doctor client", REMOTE());

    expect(code).toBe(2);
    expect(stdout).toContain(message);
    expect(stdout).not.toContain("fix: curl");
  });

  it("finds a backend that requires a newer client", async () => {
    await fake.stop();
    fake = await well({ min_required_client_version: "9.0.0" });

    const { code, stdout } = await run("doctor client", REMOTE());

    expect(code).toBe(2);
    expect(stdout).toContain("update the client as it was installed; in a clone: `git pull && npm run setup`");
    expect(stdout).not.toContain("npm install");
  });

  it("finds a token that others can read, and one in an agent's settings", async () => {
    const file = join(dir, "token");
    await writeFile(file, TOKEN);
    await chmod(file, 0o644);
    const { CHEST_API_TOKEN: _, ...env } = REMOTE();

    const open = await run("doctor client", { ...env, CHEST_API_TOKEN_FILE: file });
    await chmod(file, 0o600);
    await writeFile(join(dir, ".mcp.json"), JSON.stringify({ ...registered, env: { CHEST_API_TOKEN: TOKEN } }));
    const shown = await run("doctor client", { ...env, CHEST_API_TOKEN_FILE: file });

    expect(open).toMatchObject({ code: 1, stdout: expect.stringContaining(`fix: chmod 600 '${file}'`) });
    expect(shown).toMatchObject({ code: 1, stdout: expect.stringContaining(".mcp.json") });
    expect(shown.stdout).not.toContain(TOKEN);
  });

  it("lists faults first, the worst before the rest", async () => {
    const file = join(dir, "token");
    await writeFile(file, TOKEN, { mode: 0o644 });
    await chmod(file, 0o644);
    await fake.stop();
    const { CHEST_API_TOKEN: _, ...env } = REMOTE();

    const { code, stdout } = await run("doctor client", { ...env, CHEST_API_TOKEN_FILE: file });
    fake = await well();
    const found = [...stdout.matchAll(/^\[(\w+)\] (\S+)/gm)].map(([, status, id]) => `${status} ${id}`);
    expect(code).toBe(2);
    expect(found.slice(0, 3)).toEqual([
      "fail client.network.health",
      "fail client.network.capabilities",
      "warn client.token",
    ]);
    expect(found.slice(3).filter((each) => !/^(ok|skip) /.test(each))).toEqual([]);
    expect(stdout).not.toContain("\u001b");
  });

  it("names calls that wait too long and refused ones", async () => {
    const late = await queue();
    const refused = await queue();
    await folder().update({ ...late, queued_at: new Date(Date.now() - 7_200_000).toISOString() });
    await folder().setAside(refused, new ChestError("REJECTED", "looks pasted"), new Date());

    const { code, stdout } = await run("doctor client", REMOTE());

    expect(code).toBe(1);
    expect(stdout).toContain("[warn] client.outbox");
    expect(stdout).toContain("1 waiting, the oldest since");
    expect(stdout).toContain("1 refused\n    fix: chest-index outbox list\n");
  });

  it("names a waiting call whose file cannot be read, and lists the others", async () => {
    const { id } = await queue();
    await rm(join(dir, `data/outbox/${id}.json`));
    await mkdir(join(dir, `data/outbox/${id}.json`));
    const readable = await queue();

    const doctor = await run("doctor client", REMOTE());
    const list = await run("outbox list");

    expect(doctor.stdout).toContain("[warn] client.outbox");
    expect(doctor.stdout).toContain(`${id}.json\` cannot be read: a folder is where a file should be (EISDIR)`);
    expect(doctor.stdout).toContain(`fix: ls -l '${join(dir, "data/outbox")}'`);
    expect(list).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining(`${readable.id}  waiting`) });
    expect(list.stdout).toMatch(new RegExp(`${id}  unreadable .*UNAVAILABLE: .*EISDIR`));
  });

  it("says so where the outbox is no folder", async () => {
    await mkdir(join(dir, "data"), { recursive: true });
    await writeFile(join(dir, "data/outbox"), "no folder");

    const list = await run("outbox list");

    expect(list).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/ENOTDIR.*\nhint: move away/) });
    expect((await run("doctor client", REMOTE())).stdout).toContain("[fail] client.outbox");
  });

  it.runIf(process.getuid?.() === 0)("names the command that gives a file back to the agent's user", async () => {
    const { id } = await queue();
    await chmod(join(dir, `data/outbox/${id}.json`), 0o600);
    await Promise.all([dir, join(dir, "data"), join(dir, "data/outbox")].map((path) => chmod(path, 0o777)));

    const { code, stdout } = await runProcess("outbox list", {}, 65_534);

    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`${id}  unreadable .*this user is not permitted to \\(EACCES\\)`));
    expect((await runProcess("doctor client", REMOTE(), 65_534)).stdout).toContain(
      `fix: sudo chown -R 65534 '${join(dir, `data/outbox/${id}.json`)}'`,
    );
  });

  it.runIf(process.getuid?.() === 0)("finds an outbox that this user may not write to", async () => {
    await mkdir(join(dir, "data/outbox"), { recursive: true });
    await Promise.all([dir, join(dir, "data")].map((path) => chmod(path, 0o777)));
    await chmod(join(dir, "data/outbox"), 0o555);

    const { stdout } = await runProcess("doctor client", REMOTE(), 65_534);

    expect(stdout).toContain("[fail] client.outbox");
    expect(stdout).toContain(`${join(dir, "data/outbox")}\` cannot be written: this user is not permitted to (EACCES)`);
    expect(stdout).toContain(`fix: sudo chown -R 65534 '${join(dir, "data/outbox")}'`);
  });

  it("skips what a store on this machine does not have", async () => {
    const { stdout } = await run("doctor client");
    expect(stdout).toContain("[ok] client.model.cache the model that embeds here is intact\n    builtin/sentences\n");
    expect(stdout).toContain("Summary: ok=7 warn=0 fail=0 skip=13");
  });

  it.each([
    ["was named", {}, { CHEST_EMBED_MODEL: "Xenova/multilingual-e5-small" }],
    ["is there in part", { "models/Xenova/bge-m3/config.json": "{}" }, { CHEST_EMBED_MODEL: "bge-m3" }],
  ])("reports a missing model that %s", async (_, files, env) => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(dir, "data", file, ".."), { recursive: true });
      await writeFile(join(dir, "data", file), text);
    }
    const { code, stdout } = await run("doctor client", env as Record<string, string>);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\[warn\] client.model.cache .*\n.*is incomplete in .*\n.*\n {4}fix: chest-index fetch-model/,
    );
  });

  it("finds a client that no agent is connected to, one that is registered twice, and settings that are not JSON", async () => {
    const line = async (id: string) => {
      const { results } = JSON.parse((await run("doctor client --json", REMOTE())).stdout);
      return results.find((result: { id: string }) => result.id === id);
    };
    const other = { mcpServers: { chest: { type: "http", url: "https://elsewhere.example/mcp" } } };
    await writeFile(join(dir, ".claude.json"), JSON.stringify(other));
    expect(await line("client.mcp.duplicate")).toMatchObject({
      status: "fail",
      fix_hint: expect.stringContaining("remove"),
    });
    await writeFile(join(dir, ".claude.json"), JSON.stringify(registered));
    expect(await line("client.mcp.duplicate")).toMatchObject({ status: "warn" });
    await rm(join(dir, ".mcp.json"));
    expect(await line("client.mcp.duplicate")).toMatchObject({ status: "ok" });
    await rm(join(dir, ".claude.json"));
    expect(await line("client.mcp.user")).toMatchObject({
      status: "fail",
      message: "no agent of this user registers it",
      fix_hint: expect.stringContaining("chest-index setup"),
    });
    expect(await line("client.mcp.duplicate")).toMatchObject({ status: "skip", message: "it is not registered" });
    await writeFile(join(dir, ".mcp.json"), "{ not json");
    expect(await line("client.mcp.project")).toMatchObject({
      status: "fail",
      message: expect.stringContaining(".mcp.json"),
    });
  }, 60_000);

  const program = join(mkdtempSync(join(tmpdir(), "chest-program-")), "chest-memory.js");
  beforeAll(() => writeFile(program, ""));
  afterAll(() => rm(dirname(program), { recursive: true }));
  const entry = { command: "node", args: [program] };
  it.each([
    ["Claude Code", ".claude.json", JSON.stringify({ mcpServers: { "chest-memory": entry } })],
    ["Codex", ".codex/config.toml", `[mcp_servers.chest-memory]\ncommand = "node"\nargs = ["${entry.args}"]\n`],
    ["Cursor", ".cursor/mcp.json", JSON.stringify({ mcpServers: { "chest-memory": entry } })],
    ["VS Code", ".config/Code/User/mcp.json", JSON.stringify({ servers: { "chest-memory": entry } })],
    ["Gemini CLI", ".gemini/settings.json", JSON.stringify({ mcpServers: { chest: entry } })],
    ["Claude Desktop", ".config/Claude/claude_desktop_config.json", JSON.stringify({ mcpServers: { chest: entry } })],
  ])("finds it where only %s has it, and once", async (agent, file, text) => {
    await rm(join(dir, ".mcp.json"));
    await mkdir(join(dir, file, ".."), { recursive: true });
    await writeFile(join(dir, file), text);

    const theirs = {
      XDG_CONFIG_HOME: join(dir, ".config"),
      CODEX_HOME: join(dir, ".codex"),
      GEMINI_CLI_HOME: dir,
    };
    const { code, stdout } = await run("doctor client", { ...REMOTE(), ...theirs });

    expect(code).toBe(0);
    expect(stdout).toContain(
      `[ok] client.mcp.user an agent of this user finds the client\n    registered with ${agent}\n`,
    );
    expect(stdout).toContain("[ok] client.mcp.duplicate it is registered once\n    it is\n");
  });

  it("finds a clock that is off, and a model other than the backend's", async () => {
    await fake.stop();
    const active = { model: "Xenova/all-MiniLM-L6-v2", revision: "r", dimensions: 384, pooling: "mean" };
    fake = await well({
      server_time: new Date(Date.now() - 600_000).toISOString(),
      embedding: { ready: true, active, accepted: [active] },
    });
    const { code, stdout } = await run("doctor client", { ...REMOTE(), CHEST_EMBED_MODEL: "bge-m3" });
    expect(code).toBe(1);
    expect(stdout).toMatch(/\[warn\] client\.clock .*\n {4}the backend's clock is (59|60)\d s behind this machine's/);
    expect(stdout).toContain("fix: CHEST_EMBED_MODEL=Xenova/all-MiniLM-L6-v2 chest-index fetch-model");
  });

  it("says that nothing is embedded here where that is intended", async () => {
    const { stdout } = await run("doctor client", { CHEST_EMBED_MODEL: "none" });
    expect(stdout).toContain("note: CHEST_EMBED_MODEL is `none`, so nothing is embedded here");
  });

  it("finds a store that cannot be used; the fix repairs it", async () => {
    const data = join(dir, "data");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "chest.db"), "");
    const { stdout } = await run("doctor client");
    expect(stdout).toContain("[fail] client.local.db");
    await rm(join(data, "chest.db"));
    expect((await run("doctor client")).stdout).toContain("[ok] client.local.db");
  });
});

describe("outbox", () => {
  it("lists waiting and refused calls, without content", async () => {
    const waiting = await queue();
    const refused = await queue();
    await folder().setAside(refused, new ChestError("REJECTED", "looks pasted"), new Date());
    await mkdir(join(dir, "data/outbox/refused"), { recursive: true });
    await writeFile(join(dir, "data/outbox/refused/01795302083101-0000-00000000.unreadable"), "torn");

    const { code, stdout } = await run("outbox list --json");

    expect(code).toBe(1);
    expect(stdout).not.toContain("stored sentence");
    expect(JSON.parse(stdout)).toMatchObject(
      [
        { id: "01795302083101-0000-00000000", state: "unreadable" },
        { id: waiting.id, state: "waiting", tool: "chest_remember", url: fake.url },
        { id: refused.id, state: "refused", error: { code: "REJECTED", message: "looks pasted" } },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it("is delivered by any command that reaches the backend, except by those that only show it", async () => {
    await queue();
    await run("status", REMOTE());
    expect(await folder().waiting()).toHaveLength(1);
    const { stderr, stdout } = await run("remember osprey --entity acme", REMOTE());
    expect(`${stdout}${stderr}`).toContain("1 write of the outbox delivered");
    expect(await folder().waiting()).toEqual([]);
  });

  it("shows waiting calls in full, one per line, and sends none of another member", async () => {
    const { id } = await queue({ member: "bob", token: "a digest" });
    const { stdout } = await run("outbox export");
    expect(JSON.parse(stdout)).toMatchObject({
      id,
      member: "bob",
      input: { content: expect.stringContaining("stored sentence") },
    });
    expect(stdout).not.toContain("a digest");
    expect(await run(`outbox retry ${id}`, REMOTE())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("written by `bob`"),
    });
    expect(await folder().waiting()).toEqual([id]);
  });

  it("retries one under its own key, even if it was refused", async () => {
    const waiting = await queue();
    const refused = await queue();
    await folder().setAside(refused, new ChestError("REJECTED", "looks pasted"), new Date());

    expect(await run(`outbox retry ${waiting.id}`, REMOTE())).toMatchObject({
      code: 0,
      stdout: `delivered ${waiting.id}\n`,
    });
    expect(await run(`outbox retry ${refused.id}`, REMOTE())).toMatchObject({ code: 0 });

    expect(fake.calls.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-1", "key-1"]);
    expect(await folder().waiting()).toEqual([]);
    expect(await folder().refused()).toEqual([]);
  });

  it("retries all, oldest first, past one that is refused, and leaves those for another backend", async () => {
    const [first, second, third] = [await queue(), await queue(), await queue()];
    const elsewhere = await queue({ url: "https://other.example" });
    await folder().setAside(second, new ChestError("REJECTED", "looks pasted"), new Date());
    fake.meet(refuse(422, "REJECTED"));

    const { code, stdout } = await run("outbox retry --all", REMOTE());
    expect(code).toBe(1);
    expect(stdout).toContain("delivered 2 of 4\n");
    expect(stdout).toMatch(new RegExp(`^${first.id}  refused  REJECTED: `, "m"));
    expect(stdout).toMatch(new RegExp(`^${elsewhere.id}  other_backend  .*https://other.example`, "m"));
    expect(await folder().waiting()).toEqual([elsewhere.id]);
    expect(await folder().refused()).toEqual([first.id]);
    expect(fake.calls).toHaveLength(3);

    await folder().remove(elsewhere.id);
    const again = await run("outbox retry --all --json", REMOTE());
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({
      delivered: 1,
      left: 0,
      results: [{ id: first.id, outcome: "delivered" }],
    });
    expect(await run("outbox retry --all", REMOTE())).toMatchObject({ code: 0, stdout: "the outbox is empty\n" });
    expect(third.id > first.id).toBe(true);
  });

  it("stops when the backend is away, and says so", async () => {
    await queue();
    await queue();
    await fake.stop();

    const { code, stdout } = await run("outbox retry --all", REMOTE());
    expect({ code, waiting: await folder().waiting() }).toMatchObject({ code: 2, waiting: { length: 2 } });
    expect(stdout).toMatch(/^delivered 0 of 2\n.*unreachable .*\nhint: .*`chest-index doctor client/m);
    fake = await startFakeBackend();
  });

  it("says why a retry failed, and keeps the call", async () => {
    const { id } = await queue();
    fake.meet(refuse(422, "REJECTED"));

    expect(await run(`outbox retry ${id}`, REMOTE())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the backend says REJECTED"),
    });
    expect(await folder().refused()).toEqual([id]);
  });

  it("does not send one to another backend", async () => {
    const { id } = await queue({ url: "https://other.example" });

    const { code, stderr } = await run(`outbox retry ${id}`, REMOTE());

    expect(code).toBe(2);
    expect(stderr).toContain("--remote-url https://other.example` sends it there");
    expect(fake.calls).toHaveLength(0);
  });

  it("drops one for good, and nothing else", async () => {
    const { id } = await queue();
    const other = await queue();

    expect(await run(`outbox drop ${id}`)).toMatchObject({ code: 0, stdout: `dropped ${id}\n` });
    expect(await run(`outbox drop ${id}`)).toMatchObject({ code: 2, stderr: expect.stringContaining("not found") });
    expect(await run("outbox drop ../../secret")).toMatchObject({ code: 2 });
    expect(await folder().waiting()).toEqual([other.id]);
  });
});

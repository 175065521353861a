import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { openOutboxFolder } from "@chest/client";
import { startFakeBackend } from "@chest/client/testing";
import { identityOf } from "@chest/models";
import { FIXTURE_EMBEDDER, FIXTURE_ENV, fixtureModels, OTHER_FIXTURE_ENV, startHub } from "@chest/models/testing";
import { openSqliteEngine } from "@chest/store-sqlite";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ask, restDoor } from "../../support/clients/doors.ts";
import { DoctorTally, type Finding } from "../../support/deployment/doctor-tally.ts";
import { freshHomes } from "../../support/deployment/homes.ts";
import { fakeClaude } from "../../support/deployment/installation.ts";
import { freePort } from "../../support/free-port.ts";

const run = promisify(execFile);

const fresh = freshHomes(async ({ backend, home, tokenFile }) => {
  const { exitCode, stdout } = await home.index(["setup", "--docker", backend.url, "--token-file", tokenFile, "--yes"]);
  expect(exitCode, stdout).toBe(0);
});
const tally = new DoctorTally();

async function doctor(env: NodeJS.ProcessEnv = {}): Promise<readonly Finding[]> {
  const { stdout, exitCode } = await fresh.home.index(["doctor", "client", "--json", "--timeout", "60"], env);
  const { results, summary, exit_code } = JSON.parse(stdout);
  expect(exit_code).toBe(exitCode);
  expect(exit_code).toBe(summary.fail > 0 ? 2 : summary.warn > 0 ? 1 : 0);
  tally.count(results);
  return results;
}
const find = async (id: string, env?: NodeJS.ProcessEnv) => (await doctor(env)).find((finding) => finding.id === id);
const apply = (finding: Finding | undefined, env: NodeJS.ProcessEnv = {}) =>
  run("sh", ["-ec", finding?.fix_hint ?? "false"], { env: { ...fresh.home.env, ...env }, cwd: fresh.home.dir });

/** Starts a backend that the profile does not name. */
const at = (url: string) => ({
  CHEST_MODE: "remote",
  CHEST_REMOTE_URL: url,
  CHEST_API_TOKEN_FILE: fresh.tokenFile,
});

const settings = () => fresh.home.json(".claude", "settings.json");
const launcher = () => fresh.home.path(".chest-memory/bin/chest-node");
const hookFile = () => fresh.home.path(".chest-memory/bin/chest-hook.mjs");
const hookTable = () => fresh.home.path(".chest-memory/bin/terms.table");

/** Runs the doctor in the prepared home of every test. */
let afterSetup: readonly Finding[];
beforeAll(async () => {
  // On a busy machine a hook may be slow enough for a warning.
  await vi.waitFor(
    async () => {
      afterSetup = await doctor();
      expect(afterSetup.find(({ id }) => id === "client.hooks")?.status).toBe("ok");
    },
    { timeout: 100_000, interval: 1000 },
  );
});

it("finds nothing wrong after setup, without a variable about this machine in the environment", () => {
  const amiss = afterSetup.filter(({ status }) => status === "warn" || status === "fail");
  // The warning is about this folder, which is the home itself; the missing model causes none.
  expect(amiss.map(({ id }) => id)).toEqual(["client.workspace"]);
});

describe("a fault, and the fix that is named for it", () => {
  it.each([
    ["no hook is registered", "client.hooks", "warn", () => fresh.home.write(".claude/settings.json", "{}")],
    [
      "one event has none",
      "client.hooks",
      "warn",
      async () => {
        const { hooks } = await settings();
        const { Stop: _, ...rest } = hooks;
        await fresh.home.write(".claude/settings.json", JSON.stringify({ hooks: rest }));
      },
    ],
    [
      "one event has two",
      "client.hooks",
      "fail",
      async () => {
        const { hooks } = await settings();
        const Stop = [...hooks.Stop, { hooks: [{ type: "command", command: "chest-memory-sync" }] }];
        await fresh.home.write(".claude/settings.json", JSON.stringify({ hooks: { ...hooks, Stop } }));
      },
    ],
    [
      "they run two programs",
      "client.hooks",
      "fail",
      async () => {
        const text = await fresh.home.text(".claude/settings.json");
        await fresh.home.write(
          ".claude/settings.json",
          text.replace("chest-hook.mjs stop", "../old/chest-hook.mjs stop"),
        );
      },
    ],
    ["the hook program is gone", "client.hooks", "fail", () => rm(hookFile())],
    ["the hook program is another release's", "client.hooks", "warn", () => appendFile(hookFile(), "// other\n")],
    ["the hooks' table is gone", "client.hooks", "warn", () => rm(hookTable())],
    ["the hooks' table is damaged", "client.hooks", "warn", () => appendFile(hookTable(), "more")],
    ["the rules are gone", "client.rules.exists", "fail", () => rm(fresh.home.path(".claude/rules/chest-memory.md"))],
    [
      "the rules are empty",
      "client.rules.exists",
      "fail",
      () => fresh.home.write(".claude/rules/chest-memory.md", "\n"),
    ],
    [
      "the rules were edited",
      "client.rules.fresh",
      "warn",
      () => appendFile(fresh.home.path(".claude/rules/chest-memory.md"), "- mine\n"),
    ],
    [
      "the skill is gone",
      "client.skills.chest",
      "fail",
      () => rm(fresh.home.path(".claude/skills/chest-memory/SKILL.md")),
    ],
    ["the server is not registered", "client.mcp.user", "fail", () => fresh.home.write(".claude.json", "{}")],
    ["what the server is started with is gone", "client.mcp.user", "fail", () => rm(launcher())],
    ["what the hooks are started with is gone", "client.hooks", "fail", () => rm(launcher())],
    [
      "the token itself is in the agent's configuration",
      "client.token",
      "warn",
      async () => {
        const text = await fresh.home.text(".claude.json");
        const file = JSON.stringify(fresh.home.path(".chest-memory/client-token"));
        const pasted = text.replace(`"CHEST_API_TOKEN_FILE": ${file}`, `"CHEST_API_TOKEN": "${fresh.backend.token}"`);
        await fresh.home.write(".claude.json", pasted);
      },
    ],
    [
      "others can read the token",
      "client.token",
      "warn",
      () => chmod(fresh.home.path(".chest-memory/client-token"), 0o644),
    ],
    [
      "the server goes somewhere else",
      "client.profile",
      "fail",
      async () => {
        const text = await fresh.home.text(".claude.json");
        await fresh.home.write(".claude.json", text.replace(/"CHEST_MODE": "remote"/, '"CHEST_MODE": "local"'));
      },
    ],
    [
      "there is no profile, so hooks go somewhere else than the server",
      "client.profile",
      "fail",
      () => rm(fresh.home.path(".chest-memory/client.json")),
    ],
  ])("%s", async (_, id, status, breakIt) => {
    expect(afterSetup.find((finding) => finding.id === id)?.status).toBe("ok");
    await breakIt();

    const found = await find(id);
    expect(found).toMatchObject({ status });
    await apply(found);

    expect(await find(id)).toMatchObject({ status: "ok", fix_hint: "" });
  });

  it("a hook failed, and said it in its log only", async () => {
    const lineAt = (ms: number, outcome = "sent") =>
      `${new Date(Date.now() - ms).toISOString()} stop session=s1 ms=9 outcome=${outcome}\n`;
    const failed = "failed code=UNAVAILABLE";
    await fresh.home.write(".chest-memory/hook.log", lineAt(2 * 86_400_000, failed) + lineAt(0));
    expect(await find("client.hook_log")).toMatchObject({ status: "ok", message: "1 run, none failed" });

    await fresh.home.write(".chest-memory/hook.log.1", lineAt(60_000, failed));
    const found = await find("client.hook_log");
    expect(found).toMatchObject({
      status: "ok",
      message: expect.stringMatching(/1 of 2 .*`stop`.*: UNAVAILABLE\n.*succeeded/),
    });
    await fresh.home.write(".chest-memory/hook.log", lineAt(60_000) + lineAt(0, failed));
    expect(await find("client.hook_log")).toMatchObject({ status: "warn", fix_hint: "" });
    await fresh.home.write(".chest-memory/hook.log", lineAt(0));
    expect(await find("client.hook_log")).toMatchObject({ status: "ok" });
  });

  it("a write waits for hours; the named list shows it, and it is sent", async () => {
    const { backend, home } = fresh;
    const outbox = openOutboxFolder(home.path(".chest-memory/outbox"));
    const waiting = await outbox.add({
      url: backend.url,
      tool: "chest_remember",
      key: "key-of-yesterday",
      request_id: "r-1",
      input: {
        entity_name: "acme",
        entity_kind: "project",
        layer: "learning",
        content: "the osprey waits on its post",
      },
      may_have_arrived: false,
    });
    await outbox.update({ ...waiting, queued_at: new Date(Date.now() - 7_200_000).toISOString() });

    const found = await find("client.outbox");
    expect(found).toMatchObject({ status: "warn", message: expect.stringContaining("1 waiting") });
    const { stdout } = await apply(found);
    const [id = ""] = stdout.match(/\b\d{14}\S*/) ?? [];
    expect(id).toBe(waiting.id);
    expect((await home.index(["outbox", "retry", id])).stdout).toContain(`delivered ${id}`);

    expect(await find("client.outbox")).toMatchObject({ status: "ok", message: "empty" });
    const { memories } = await ask(restDoor(backend), "chest_recall", { query: "osprey on its post" });
    expect(memories).toHaveLength(1);
  });

  it("the model is missing; the fix downloads it", async () => {
    const hub = await startHub(await fixtureModels());
    try {
      const found = await find("client.model.cache", FIXTURE_ENV);
      expect(found).toMatchObject({ status: "warn", fix_hint: "chest-index fetch-model" });
      await apply(found, { ...FIXTURE_ENV, HF_ENDPOINT: hub.url });
      expect(await find("client.model.cache", FIXTURE_ENV)).toMatchObject({ status: "ok", fix_hint: "" });
    } finally {
      await hub.stop();
    }
  });

  it.each(["chest-memory", "chest"])("the folder registers it as well, as `%s`; the fix removes that", async (name) => {
    await fakeClaude(fresh.home);
    const { mcpServers } = await fresh.home.json(".claude.json");
    const other = { command: "node", args: ["other.js"] };
    await fresh.home.write(".mcp.json", JSON.stringify({ mcpServers: { [name]: mcpServers["chest-memory"], other } }));
    const found = await find("client.mcp.duplicate");
    expect(found).toMatchObject({ status: "warn" });
    await apply(found);
    expect(await find("client.mcp.duplicate")).toMatchObject({ status: "ok", fix_hint: "" });
    expect(await fresh.home.json(".mcp.json")).toEqual({ mcpServers: { other } });
    expect((await fresh.home.json(".claude.json")).mcpServers).toEqual(mcpServers);
  });

  it("the backend is away, which no command on this machine fixes, and it is back", async () => {
    const away = at(`http://127.0.0.1:${await freePort()}`);
    for (const id of ["client.network.health", "client.network.capabilities"]) {
      const found = await find(id, away);
      expect(found).toMatchObject({ status: "fail", message: expect.stringContaining("127.0.0.1"), fix_hint: "" });
      expect(await find(id)).toMatchObject({ status: "ok", fix_hint: "" });
    }
  });

  it("the backend refuses the token, and no other one is available", async () => {
    const wrong = { ...at(fresh.backend.url), CHEST_API_TOKEN: `cht_${"e".repeat(48)}`, CHEST_API_TOKEN_FILE: "" };
    const found = await find("client.network.capabilities", wrong);
    expect(found).toMatchObject({ status: "fail", message: expect.stringContaining("token"), fix_hint: "" });
    expect(await find("client.network.capabilities")).toMatchObject({ status: "ok" });
  });

  /** Writes a member's token into the file that the profile names. */
  async function asMember(member: string, ...flags: string[]): Promise<string> {
    const { token } = JSON.parse(await atStore("token", "create", "--member", member, "--json", ...flags));
    await fresh.home.write(".chest-memory/client-token", `${token}\n`);
    return token;
  }
  /** Runs an admin's command, beside the backend's store. */
  const atStore = async (...words: string[]): Promise<string> => {
    const env = { CHEST_MODE: "local", CHEST_DATA_DIR: fresh.backend.dataDir };
    const { exitCode, stdout, stderr } = await fresh.home.index(words, env);
    expect(exitCode, stderr).toBe(0);
    return stdout;
  };

  it("the project of the folder is closed; the named command opens it, for an admin", async () => {
    await asMember("alice");
    const env = { CHEST_PROJECT: "github.com/acme/closed" };
    expect(await find("client.project", env)).toMatchObject({ status: "ok", message: env.CHEST_PROJECT });
    await atStore("project", "access", env.CHEST_PROJECT, "--to", "members");

    const found = await find("client.project", env);
    expect(found).toMatchObject({ status: "warn", message: expect.stringContaining("is closed to alice") });
    expect(found?.fix_hint).toBe(`chest-index project access ${env.CHEST_PROJECT} --add alice`);
    await apply(found, { CHEST_MODE: "local", CHEST_DATA_DIR: fresh.backend.dataDir });
    expect(await find("client.project", env)).toMatchObject({ status: "ok" });
  });

  it("the token is limited to other projects; the named one is not", async () => {
    await asMember("carol", "--projects", "github.com/acme/one");
    const env = { CHEST_PROJECT: "github.com/acme/two" };
    const found = await find("client.project", env);
    expect(found).toMatchObject({ status: "warn", message: expect.stringContaining("limited to github.com/acme/one") });
    const { stdout } = await apply(found, { CHEST_MODE: "local", CHEST_DATA_DIR: fresh.backend.dataDir });
    const token = /^cht_.*$/m.exec(stdout)?.[0] ?? "";
    await fresh.home.write(".chest-memory/client-token", `${token}\n`);
    expect(await find("client.project", env)).toMatchObject({ status: "ok" });
  });

  it("the token of a member ends soon, and is renewed; it has ended, and the way back is named", async () => {
    await asMember("dora", "--expires", "2d");
    const soon = await find("client.token");
    expect(soon).toMatchObject({ status: "warn", message: expect.stringContaining("it ends at") });
    await apply(soon);
    const id = /^cht_(\d+)_/.exec(await fresh.home.text(".chest-memory/client-token"))?.[1] ?? "";
    await atStore("token", "revoke", id);

    const over = await find("client.network.capabilities");
    expect(over).toMatchObject({ status: "fail", message: expect.stringContaining("has ended, was revoked") });
    expect(over?.message).toContain("chest-index token create --member NAME");
    const file = fresh.home.path("new-token");
    const made = JSON.parse(await atStore("token", "create", "--member", "dora", "--json"));
    await fresh.home.write("new-token", `${made.token}\n`);
    const again = /`(chest-index setup [^`]+)`/.exec(over?.message ?? "")?.[1] ?? "";
    await run("sh", ["-ec", again.replace(/--token-file .*$/, `--token-file ${file}`)], {
      env: fresh.home.env,
      cwd: fresh.home.dir,
    });
    expect(await find("client.network.capabilities")).toMatchObject({ status: "ok" });
  });

  it("the clocks differ; gone when the wrong one is set", async () => {
    const capabilities = { server_time: new Date(Date.now() - 3_600_000).toISOString() };
    const late = await startFakeBackend({ capabilities });
    try {
      const asked = join(fresh.home.root, "asked");
      await fresh.home.program("timedatectl", `#!/bin/sh\necho "$*" >'${asked}'\n`);
      const found = await find("client.clock", at(late.url));
      expect(found).toMatchObject({ status: "warn", message: expect.stringMatching(/3[56]\d\d s behind/) });
      await apply(found);
      expect(await readFile(asked, "utf8")).toBe("set-ntp true\n");
    } finally {
      await late.stop();
    }
    expect(await find("client.clock")).toMatchObject({ status: "ok", fix_hint: "" });
  });

  it("this machine has another model than the backend; the fix downloads the right one", async () => {
    const active = identityOf(FIXTURE_EMBEDDER);
    const { model } = active;
    const backend = await startFakeBackend({
      capabilities: { embedding: { ready: true, active, accepted: [active] } },
    });
    const hub = await startHub(await fixtureModels());
    try {
      const env = at(backend.url);
      const found = await find("client.identity", { ...env, ...OTHER_FIXTURE_ENV });
      expect(found).toMatchObject({ status: "warn", message: expect.stringContaining(model) });
      const { CHEST_EMBED_MODEL: _, ...rest } = FIXTURE_ENV;
      await apply(found, { ...rest, HF_ENDPOINT: hub.url });
      expect(await find("client.identity", { ...env, ...FIXTURE_ENV })).toMatchObject({ status: "ok", message: model });
      expect(await find("client.model.cache", { ...env, ...FIXTURE_ENV })).toMatchObject({ status: "ok" });
    } finally {
      await Promise.all([hub.stop(), backend.stop()]);
    }
  });

  it("no folder may be read; the named setting allows one", async () => {
    await mkdir(fresh.home.path("src"));
    const found = await find("client.workspace");
    expect(found).toMatchObject({ status: "warn", message: expect.stringContaining("too broad") });
    const { stdout } = await apply(found).catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/\[ok\] client\.workspace/);
    const gone = { CHEST_ROOTS: fresh.home.path("no-such") };
    expect(await find("client.workspace", gone)).toMatchObject({
      status: "warn",
      message: expect.stringContaining("no-such"),
    });
    expect(await find("client.workspace", { CHEST_ROOTS: fresh.home.path("src") })).toMatchObject({ status: "ok" });
    expect(await find("client.workspace", { CHEST_ROOTS: "none" })).toMatchObject({ status: "ok" });
  });

  it("the folder's own registration is not JSON; the named command shows where", async () => {
    await fresh.home.write(".mcp.json", '{ "mcpServers": ');
    const found = await find("client.mcp.project");
    expect(found?.status).toBe("fail");
    await expect(apply(found)).rejects.toMatchObject({ stderr: expect.stringContaining("JSON") });
    const { mcpServers } = await fresh.home.json(".claude.json");
    await fresh.home.write(".mcp.json", JSON.stringify({ mcpServers }));
    expect(await find("client.mcp.project")).toMatchObject({ status: "ok", fix_hint: "" });
  });

  it("the store of this machine is empty; the listed backup restores it", async () => {
    const here = { CHEST_MODE: "local" };
    const { home } = fresh;
    await (await openSqliteEngine({ path: home.path(".chest-memory/chest.db") })).close();
    await home.index(["remember", "the osprey is back on its post", "--entity", "acme"], here);
    const { stdout } = await home.index(["backup", "--json"], here);
    const { file } = JSON.parse(stdout) as { file: string };
    expect(await find("client.local.db", here)).toMatchObject({ status: "ok" });
    await truncate(home.path(".chest-memory/chest.db"));
    const found = await find("client.local.db", here);
    expect(found).toMatchObject({ status: "fail", message: expect.stringContaining("is empty") });
    expect((await apply(found, here)).stdout).toContain(file);
    await home.index(["restore", file, "--yes"], here);
    expect(await find("client.local.db", here)).toMatchObject({ status: "ok", fix_hint: "" });
    expect((await home.index(["recall", "osprey", "--json"], here)).stdout).toContain("back on its post");
  });

  it("damaged settings are named, and left alone", async () => {
    await fresh.home.write(".claude/settings.json", '{ "hooks": ');
    const found = await find("client.hooks");
    expect(found).toMatchObject({ status: "fail", message: expect.stringContaining("line 1") });
    await expect(apply(found)).rejects.toMatchObject({ stderr: expect.stringContaining("JSON") });
    expect(await fresh.home.text(".claude/settings.json")).toBe('{ "hooks": ');
  });
});

it("says when the store on this machine was last maintained, and when that is long ago", async () => {
  const here = { CHEST_MODE: "local" };
  const path = fresh.home.path(".chest-memory/chest.db");
  const monthAgo = { now: () => new Date(Date.now() - 30 * 86_400_000) };
  const engine = await openSqliteEngine({ path, clock: monthAgo });
  await engine.lifecycle.journal.end(await engine.lifecycle.journal.begin("start"), "done", []);
  await engine.close();
  const found = await find("client.local.maintenance", here);
  expect(found).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/^maintenance: run 1 .*\nbackups: none/),
  });
  await apply(found, here);
  expect(await find("client.local.maintenance", here)).toMatchObject({ status: "ok" });
});

it("reports sessions that the hooks have not sent yet, and where they are listed", async () => {
  const pending = (days: number) => ({
    session: `s${days}`,
    place: fresh.backend.url,
    keep: [],
    since: new Date(Date.now() - days * 86_400_000).toISOString(),
  });
  const write = (days: number) =>
    fresh.home.write(`.chest-memory/outbox/sessions/s${days}.json`, JSON.stringify(pending(days)));
  await write(1);
  expect(await find("client.outbox")).toMatchObject({
    status: "ok",
    message: expect.stringContaining("not sent yet: 1,"),
  });
  await write(9);
  const found = await find("client.outbox");
  expect(found).toMatchObject({ status: "warn", message: expect.stringContaining("not sent yet: 2,") });
  expect((await apply(found)).stdout).toMatch(/^s9 {2}waiting {2}session {2}[\s\S]*^s1 {2}[\s\S]*chest-index sync/m);
});

it.each([
  ["leaves open where memory is", () => ({})],
  ["spells the address in another way", () => ({ CHEST_MODE: "remote", CHEST_REMOTE_URL: `${fresh.backend.url}/` })],
])("a folder that registers the client too, and %s, names no other store", async (_, env) => {
  const entry = { command: "npx", args: ["chest-memory"], env: env() };
  await fresh.home.write(".mcp.json", JSON.stringify({ mcpServers: { "chest-memory": entry } }));
  expect(await find("client.mcp.duplicate")).toMatchObject({ status: "warn" });
  expect(await find("client.profile")).toMatchObject({ status: "ok" });
});

it("names commands as they can be typed here, even where the shell does not find `chest-index`", async () => {
  await rm(join(fresh.home.bin, "chest-index"));
  await fresh.home.write(".claude/settings.json", "{}");

  const found = await find("client.hooks");
  expect(found?.fix_hint).toBe(`node ${fresh.installation.dist}/chest-index.js install-hooks`);
  await apply(found);

  expect(await find("client.hooks")).toMatchObject({ status: "ok" });
  expect((await fresh.home.index(["setup", "--yes"])).stdout).toContain(
    `chest-index.js setup --remove --client claude-code --yes\``,
  );
  expect((await fresh.home.index(["setup"])).stderr).toMatch(
    /^hint: `\S*node \S+chest-index\.js setup .*--(?:yes|dry-run)`/m,
  );
});

it("checks nothing of Claude Code where that is not used", async () => {
  await rm(fresh.home.path(".claude"), { recursive: true });
  for (const id of ["client.rules.exists", "client.rules.fresh", "client.skills.chest", "client.hooks"]) {
    expect(await find(id)).toMatchObject({ status: "skip", fix_hint: "" });
  }
});

it("has made every check fail, and fixed it, in the tests above", () => {
  expect(tally.known.length).toBeGreaterThan(15);
  tally.expectTried(tally.known);
});

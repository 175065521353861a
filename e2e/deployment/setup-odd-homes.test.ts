import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, symlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { Home, type Installation, install } from "../support/deployment/installation.ts";
import { NODE_24 } from "../support/process.ts";

// The agents with hooks that the home's shell runs, and one more form each of a configuration.
const AGENTS = "claude-code,codex,gemini,copilot,cursor,windsurf,cline,opencode,zed";

let installation: Installation;
let home: Home;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation?.remove());
afterEach(() => home?.remove());

const setup = (...args: readonly string[]) => home.index(["setup", "--yes", "--client", AGENTS, ...args]);

/** Commands of hooks that the agents were told. */
async function hookCommands(): Promise<string[]> {
  const files = Object.values(await home.files());
  const quoted = files.flatMap(({ text }) => text.match(/"(?:\\.|[^"\\])*chest-hook\.mjs(?:\\.|[^"\\])*"/g) ?? []);
  const commands = quoted.map((text) => Buffer.from(JSON.parse(text), "latin1").toString("utf8"));
  return [...new Set(commands.filter((command) => !command.startsWith("& ") && / \w+(?:-\w+)*/.test(command)))];
}

describe("a home with blanks, umlauts and quotes in its name", () => {
  beforeEach(async () => {
    home = await Home.make(installation, "it's Jürgens höme");
  });

  it("is connected with every agent: what they start answers, their hooks run, and all of it is taken out again", async () => {
    const { exitCode, stdout, stderr } = await setup("--local");
    const failures = stdout.split("\n").filter((line) => line.startsWith("failed"));
    expect({ exitCode, stderr, failures }).toEqual({ exitCode: 0, stderr: "", failures: [] });
    expect(stdout).toMatch(/^checked +connection {2}\(\d+ tools\)$/m);

    const { mcpServers } = await home.json(".cursor/mcp.json");
    const { command, args } = mcpServers["chest-memory"];
    const client = await connectStdioClient({ program: { command, args }, cwd: home.dir, env: home.env });
    try {
      const door = mcpDoor(client.client);
      const content = "the umlauts of this home do no harm";
      await ask(door, "chest_remember", { content, entity_name: "home", entity_kind: "other", layer: "learning" });
      expect(await ask(door, "chest_recall", { query: content })).toMatchObject({ count: 1 });
    } finally {
      await client.stop();
    }

    const commands = (await hookCommands()).filter((words) => words.includes("session-start"));
    expect(commands.length).toBeGreaterThanOrEqual(4);
    for (const words of commands) {
      const input = JSON.stringify({
        session_id: "s1",
        hook_event_name: "SessionStart",
        cwd: home.dir,
        source: "startup",
      });
      const { status, stderr: said } = spawnSync("sh", ["-c", words], { env: home.env, input, encoding: "utf8" });
      expect({ words, status, said }).toEqual({ words, status: 0, said: "" });
    }
    const log = await home.text(".chest-memory/hook.log");
    expect(log.match(/ session-start /g)?.length).toBe(commands.length);
    expect(log).not.toContain("failed");

    expect((await home.index(["setup", "--remove", "--yes"])).exitCode).toBe(0);
    // Notes of the hooks stay, like the outbox.
    const left = Object.keys(await home.files()).filter((name) => !name.startsWith(".chest-memory/hooks/"));
    expect(left).toEqual([]);
  });
});

describe("a home that a program syncs with other machines", () => {
  beforeEach(async () => {
    home = await Home.make(installation);
  });

  it("keeps its conflict copies as they are: setup names them, and neither it nor an import reads them", async () => {
    const copies = {
      ".gemini/settings (Anna's conflicted copy 2026-11-02).json": '{ "mcpServers": ',
      ".gemini/settings.sync-conflict-20261102-101112-ABCDEFG.json": '{ "hooks": 1 }',
      ".copilot/hooks/chest-memory (conflicted copy).json": "{}",
    };
    for (const [name, text] of Object.entries(copies)) await home.write(name, text);
    await home.write(".gemini/settings.json", '{ "theme": "dark" }');
    const session = ".claude/projects/acme/0a1b2c3d.jsonl";
    const copy = ".claude/projects/acme/0a1b2c3d.sync-conflict-20261102-101112-ABCDEFG.jsonl";
    const line = { type: "user", sessionId: "0a1b2c3d", cwd: home.dir, timestamp: new Date().toISOString() };
    const text = JSON.stringify({ ...line, message: { role: "user", content: "Always run the smoke test." } });
    for (const name of [session, copy]) await home.write(name, `${text}\n`);

    const { exitCode, stdout } = await setup("--local");

    expect(exitCode).toBe(0);
    for (const name of Object.keys(copies)) expect(stdout).toContain(`skipped    conflict copy  ${home.path(name)}`);
    expect(await home.json(".gemini/settings.json")).toMatchObject({ theme: "dark", mcpServers: expect.anything() });
    const read = await home.index(["import", "--all", "--dry-run"]);
    expect(read.stdout + read.stderr).toMatch(/\b1 session/);
    expect((await setup("--remove")).exitCode).toBe(0);
    for (const [name, before] of Object.entries(copies)) expect(await home.text(name)).toBe(before);
    expect(await home.json(".gemini/settings.json")).toEqual({ theme: "dark" });
  });
});

describe("two agents that share one configuration file by a link", () => {
  beforeEach(async () => {
    home = await Home.make(installation);
  });

  it("are connected by one entry, which goes with the second of them", async () => {
    await home.write(".cursor/mcp.json", '{\n  // of both\n  "mcpServers": {}\n}\n');
    await mkdir(home.path(".config/Claude"), { recursive: true });
    await symlink(home.path(".cursor/mcp.json"), home.path(".config/Claude/claude_desktop_config.json"));
    const both = (...args: readonly string[]) => home.index(["setup", "--yes", ...args]);

    expect((await both("--client", "cursor,claude-desktop", "--local")).exitCode).toBe(0);
    const connected = await home.text(".cursor/mcp.json");
    expect(connected).toContain("// of both");
    expect(connected.match(/"chest-memory"/g)?.length).toBe(1);
    expect((await both("--client", "claude-desktop", "--local")).exitCode).toBe(0);
    expect(await home.text(".cursor/mcp.json")).toBe(connected);

    const first = await both("--remove", "--client", "cursor");
    expect(first.stdout).toMatch(/^unchanged +server for cursor .*\(Claude Desktop reads the same file\)$/m);
    expect(await home.text(".cursor/mcp.json")).toBe(connected);
    expect((await both("--remove", "--client", "claude-desktop,cursor")).exitCode).toBe(0);
    expect(await home.text(".cursor/mcp.json")).not.toContain("chest");
    expect((await lstat(home.path(".config/Claude/claude_desktop_config.json"))).isSymbolicLink()).toBe(true);
  });
});

describe("an agent that an update has moved to other files", () => {
  beforeEach(async () => {
    home = await Home.make(installation);
  });

  it("is connected in its new file by the next setup, and both files are cleaned by a removal", async () => {
    await home.write(".codeium/windsurf/mcp_config.json", '{ "mcpServers": { "mine": { "command": "mine" } } }');
    const windsurf = (...args: readonly string[]) => home.index(["setup", "--yes", "--client", "windsurf", ...args]);
    expect((await windsurf("--local")).exitCode).toBe(0);
    expect(await home.text(".codeium/windsurf/mcp_config.json")).toContain("chest-memory");
    // The update makes its new folder and starts without servers.
    await home.write(".config/devin/mcp_config.json", "{}");

    expect((await windsurf("--local")).exitCode).toBe(0);
    expect(await home.text(".config/devin/mcp_config.json")).toContain("chest-memory");

    expect((await windsurf("--remove")).exitCode).toBe(0);
    expect(await home.text(".config/devin/mcp_config.json")).not.toContain("chest");
    expect(await home.json(".codeium/windsurf/mcp_config.json")).toEqual({
      mcpServers: { mine: { command: "mine" } },
    });
  });
});

describe("a setup that is cut off in the middle", () => {
  beforeEach(async () => {
    home = await Home.make(installation);
  });

  const contents = async () =>
    Object.fromEntries(Object.entries(await home.files()).map(([name, { mode, text }]) => [name, `${mode} ${text}`]));

  it.each([250, 500, 800, 1200])("after %i ms leaves whole files, and is finished by the next one", async (ms) => {
    await mkdir(home.path(".config/zed"), { recursive: true });
    await home.write(".config/zed/settings.json", '{\n  // mine\n  "theme": "dark"\n}\n');
    const killed = spawn(
      NODE_24,
      [`${installation.dist}/chest-index.js`, "setup", "--yes", "--client", AGENTS, "--local"],
      {
        cwd: home.dir,
        env: home.env,
        stdio: "ignore",
      },
    );
    const closed = once(killed, "close");
    await sleep(ms);
    killed.kill("SIGKILL");
    await closed;
    // The user's file is the old one or the new one.
    const zed = await home.text(".config/zed/settings.json");
    expect(zed).toContain("// mine");
    if (zed.includes("chest-memory")) expect(zed).toContain("chest-memory.js");

    expect(await setup("--local")).toMatchObject({ exitCode: 0, stderr: "" });
    const after = await contents();
    expect(await setup("--local")).toMatchObject({ exitCode: 0 });
    expect(await contents()).toEqual(after);
    expect(await home.index(["setup", "--remove", "--yes"])).toMatchObject({ exitCode: 0 });
    const left = Object.keys(await home.files()).filter((name) => !name.endsWith(".tmp"));
    expect(left).toEqual([".config/zed/settings.json"]);
    expect(await home.text(".config/zed/settings.json")).toBe('{\n  // mine\n  "theme": "dark"\n}\n');
  });
});

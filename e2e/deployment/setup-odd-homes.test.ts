import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
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

import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { type Clone, makeBareClone, makeClone } from "../support/deployment/clone.ts";
import { runDocumentedCommands } from "../support/deployment/documented-commands.ts";
import { configurationsIn, launcherOf, type NpmStart, npmStart, processesIn } from "../support/deployment/npm-start.ts";
import { freePort } from "../support/free-port.ts";
import { cleanEnv, NODE_24 } from "../support/process.ts";
import { report } from "../support/report.ts";
import { hasProgram } from "../support/requirements.ts";

const hasNamespaces = hasProgram("namespaces");
const READY = "Ctrl-C stops it";
const A_FACT = { entity_name: "acme-api", entity_kind: "project", layer: "learning", visibility: "team" };

describe("`npm start` in a clone where nothing is installed, with an empty HOME", () => {
  let clone: Clone;
  let home: string;
  let started: NpmStart | undefined;

  beforeAll(() => {
    clone = makeBareClone();
    home = mkdtempSync(join(tmpdir(), "chest-home-"));
  });
  afterEach(async () => {
    started?.terminate();
    await started?.ended();
  });
  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
    clone.remove();
  });

  async function startOnce(inside?: readonly string[]): Promise<NpmStart> {
    started = npmStart(clone.dir, { HOME: home, CHEST_PORT: String(await freePort()) }, inside);
    await started.printed(READY, 240_000);
    return started;
  }
  const run = (line: string) =>
    promisify(execFile)("sh", ["-ec", line], { cwd: clone.dir, env: cleanEnv({ HOME: home }) });

  it("keeps only what a backend and its clients need, and prints its steps", async () => {
    const { output } = await startOnce();
    expect(output()).toMatch(/^chest: building the backend/m);
    // Waits for the build of the clients.
    const { stdout } = await run("npm run -s chest-index -- status");
    expect(stdout).toContain("0 live");
    // The page is built last, and its packages are removed then.
    const isBuilt = () =>
      existsSync(join(clone.dir, "apps/web/dist/index.html")) && !existsSync(join(clone.dir, ".launcher"));
    await expect.poll(isBuilt, { timeout: 200_000, interval: 500 }).toBe(true);

    const { stdout: used } = await run(`du --summarize --total --block-size=1M '${clone.dir}' '${home}' | tail -n 1`);
    report("a first `npm start`, on disk", { MB: Number.parseInt(used, 10) });
    // The sentence model of 24 MB is there three times: in the sources, beside the backend and beside the clients.
    expect(Number.parseInt(used, 10)).toBeLessThan(180);
    const { stdout: names } = await run(
      "find . -name '*onnxruntime*' -o -name vitest -o -name '*biome*' -path '*modules*'",
    );
    expect(names).toBe("");
    expect(existsSync(join(clone.dir, ".launcher"))).toBe(false);
  }, 300_000);

  it.skipIf(!hasNamespaces)("starts again with no network at all (needs root for a namespace)", async () => {
    const { output } = await startOnce(["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]);
    expect(output()).not.toContain("chest: making");
  });
});

describe("`npm start` in a clone, with an empty HOME", () => {
  let clone: Clone;
  let home: string;
  let port: number;
  let running: NpmStart[];

  beforeAll(() => {
    clone = makeClone();
  }, 180_000);
  afterAll(() => clone.remove());
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "chest-home-"));
    port = await freePort();
    running = [];
  });
  afterEach(async () => {
    for (const start of running) {
      start.terminate();
      await start.ended();
    }
    rmSync(home, { recursive: true, force: true });
  });

  const start = (inside?: readonly string[]) => {
    const started = npmStart(clone.dir, { HOME: home, CHEST_PORT: String(port) }, inside);
    running.push(started);
    return started;
  };
  const health = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );

  it("prints its address and how to connect, and both ways work", async () => {
    const started = start();
    await started.printed(READY);
    const dataDir = join(home, ".chest-memory");
    expect(started.output()).toContain(`http://127.0.0.1:${port}`);
    expect(started.output()).toContain(dataDir);
    expect(statSync(join(dataDir, "token")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);

    const [stdio, http] = configurationsIn(started.output());
    const token = readFileSync(join(dataDir, "token"), "utf8").trim();
    expect(started.output()).not.toContain(token);
    const { stdout } = await promisify(execFile)("sh", ["-c", http.headersHelper]);
    const headers = { ...http.headers, ...JSON.parse(stdout) };
    expect(headers.Authorization).toBe(`Bearer ${token}`);
    const beside = new StdioClientTransport({
      command: stdio.command,
      args: stdio.args,
      env: { ...stdio.env, HOME: home },
      stderr: "ignore",
    });
    const over = new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } });
    const [first, second] = [new Client({ name: "a", version: "1" }), new Client({ name: "b", version: "1" })];
    await Promise.all([first.connect(beside), second.connect(over)]);
    const content = "what one agent remembers, the other finds";
    await ask(mcpDoor(first), "chest_remember", { ...A_FACT, content });
    expect((await ask(mcpDoor(second), "chest_recall", { query: "agent finds" })).memories).toMatchObject([
      { content },
    ]);
    await Promise.all([first.close(), second.close()]);
  });

  it("connects an agent with the one command that it prints, including hooks", async () => {
    const started = start();
    await started.printed(READY);
    const [, command = ""] = /^ {2}(npm run setup .+)$/m.exec(started.output()) ?? [];
    const env = cleanEnv({ HOME: home, CLAUDE_CONFIG_DIR: undefined });
    const run = (line: string) => promisify(execFile)("sh", ["-ec", line], { cwd: clone.dir, env });

    const { stdout } = await run(`${command} --yes`);

    expect(stdout).toMatch(/^checked +connection {2}\(\d+ tools\)$/m);
    expect(stdout).toContain("undo it with `npm run setup -- --remove --client claude-code --yes`");
    const { hooks } = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
    expect(Object.keys(hooks)).toEqual(expect.arrayContaining(["SessionStart", "UserPromptSubmit", "Stop"]));
    const { mcpServers } = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
    expect(mcpServers["chest-memory"].env.CHEST_REMOTE_URL).toBe(`http://127.0.0.1:${port}`);
    await run("npm run setup -- --remove --yes");
    expect(existsSync(join(home, ".claude/skills/chest-memory"))).toBe(false);
    expect(existsSync(join(home, ".chest-memory/chest.db"))).toBe(true);
  }, 60_000);

  it("passes every command of the documents as written", async () => {
    const started = start();
    await started.printed(READY);

    const outcomes = await runDocumentedCommands({ clone: clone.dir, home, port });

    expect(outcomes.filter(({ isUnderstood }) => !isUnderstood)).toEqual([]);
    const ran = outcomes.map(({ command }) => command);
    expect(ran.length).toBeGreaterThan(50);
    expect(ran).toEqual(expect.arrayContaining(["npm run setup", "chest-index backup", "chest-index webhooks list"]));
    expect(existsSync(join(home, ".claude/skills/chest-memory"))).toBe(false);
  }, 300_000);

  it("runs TypeScript with its own Node, whichever Node npm has", async () => {
    const { scripts } = JSON.parse(readFileSync(join(clone.dir, "package.json"), "utf8"));
    // These programs are for developers, whose packages include Node 24.
    const forDevelopers = [
      "screenshots",
      "packages",
      "page-figures",
      "moving-picture",
      "first-minutes",
      "docs",
      "pictures",
    ];
    const others = Object.keys(scripts).filter((name) => !forDevelopers.includes(name));
    for (const name of others) expect(scripts[name]).not.toMatch(/^node .*\.ts$/);
    const options = { cwd: clone.dir, env: cleanEnv({ HOME: home }) };
    const { stderr } = await promisify(execFile)("npm", ["run", "-s", "eval", "--", "--help"], options);
    expect(stderr).toContain("usage: npm run eval");
  });

  it("answers within three seconds from the second start on, with the same token", async () => {
    const first = start();
    await first.printed(READY);
    first.terminate();
    await first.ended();
    const token = readFileSync(join(home, ".chest-memory/token"), "utf8");
    const tookMs: number[] = [];
    // Takes the best of three, since the machine may be busy.
    while (tookMs.length < 3 && !tookMs.some((ms) => ms < 3000)) {
      const startedAt = performance.now();
      const again = start();
      while (!(await health())) await sleep(10);
      tookMs.push(Math.round(performance.now() - startedAt));
      await again.printed(READY);
      again.terminate();
      await again.ended();
    }
    report("second `npm start` to /healthz", { ms: tookMs.join(" ") });
    expect(Math.min(...tookMs)).toBeLessThan(3000);
    expect(readFileSync(join(home, ".chest-memory/token"), "utf8")).toBe(token);
  }, 120_000);

  it.skipIf(!hasNamespaces)("starts with no network at all (needs root for a namespace)", async () => {
    const started = start(["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]);
    await started.printed(READY);
    const look = `fetch("http://127.0.0.1:${port}/healthz").then(({ status }) => console.log(status))`;
    const within = ["-t", String(started.process.pid), "-n", NODE_24, "-e", look];
    expect((await promisify(execFile)("nsenter", within)).stdout.trim()).toBe("200");
    expect(await health()).toBe(false);
  });

  it.each(["terminate", "interrupt"] as const)("ends with everything it started on %s", async (how) => {
    const started = start();
    await started.printed(READY);
    expect(processesIn(clone.dir).length).toBeGreaterThan(0);
    started[how]();
    await started.ended();
    // A terminated npm ends before its launcher does.
    for (let waits = 0; waits < 100 && processesIn(clone.dir).length > 0; waits++) await sleep(100);
    expect(processesIn(clone.dir)).toEqual([]);
    expect(await health()).toBe(false);
  });

  it("ends when the launcher is killed", async () => {
    const started = start();
    await started.printed(READY);
    process.kill(launcherOf(clone.dir), "SIGKILL");
    await expect.poll(() => processesIn(clone.dir), { timeout: 10_000 }).toEqual([]);
    expect(await health()).toBe(false);
  });

  it("says so when the port is taken, and ends", async () => {
    const holder = createServer().listen(port, "127.0.0.1");
    await once(holder, "listening");
    const started = start();
    expect(await started.ended()).toBe(1);
    holder.close();
    expect(started.output()).toContain(`port ${port} is in use`);
    expect(started.output()).toMatch(/^hint: .*CHEST_PORT/m);
    expect(started.output()).not.toMatch(/^\s+at .+:\d+:\d+/m);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { type Clone, makeBareClone } from "../support/deployment/clone.ts";
import { Home, type Installation, install } from "../support/deployment/installation.ts";
import { type InterceptingProxy, startInterceptingProxy } from "../support/deployment/intercepting-proxy.ts";
import { type NpmStart, npmStart } from "../support/deployment/npm-start.ts";
import { freePort } from "../support/free-port.ts";
import { hasProgram } from "../support/requirements.ts";

const HOST = "chest.example.test";
const REGISTRY = "registry.npmjs.org";

describe.skipIf(!hasProgram("openssl"))("behind a proxy that signs for every host with an authority of its own", () => {
  let dir: string;
  let backend: Backend;
  let proxy: InterceptingProxy;
  let installation: Installation;
  let home: Home;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-authority-"));
    [backend, installation] = await Promise.all([startBackend(), install()]);
    proxy = await startInterceptingProxy(dir, [HOST, REGISTRY], { [HOST]: backend.url });
    writeFileSync(join(dir, "token"), backend.token, { mode: 0o600 });
  });
  afterEach(() => home?.remove());
  afterAll(async () => {
    await proxy?.stop();
    await backend?.stop();
    await installation?.remove();
    await rm(dir, { recursive: true, force: true });
  });

  const behind = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    HTTPS_PROXY: proxy.url,
    NO_PROXY: undefined,
    no_proxy: undefined,
    NODE_EXTRA_CA_CERTS: undefined,
    ...more,
  });
  const setup = (args: readonly string[], env: NodeJS.ProcessEnv) =>
    home.index(["setup", "--docker", `https://${HOST}`, "--token-file", join(dir, "token"), "--yes", ...args], env);

  it("setup writes nothing and names the mend, as long as the authority is unknown", async () => {
    home = await Home.make(installation);
    const { exitCode, stderr } = await setup(["--client", "gemini"], behind());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/--ca-file|CHEST_CA_FILE/);
    expect(await home.files()).toEqual({});
  });

  it.each([
    ["--ca-file", () => ["--ca-file", proxy.caFile], () => behind()],
    ["NODE_EXTRA_CA_CERTS", () => [], () => behind({ NODE_EXTRA_CA_CERTS: proxy.caFile })],
  ] as const)("setup, client and hooks work with %s", async (_, args, env) => {
    home = await Home.make(installation);
    const { exitCode, stdout, stderr } = await setup(["--client", "gemini", ...args()], env());
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^checked +connection {2}\(\d+ tools\)$/m);

    const { mcpServers, hooks } = await home.json(".gemini/settings.json");
    const entry = mcpServers["chest-memory"];
    const client = await connectStdioClient({
      program: { command: entry.command, args: entry.args },
      cwd: home.dir,
      env: { ...home.env, ...env(), ...entry.env },
    });
    const content = `the smoke test runs before a deploy, said behind a proxy ${args().length}`;
    try {
      const fact = { content, entity_name: "acme", entity_kind: "project", layer: "learning", visibility: "team" };
      await ask(mcpDoor(client.client), "chest_remember", fact);
    } finally {
      await client.stop();
    }

    const [{ command }] = hooks.BeforeAgent[0].hooks;
    const input = JSON.stringify({
      session_id: `s${args().length}`,
      hook_event_name: "BeforeAgent",
      cwd: home.dir,
      prompt: "when does the smoke test run before a deploy?",
    });
    const hook = spawn("sh", ["-c", command], { env: { ...home.env, ...env(), CHEST_HOOK_BUDGET_MS: "20000" } });
    hook.stdin.end(input);
    const [shown, refused, [status]] = await Promise.all([text(hook.stdout), text(hook.stderr), once(hook, "close")]);
    expect({ status, refused }).toEqual({ status: 0, refused: "" });
    expect(shown).toContain("the smoke test runs before a deploy");
    expect(await home.text(".chest-memory/hook.log")).not.toContain("failed");
    expect(proxy.asked).toContain(`${HOST}:443`);
  });

  describe("`npm start` of a fresh clone", () => {
    let clone: Clone;
    let emptyHome: string;
    let started: NpmStart | undefined;

    beforeAll(() => {
      clone = makeBareClone();
      emptyHome = mkdtempSync(join(tmpdir(), "chest-home-"));
    });
    afterEach(async () => {
      started?.terminate();
      await started?.ended();
    });
    afterAll(() => {
      clone?.remove();
      rmSync(emptyHome, { recursive: true, force: true, maxRetries: 20 });
    });

    const start = async (env: NodeJS.ProcessEnv) => {
      started = npmStart(clone.dir, { HOME: emptyHome, CHEST_PORT: String(await freePort()), ...env });
      return started;
    };

    it("says what is in the way, as long as the authority is unknown", async () => {
      const { ended, output } = await start(behind());
      expect(await ended(120_000)).toBe(1);
      expect(output()).toMatch(/certificate/i);
      expect(output()).toMatch(/^hint: .*`cafile`.*`\.npmrc`/m);
      expect(output()).not.toMatch(/^\s+at .+:\d+:\d+/m);
    }, 150_000);

    it("fetches what it needs with the proxy and the `cafile` of npm's own settings", async () => {
      writeFileSync(join(emptyHome, ".npmrc"), `https-proxy=${proxy.url}\ncafile=${proxy.caFile}\n`);
      const { printed } = await start({ ...behind(), HTTPS_PROXY: undefined });
      await printed("Chest is running", 240_000);
      expect(proxy.asked).toContain(`${REGISTRY}:443`);
      expect(readFileSync(join(clone.dir, "apps/server/dist/quickstart.js"), "utf8")).toContain("quickstart");
    }, 300_000);
  });
});

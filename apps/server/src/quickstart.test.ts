import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRunning } from "@chest/runtime/running-backend";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it, vi } from "vitest";
import { aFolder, aPort, start } from "./testing/process.ts";
import { TOKEN } from "./testing/token.ts";

// The tests start processes, on a machine that runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000 });

const QUICKSTART = fileURLToPath(new URL("./quickstart.ts", import.meta.url));

interface Configuration {
  readonly mcpServers: { readonly "chest-memory": Readonly<Record<string, unknown>> };
}

const configurationsOn = (screen: string): Readonly<Record<string, unknown>>[] =>
  [...screen.matchAll(/^\{[\s\S]*?^\}/gm)].map(
    ([json]) => (JSON.parse(json) as Configuration).mcpServers["chest-memory"],
  );

async function anEnvironment() {
  const dataDir = join(aFolder(), "data");
  const port = await aPort();
  return { dataDir, url: `http://127.0.0.1:${port}`, env: { CHEST_PORT: String(port), CHEST_DATA_DIR: dataDir } };
}

it("makes a token once and prints two configurations that work as they are", async () => {
  const { env, dataDir, url } = await anEnvironment();
  const first = start("quickstart", env);
  const screen = await first.has("Ctrl-C stops it.");
  const file = join(dataDir, "token");
  const token = readFileSync(file, "utf8").trim();
  const [stdio, http] = configurationsOn(screen);

  expect(screen).toContain(url);
  expect(screen).toContain(dataDir);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(stdio).toMatchObject({
    command: process.execPath,
    args: [expect.stringMatching(/\/apps\/mcp\/dist\/chest-memory\.js$/)],
    env: { CHEST_MODE: "remote", CHEST_REMOTE_URL: url, CHEST_API_TOKEN_FILE: file },
  });
  const link = /#\/sign-in\?link=(cht_\S+)/.exec(screen)?.[1];
  const signIn = (headers: Record<string, string>) =>
    fetch(`${url}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ link }),
    });
  expect(await (await signIn({ origin: url })).json()).toMatchObject({ member: "local" });

  const place = { "X-Chest-Project": "", "X-Chest-Session": "" };
  expect(http).toEqual({
    type: "http",
    url: `${url}/mcp`,
    headers: place,
    headersHelper: expect.stringContaining(file),
  });
  const headers = JSON.parse(execFileSync("sh", ["-c", String(http?.headersHelper)], { encoding: "utf8" }));
  expect(headers).toEqual({ Authorization: `Bearer ${token}` });

  const client = new Client({ name: "an-agent", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(String(http?.url)), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();

  expect(readRunning(dataDir)?.url).toBe(url);
  first.stop("SIGINT");
  expect(await first.ended).toBe(0);
  expect(readRunning(dataDir)?.url).toBe(undefined);
  expect(first.output.stderr).toBe("");

  const second = start("quickstart", env);
  await second.has("Ctrl-C stops it.");
  expect(readFileSync(file, "utf8").trim()).toBe(token);
  for (const { output } of [first, second]) expect(output.stdout + output.stderr).not.toContain(token);
});

it("shuts down in order when its parent process is gone", async () => {
  const { env, dataDir, url } = await anEnvironment();
  // The system closes the parent's end of the channel whenever the parent ends.
  const server = spawn(process.execPath, [QUICKSTART], {
    env: { PATH: process.env.PATH ?? "", HOME: aFolder(), ...env },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await expect
    .poll(
      () =>
        fetch(`${url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200);

  server.disconnect();

  expect(await once(server, "exit")).toEqual([0, null]);
  // An empty write-ahead log shows that the store was closed.
  expect(existsSync(join(dataDir, "chest.db-wal"))).toBe(false);
});

it("makes no token when one is set", async () => {
  const { env, dataDir } = await anEnvironment();
  const server = start("quickstart", { ...env, CHEST_API_TOKEN: TOKEN });
  const screen = await server.has("Ctrl-C stops it.");
  const [stdio, http] = configurationsOn(screen);

  expect(existsSync(join(dataDir, "token"))).toBe(false);
  expect(stdio?.env).toMatchObject({ CHEST_API_TOKEN: expect.stringMatching(/^\$\{CHEST_API_TOKEN\}$/) });
  expect(http?.headers).toMatchObject({ Authorization: expect.stringMatching(/^Bearer \$\{CHEST_API_TOKEN\}$/) });
  expect(screen).not.toContain(TOKEN);
});

it.each([
  ["that nobody reads", "pipe" as const],
  ["that has no room", "/dev/full"],
])("answers with a screen %s, and ends when asked to", async (_, to) => {
  if (to !== "pipe" && !existsSync(to)) return;
  const { env, url } = await anEnvironment();
  const screen = to === "pipe" ? to : openSync(to, "w");
  const server = spawn(process.execPath, [QUICKSTART], {
    env: { PATH: process.env.PATH ?? "", HOME: aFolder(), CHEST_LOG_LEVEL: "info", ...env },
    stdio: ["ignore", screen, screen],
  });
  if (typeof screen === "number") closeSync(screen);
  server.stdout?.destroy();
  server.stderr?.destroy();
  const health = async () => (await fetch(`${url}/healthz`)).status;
  try {
    await expect.poll(() => health().catch(() => 0), { timeout: 20_000 }).toBe(200);
    // Waits for the output about connecting an agent, and for the log.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await health()).toBe(200);
  } finally {
    server.kill("SIGTERM");
  }
  expect(await once(server, "exit")).toEqual([0, null]);
});

it("listens on this machine only, unless told otherwise", async () => {
  const { env, url } = await anEnvironment();
  const server = start("quickstart", { ...env, CHEST_LOG_LEVEL: "info" });
  await server.has("Ctrl-C stops it.");

  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(() => server.output.stderr).toContain(`"url":"${url}"`);
});

it("makes nothing when the configuration is wrong", async () => {
  const { env, dataDir } = await anEnvironment();
  const server = start("quickstart", { ...env, CHEST_FUSION: "magic" });

  expect(await server.ended).toBe(1);
  expect(server.output.stderr).toContain("CHEST_FUSION");
  expect(existsSync(dataDir)).toBe(false);
});

it("names the variable when its port is taken", async () => {
  const { env } = await anEnvironment();
  const first = start("quickstart", env);
  await first.has("Ctrl-C stops it.");
  const second = start("quickstart", { ...env, CHEST_DATA_DIR: join(aFolder(), "other") });

  expect(await second.ended).toBe(1);
  expect(second.output.stderr).toMatch(/^chest: port \d+ is in use.*\nhint: .*CHEST_PORT/);
});

it("says at a second start that this folder's backend is running, and prints a link that signs in", async () => {
  const { env, url } = await anEnvironment();
  const first = start("quickstart", env);
  await first.has("Ctrl-C stops it.");
  const { CHEST_PORT: _, ...elsewhere } = env;
  const second = start("quickstart", elsewhere);
  const screen = await second.has("#/sign-in?link=");
  expect(screen).toContain(`the backend of this folder is running already: ${url}`);
  const link = /#\/sign-in\?link=(cht_\S+)/.exec(screen)?.[1];
  const signedIn = await fetch(`${url}/api/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ link }),
  });
  expect(await signedIn.json()).toMatchObject({ member: "local" });
}, 120_000);

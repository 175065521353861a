import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { hasNginx, startTlsProxy } from "../support/deployment/nginx.ts";
import { findNode, type Installed, installPublished } from "../support/deployment/published.ts";
import { freePort } from "../support/free-port.ts";
import { hasChromium, openBrowser, openPage } from "../support/page/browser.ts";
import { cleanEnv, NODE_24, ROOT, startProgram, waitUntilReady } from "../support/process.ts";

const run = promisify(execFile);
const A_FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "realize",
  content: "acme-api deploys through the blue queue, never past it",
};

let dir: string;
let made: string;
let backend: Backend;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-packages-"));
  made = join(dir, "made");
  [backend] = await Promise.all([
    startBackend(),
    run(NODE_24, [join(ROOT, "deploy/packages/make.ts"), made], { cwd: ROOT, env: cleanEnv({}) }),
  ]);
  await writeFile(join(dir, "token"), backend.token);
}, 240_000);
afterAll(async () => {
  await backend?.stop();
  await rm(dir, { recursive: true, force: true });
});

const json = async (...path: string[]) => JSON.parse(await readFile(join(made, ...path), "utf8"));

/** Replaces settings in an entry, as an agent does once its user has typed them in. */
function filledIn<T>(manifest: T, values: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(manifest).replace(/\$\{([\w.]+)\}/g, (whole, name: string) => values[name] ?? whole);
  return JSON.parse(text);
}

async function remembersBy(entry: { command: string; args: string[]; env: Record<string, string> }) {
  expect(entry.command).toBe("node");
  const program = { command: NODE_24, args: entry.args };
  const { client, stop } = await connectStdioClient({
    program,
    env: { ...entry.env, CHEST_DATA_DIR: join(dir, "data") },
  });
  const door = mcpDoor(client);
  const { memory_id: id } = await ask(door, "chest_remember", A_FACT);
  const recalled = await ask(door, "chest_recall", { query: "blue queue" });
  await stop();
  // A memory with the same words that another package saved counts as this one.
  const { memories } = recalled as { memories: readonly { id: number; near_duplicates?: readonly number[] }[] };
  expect(memories.flatMap((memory) => [memory.id, ...(memory.near_duplicates ?? [])])).toContain(id);
}

describe("the plugin for Claude Code", () => {
  const plugin = () => join(made, "claude-code/chest-memory");
  const settings = () => ({
    CLAUDE_PLUGIN_ROOT: plugin(),
    "user_config.address": backend.url,
    "user_config.token_file": join(dir, "token"),
  });

  it("is in its marketplace, with its skill, and asks for the address and the token's file", async () => {
    const { plugins } = await json("claude-code/.claude-plugin/marketplace.json");
    expect(plugins).toMatchObject([{ name: "chest-memory", source: "./chest-memory" }]);
    const { userConfig } = await json("claude-code/chest-memory/.claude-plugin/plugin.json");
    // Claude Code does not load a plugin with an unknown key in an option.
    const known = ["type", "title", "description", "required", "default", "sensitive", "multiple", "min", "max"];
    for (const option of Object.values(userConfig as Record<string, object>))
      expect(Object.keys(option).filter((key) => !known.includes(key))).toEqual([]);
    expect(Object.keys(userConfig)).toEqual(["address", "token_file"]);
    expect(existsSync(join(plugin(), "skills/chest-memory/SKILL.md"))).toBe(true);
    // The plugin directory refuses a plugin whose description has fewer than forty words.
    const readme = await readFile(join(plugin(), "README.md"), "utf8");
    expect(readme.split(/\s+/).length).toBeGreaterThan(40);
  });

  it("has a server that remembers and recalls", async () => {
    const { mcpServers } = filledIn(await json("claude-code/chest-memory/.claude-plugin/plugin.json"), settings());
    await remembersBy(mcpServers["chest-memory"]);
  });

  it("has hooks that show the team's memories, with the settings of the plugin", async () => {
    const { hooks } = filledIn(await json("claude-code/chest-memory/hooks/hooks.json"), settings());
    expect(Object.keys(hooks)).toEqual(expect.arrayContaining(["SessionStart", "UserPromptSubmit", "SessionEnd"]));
    const headers = { authorization: `Bearer ${backend.token}`, "content-type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify(A_FACT) };
    expect((await fetch(`${backend.url}/api/tools/chest_remember`, asked)).status).toBe(200);
    const child = run("sh", ["-c", hooks.UserPromptSubmit[0].hooks[0].command], {
      env: cleanEnv({
        PATH: `${join(NODE_24, "..")}:${process.env.PATH}`,
        CHEST_DATA_DIR: join(dir, "hook-data"),
        CHEST_HOOK_BUDGET_MS: "5000",
        CLAUDE_PLUGIN_OPTION_ADDRESS: backend.url,
        CLAUDE_PLUGIN_OPTION_TOKEN_FILE: join(dir, "token"),
      }),
    });
    const prompt = "how does acme-api deploy through the blue queue?";
    child.child.stdin?.end(JSON.stringify({ session_id: "s1", cwd: dir, prompt, hook_event_name: "UserPromptSubmit" }));
    const { stdout, stderr } = await child;
    expect(stderr).toBe("");
    expect(stdout).toContain("blue queue");
  });
});

it("is an extension of Claude Desktop that its own tool unpacks and that runs", async () => {
  const file = (await readdir(made)).find((name) => name.endsWith(".mcpb")) ?? "";
  const unpacked = join(dir, "extension");
  const tool = join(ROOT, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");
  await run(NODE_24, [tool, "unpack", join(made, file), unpacked]);
  expect(existsSync(join(unpacked, "server/chat-view.html"))).toBe(true);
  const manifest = JSON.parse(await readFile(join(unpacked, "manifest.json"), "utf8"));
  const settings = {
    __dirname: unpacked,
    "user_config.address": backend.url,
    "user_config.token_file": join(dir, "token"),
  };
  await remembersBy(filledIn(manifest, settings).server.mcp_config);
});

it("is a plugin for Codex and one for Cursor, whose files are where their manifests say", async () => {
  const codex = await json("codex/chest-memory/.codex-plugin/plugin.json");
  for (const path of [codex.skills, codex.mcpServers]) {
    expect(existsSync(join(made, "codex/chest-memory", path))).toBe(true);
  }
  expect(codex.interface).toEqual({
    displayName: "Chest",
    shortDescription: codex.description,
    category: "Productivity",
  });
  const { mcpServers } = await json("codex/chest-memory/.mcp.json");
  expect(mcpServers["chest-memory"].args).toEqual(["-y", `chest-memory@${codex.version}`]);
  for (const path of [
    ".cursor-plugin/plugin.json",
    "mcp.json",
    "rules/chest-memory.mdc",
    "skills/chest-memory/SKILL.md",
  ]) {
    expect(existsSync(join(made, "cursor/chest-memory", path)), path).toBe(true);
  }
  // Cursor's schema is closed: it ignores a plugin with an unknown key.
  const cursor = await json("cursor/chest-memory/.cursor-plugin/plugin.json");
  expect(Object.keys(cursor).filter((key) => !CURSOR_KEYS.has(key))).toEqual([]);
  expect([cursor.name, Object.keys(cursor.author)]).toEqual(["chest-memory", ["name"]]);
});

const CURSOR_KEYS = new Set(
  "name displayName description version author publisher homepage repository license logo keywords category tags commands agents skills rules hooks variables mcpServers".split(
    " ",
  ),
);

it("is an entry of the MCP Registry within the limits of its schema", async () => {
  const { name, description, packages, version } = await json("registry/server.json");
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
  expect(packages).toMatchObject([
    { registryType: "npm", identifier: "chest-memory", version, transport: { type: "stdio" } },
  ]);
  const inputs = "name description default format choices isRequired isSecret placeholder value variables".split(" ");
  for (const variable of packages[0].environmentVariables) {
    expect(Object.keys(variable).filter((key) => !inputs.includes(key))).toEqual([]);
    expect(["string", "number", "boolean", "filepath"]).toContain(variable.format ?? "string");
  }
});

describe("the backend that npx starts", () => {
  let program: ReturnType<typeof startProgram>;
  let url: string;
  beforeAll(async () => {
    await run("npm", ["pack", "--silent", "--pack-destination", dir], { cwd: join(made, "chest-memory-server") });
    const tarball = (await readdir(dir)).find((name) => name.startsWith("chest-memory-server-")) ?? "";
    const installed = await installPublished(join(dir, tarball), join(dir, "installed"));
    const port = await freePort();
    const home = join(dir, "home");
    await mkdir(home);
    const bin = join(installed.dir, "node_modules/.bin/chest-memory-server");
    program = startProgram(NODE_24, [bin], installed.env(home, { CHEST_PORT: String(port) }));
    url = `http://127.0.0.1:${port}`;
    await waitUntilReady(program, () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }, 240_000);
  afterAll(() => program?.end("SIGTERM"));

  it("has its page, and says how to connect", async () => {
    expect(await (await fetch(url, { headers: { accept: "text/html" } })).text()).toContain('<div id="root">');
    await expect.poll(() => program.output()).toContain("npx -y chest-memory setup --docker");
  });

  it("has its documentation", async () => {
    const asked = await fetch(`${url}/help`);
    expect([asked.status, asked.url]).toEqual([200, `${url}/help/`]);
    const page = await (await fetch(`${url}/help/members.html`)).text();
    expect(page.includes('id="give-a-member-a-token"')).toBe(true);
    // All addresses stay within the folder, and no script stands in the page, because the content security policy would
    // refuse it.
    expect(/(?:href|src)="\/|<script[^>]*>[^<]/.exec(page)?.[0]).toBeUndefined();
  });

  it.skipIf(!hasChromium || !hasNginx)("shows and searches its documentation behind TLS and a prefix", async () => {
    const proxy = await startTlsProxy({ upstream: url, dir: await mkdtemp(join(dir, "proxy-")) });
    const browser = await openBrowser();
    const { page, troubles } = await openPage(browser, { ignoreHTTPSErrors: true });
    await page.goto(`${proxy.url}/help`);
    await page.getByRole("link", { name: "setup", exact: true }).click();
    await page.getByRole("heading", { name: "Connect an agent" }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/help/setup.html`);

    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("litestream");
    await page.locator("#localsearch-list a").first().click();
    await page.getByRole("heading", { name: "Back up and restore" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/chest-memory/help/backup.html");
    expect(troubles).toEqual([]);
    await browser.close();
    await proxy.stop();
  });
});

it.each(["docs/page.md", "deploy/packages/sdk/README.md"])(
  "is a typed client that runs as %s says",
  async (document) => {
    const says = await readFile(join(ROOT, document), "utf8");
    const [, example = ""] = /```ts\n([\s\S]*?import \{ openChest \}[\s\S]*?)```/.exec(says) ?? [];
    const fact = { ...A_FACT, content: "We deploy to the blue queue", visibility: "team", force: true };
    const headers = { authorization: `Bearer ${backend.token}`, "content-type": "application/json" };
    await fetch(`${backend.url}/api/tools/chest_remember`, { method: "POST", headers, body: JSON.stringify(fact) });

    const folder = join(dir, "sdk");
    await mkdir(join(folder, "node_modules"), { recursive: true });
    await rm(join(folder, "node_modules/chest-memory-sdk"), { recursive: true, force: true });
    await cp(join(made, "chest-memory-sdk"), join(folder, "node_modules/chest-memory-sdk"), { recursive: true });
    for (const library of ["openapi-fetch", "openapi-typescript-helpers"]) await linkFrom(folder, library);
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "example.ts"), example.replace("http://127.0.0.1:8765", backend.url));
    const strict = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--target",
      "es2023",
      "--module",
      "nodenext",
      "--types",
      "node",
    ];
    const types = ["--typeRoots", join(ROOT, "node_modules/@types")];
    await run(NODE_24, [join(ROOT, "node_modules/typescript/bin/tsc"), "example.ts", ...strict, ...types], {
      cwd: folder,
    });
    const env = cleanEnv({ CHEST_API_TOKEN: backend.token });
    const { stdout } = await run(NODE_24, ["example.ts"], { cwd: folder, env });

    expect(stdout).toMatch(/^\d+ We deploy to the blue queue$/m);
  },
  120_000,
);

describe("the typed client, installed from its tarball", () => {
  let installed: Installed;
  beforeAll(async () => {
    await run("npm", ["pack", "--silent", "--pack-destination", dir], { cwd: join(made, "chest-memory-sdk") });
    const tarball = (await readdir(dir)).find((name) => name.startsWith("chest-memory-sdk-")) ?? "";
    installed = await installPublished(join(dir, tarball), join(dir, "sdk-installed"));
    const program = `import { openChest } from "chest-memory-sdk";
      const chest = openChest({ url: process.env.CHEST_URL, token: process.env.CHEST_API_TOKEN });
      const { data } = await chest.POST("/api/tools/chest_recall", { body: { query: "blue queue" } });
      console.log(process.version, data.ok);`;
    await writeFile(join(installed.dir, "recall.mjs"), program);
  }, 120_000);

  it.each([20, 22, 24])(
    "recalls on Node %d",
    async (major) => {
      const node = await findNode(major);
      const env = installed.env(join(dir, "home"), { CHEST_URL: backend.url, CHEST_API_TOKEN: backend.token });
      const { stdout } = await run(node, ["recall.mjs"], { cwd: installed.dir, env });
      expect(stdout).toMatch(new RegExp(`^v${major}\\.\\d+\\.\\d+ true$`, "m"));
    },
    300_000,
  );
});

/** Installs a dependency of the published client beside it, as npm would. */
async function linkFrom(folder: string, library: string): Promise<void> {
  const ofSdk = createRequire(join(ROOT, "packages/sdk/package.json"));
  const from = library === "openapi-fetch" ? ofSdk : createRequire(ofSdk.resolve("openapi-fetch"));
  const root = from.resolve
    .paths(library)
    ?.map((path) => join(path, library))
    .find(existsSync);
  if (root) await cp(await realpath(root), join(folder, "node_modules", library), { recursive: true });
}

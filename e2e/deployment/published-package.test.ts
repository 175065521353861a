import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";
import {
  filesIn,
  findNode,
  type Installed,
  installPublished,
  npxEnvironment,
  packPublished,
} from "../support/deployment/published.ts";
import { ROOT } from "../support/process.ts";

const A_FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content: "the published client found the way",
};

let dir: string;
let tarball: string;
let installed: Installed;
let backend: Backend;
const clients: StdioClient[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-published-"));
  tarball = await packPublished(dir);
  [installed, backend] = await Promise.all([installPublished(tarball, join(dir, "installed")), startBackend()]);
}, 120_000);
afterAll(async () => {
  await Promise.all(clients.map(({ stop }) => stop()));
  await backend?.stop();
  await rm(dir, { recursive: true, force: true });
});

const home = () => mkdtemp(join(dir, "home-"));
const remote = () => ({ CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token });

async function connect(from: Installed, env: NodeJS.ProcessEnv): Promise<StdioClient> {
  const program = { command: "npx", args: ["--no", "chest-memory"] };
  const client = await connectStdioClient({ program, cwd: from.dir, env });
  clients.push(client);
  return client;
}

async function remembersAndRecalls(from: Installed, env: NodeJS.ProcessEnv): Promise<void> {
  const door = mcpDoor((await connect(from, env)).client);
  const content = `${A_FACT.content} ${clients.length} times`;
  const { memory_id: id } = await ask(door, "chest_remember", { ...A_FACT, content });
  expect(await ask(door, "chest_recall", { query: content })).toMatchObject({
    memories: expect.arrayContaining([expect.objectContaining({ id, content })]),
  });
}

describe("the tarball", () => {
  it("is what npm expects of a package", async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball);
    const packed = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    const { messages } = await publint({ pack: { tarball: packed }, strict: true });
    expect(messages).toEqual([]);
  });

  it("names versions that npm can install, and no folder of the repository", async () => {
    const manifest = JSON.parse(await readFile(join(installed.dir, "node_modules/chest-memory/package.json"), "utf8"));
    expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|"private"/);
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest.engines).toEqual({ node: ">=20.19" });
  });

  it("contains its programs, its licence and its readme, and no source", async () => {
    const files = await filesIn(tarball);
    expect(files).toEqual(
      expect.arrayContaining(["README.md", "LICENSE", "dist/chest-memory.js", "dist/chat-view.html"]),
    );
    expect(files.filter((file) => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(ts|map|db)$/.test(file))).toEqual([]);
  });

  it("contains each program as a starter and one file, and rarely needed parts as named files", async () => {
    const programs = (await filesIn(tarball)).filter((file) => /^dist\/[^/]+\.m?js$/.test(file));
    const beside = programs.map((file) => file.slice(5)).filter((file) => !file.startsWith("chest-memory-"));
    expect(beside.sort()).toEqual([
      "chest-fetch-model.js",
      "chest-hook.mjs",
      "chest-index.js",
      "chest-index.main.js",
      "chest-index.postgres.js",
      "chest-index.runtime.js",
      "chest-index.start.js",
      "chest-memory.js",
      "chest-memory.language-model.js",
      "chest-memory.local-store.js",
      "chest-memory.main.js",
      "chest-memory.network.js",
      "chest-memory.runtime.js",
      "chest-memory.tree-sitter.js",
      "chest-memory.without-sessions.js",
      "integrity-check-process.js",
      "lifecycle-worker.js",
      "model-worker.js",
      "near-pairs-worker.js",
      "prompts.js",
      "search-worker.js",
    ]);
    const dist = join(installed.dir, "node_modules/chest-memory/dist");
    for (const name of ["chest-memory", "chest-index"]) {
      const starter = await readFile(join(dist, `${name}.js`), "utf8");
      expect(starter.length).toBeLessThan(3300);
    }
    // Modules that are loaded when an agent starts.
    const main = await readFile(join(dist, "chest-memory.main.js"), "utf8");
    const read = [...main.matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, file]) => file);
    expect(new Set(read)).toEqual(new Set(["chest-memory.runtime.js"]));
  });

  it("installs one package beside itself, the driver of local stores, and its dependencies", async () => {
    const names = (await readdir(join(installed.dir, "node_modules"))).filter((name) => !name.startsWith("."));
    expect(names.sort()).toEqual(["better-sqlite3", "chest-memory", "node-addon-api"]);
  });
});

describe("on Node 24, in an empty folder with an empty home", () => {
  it("keeps memories on this PC when nothing is set", async () => {
    const HOME = await home();
    await remembersAndRecalls(installed, installed.env(HOME));
    expect(await readdir(join(HOME, ".chest-memory"))).toEqual(expect.arrayContaining(["chest.db", "compiled"]));
  });

  it("reaches a backend", async () => {
    await remembersAndRecalls(installed, installed.env(await home(), remote()));
  });

  it("has a command line for either", async () => {
    const HOME = await home();
    await remembersAndRecalls(installed, installed.env(HOME));
    expect(await installed.run("chest-index", ["status"], installed.env(HOME))).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 live"),
    });
    const registered = { mcpServers: { chest: { command: "npx", args: ["-y", "chest-memory"] } } };
    await writeFile(join(HOME, ".claude.json"), JSON.stringify(registered));
    const { output } = await installed.run("chest-index", ["doctor", "client"], installed.env(HOME, remote()));
    expect(output).toContain("fail=0");
  });

  it("answers to 1.5's name of the program as well", async () => {
    const [ours, theirs] = await Promise.all(
      ["chest-memory", "mcp-chest-memory"].map(async (name) =>
        installed.run(name, ["--version"], installed.env(await home())),
      ),
    );
    expect(ours).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(theirs).toEqual(ours);
  });
});

describe("1.5's other names of programs", () => {
  // Each prints the usage of its replacement.
  it.each([
    ["chest-memory-setup", "chest-index setup"],
    ["chest-memory-install-hooks", "chest-index install-hooks"],
    ["chest-memory-install-skill", "chest-index install-skill"],
    ["chest-memory-import", "chest-index import"],
    ["chest-memory-stats", "chest-index stats"],
    ["chest-fetch-model", "chest-index fetch-model"],
  ])("%s runs `%s`", async (name, command) => {
    const { code, output } = await installed.run(name, ["--help"], installed.env(await home()));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(command) });
  });

  it("`chest-memory setup` is the name to remember", async () => {
    const { code, output } = await installed.run("chest-memory", ["setup", "--help"], installed.env(await home()));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("chest-index setup") });
  });

  it("do the same", async () => {
    const HOME = await home();
    await remembersAndRecalls(installed, installed.env(HOME));
    const { code, output } = await installed.run("chest-memory-stats", ["--json"], installed.env(HOME));
    expect([code, JSON.parse(output)]).toMatchObject([0, { counts: { memories: 1 } }]);
    const asked = await installed.run("chest-memory-setup", ["--dry-run"], installed.env(HOME));
    expect(asked).toMatchObject({ code: 0, output: expect.stringContaining("chest-memory") });
  });
});

// Node before 20.16 lacks this function and reads the starters as they are; tried with 14.21, 16.20 and 18.20.
const AS_AN_OLD_NODE = ["--import", "data:text/javascript,process.getBuiltinModule=undefined"];

it.each(["chest-memory", "chest-index", "chest-memory-setup"])("%s says what it needs on an old Node", async (name) => {
  const file = join(installed.dir, `node_modules/chest-memory/dist/${name}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...AS_AN_OLD_NODE, file], { encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^chest-\w+: needs Node 20\.19 or newer, and this is [\d.]+\nhint: .+\n$/);
});

it.each(["chest-server", "quickstart"])("the backend's %s says what it needs on an old Node", (name) => {
  const file = join(ROOT, `apps/server/dist/${name}.js`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...AS_AN_OLD_NODE, file], { encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(new RegExp(`^${name}: needs Node 24 or newer, and this is [\\d.]+\\nhint: .+\\n$`));
});

describe.each([20, 22])("on Node %d", (major) => {
  let old: Installed;
  beforeAll(async () => {
    old = installed.under(await findNode(major));
  }, 300_000);

  it("reaches a backend", async () => {
    await remembersAndRecalls(old, old.env(await home(), remote()));
  });

  it("asks the backend from a terminal", async () => {
    const { code, output } = await old.run("chest-index", ["status"], old.env(await home(), remote()));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("pending") });
  });

  it("refuses to keep a store, and says what to do", async () => {
    const HOME = await home();
    const door = mcpDoor((await connect(old, old.env(HOME))).client);
    const { error } = await door.call("chest_remember", A_FACT);
    expect(error).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(`needs Node 24, and this is ${major}.`),
      hint: expect.stringContaining("CHEST_MODE=remote"),
    });
    expect(await readdir(join(HOME, ".chest-memory"))).not.toContain("chest.db");
  });
});

describe("connected by npx from the tarball", () => {
  it("registers the program that ran, which stays when npx has cleared its folder", async () => {
    const HOME = await home();
    const cache = join(HOME, "npm cache");
    const env = { ...(await npxEnvironment(cache)), HOME };
    const npx = ["--yes", "--package", tarball, "chest-memory", "setup", "--yes", "--local", "--client", "cursor"];
    const setup = spawnSync("npx", npx, { cwd: HOME, env, encoding: "utf8" });
    expect([setup.status, setup.stderr]).toEqual([0, ""]);
    expect(setup.stdout).toMatch(/^checked +connection {2}\(\d+ tools\)$/m);
    expect(setup.stdout).toContain(`${HOME}/.chest-memory/bin/chest-index setup --remove`);

    const { mcpServers } = JSON.parse(await readFile(join(HOME, ".cursor/mcp.json"), "utf8"));
    const { command, args } = mcpServers["chest-memory"];
    expect(args).toEqual([join(HOME, ".chest-memory/bin/client/node_modules/chest-memory/dist/chest-memory.js")]);
    await rm(cache, { recursive: true });
    const client = await connectStdioClient({ program: { command, args }, cwd: HOME, env: installed.env(HOME) });
    clients.push(client);
    const door = mcpDoor(client.client);
    await ask(door, "chest_remember", A_FACT);
    expect(await ask(door, "chest_recall", { query: A_FACT.content })).toMatchObject({ count: 1 });
    await client.stop();

    const index = (...words: string[]) =>
      spawnSync(join(HOME, ".chest-memory/bin/chest-index"), words, { cwd: HOME, env, encoding: "utf8" });
    expect(index("doctor", "client").stdout).toContain("fail=0");
    expect(index("setup", "--yes", "--client", "cursor").stdout).not.toMatch(/^(?:added|updated|removed)/m);
    expect(index("setup", "--remove", "--yes").status).toBe(0);
    expect(await readdir(join(HOME, ".cursor")).catch(() => [])).toEqual([]);
    expect(await readdir(join(HOME, ".chest-memory"))).not.toContain("bin");
  });
});

describe("without the optional driver", () => {
  let bare: Installed;
  beforeAll(async () => {
    bare = await installPublished(tarball, join(dir, "bare"), "--omit=optional");
  }, 120_000);

  it("reaches a backend", async () => {
    await remembersAndRecalls(bare, bare.env(await home(), remote()));
  });

  it("names the package that a store on this machine needs", async () => {
    const door = mcpDoor((await connect(bare, bare.env(await home()))).client);
    expect((await door.call("chest_list_entities", {})).error).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("better-sqlite3"),
      hint: expect.stringContaining("--omit=optional"),
    });
  });
});

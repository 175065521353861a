import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "./support/backend.ts";
import { type Ended, runProgram } from "./support/cli.ts";
import { cleanEnv, NODE_24, ROOT } from "./support/process.ts";

/** A home as a developer has it, and an installed release beside it. */
let root: string;
let home: string;
let bin: string;
let dist: string;
let backend: Backend;
let tokenFile: string;

beforeAll(async () => {
  const installed = await mkdtemp(join(tmpdir(), "chest-installed-"));
  dist = join(installed, "dist");
  await cp(join(ROOT, "apps/mcp/dist"), dist, { recursive: true });
  await symlink(join(ROOT, "apps/mcp/node_modules"), join(installed, "node_modules"));
  if (!existsSync(join(dist, "chest-hook.mjs")))
    await writeFile(join(dist, "chest-hook.mjs"), "process.exitCode = 0;\n");
  backend = await startBackend();
});
afterAll(async () => {
  await backend?.stop();
  await rm(join(dist, ".."), { recursive: true, force: true });
});
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "chest-setup-"));
  home = join(root, "home");
  bin = join(root, "bin");
  tokenFile = join(root, "token");
  await Promise.all([mkdir(home), mkdir(bin)]);
  await symlink(NODE_24, join(bin, "node"));
  await writeFile(tokenFile, `${backend.token}\n`, { mode: 0o600 });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const setup = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  runProgram([join(dist, "chest-index.js"), "setup", ...args], {
    ...cleanEnv({ HOME: home, PATH: `${bin}:/usr/bin:/bin`, ...env }),
    ...{ CLAUDE_CONFIG_DIR: undefined, XDG_CONFIG_HOME: undefined, CODEX_HOME: undefined },
  });
const remote = (...args: string[]) => ["--docker", backend.url, "--token-file", tokenFile, "--yes", ...args];
const json = async (...path: string[]) => JSON.parse(await readFile(join(home, ...path), "utf8"));

/** Every file below a folder, with what it holds, its mode, and its number: one written anew has another. */
async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const told = await Promise.all(
    files.map(async (file) => {
      const { mode, ino } = await stat(file);
      return [file.slice(folder.length + 1), `${(mode & 0o777).toString(8)} ${ino} ${await readFile(file, "latin1")}`];
    }),
  );
  return Object.fromEntries(
    told.filter(([name]) => !/^\.chest-memory\/(compiled|machine-id|chest\.db|outbox)/.test(name ?? "")),
  );
}

/** A `claude` of our own: it writes down its words, and does with the user's file what the real one does. */
async function fakeClaude({ version = "2.1.200", isBroken = false } = {}): Promise<() => Promise<string[][]>> {
  const log = join(root, "claude.log");
  const program = `#!${NODE_24}
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
if (words[0] === "--version") { console.log("${version} (Claude Code)"); process.exit(0); }
appendFileSync(${JSON.stringify(log)}, JSON.stringify(words) + "\\n");
if (${isBroken}) { console.error("please log in"); process.exit(1); }
const file = process.env.HOME + "/.claude.json";
let settings = {};
try { settings = JSON.parse(readFileSync(file, "utf8")); } catch {}
settings.mcpServers ??= {};
const [, verb, ...rest] = words;
const env = {};
let scope = "local";
while (rest[0]?.startsWith("--") && rest[0] !== "--") {
  const flag = rest.shift();
  if (flag === "--scope") scope = rest.shift();
  if (flag === "--env") while (rest[0] && !rest[0].startsWith("--")) { const [k, ...v] = rest.shift().split("="); env[k] = v.join("="); }
}
const name = rest.shift();
if (!name || scope !== "user") { console.error("no name"); process.exit(1); }
if (verb === "remove") delete settings.mcpServers[name];
if (verb === "add") { rest.shift(); settings.mcpServers[name] = { type: "stdio", command: rest[0], args: rest.slice(1), env }; }
writeFileSync(file, JSON.stringify(settings, null, 2));
`;
  await writeFile(join(bin, "claude"), program, { mode: 0o755 });
  return async () =>
    existsSync(log)
      ? (await readFile(log, "utf8"))
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
}

describe("chest-index setup, for a backend", () => {
  it("connects the agent, checks it, and says how to undo it", async () => {
    const { exitCode, stdout, stderr } = await setup(remote());

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain(`${backend.url} answers`);
    expect(stdout).toMatch(/^checked +connection {2}\(\d+ tools\)$/m);
    expect(stdout).toContain("chest-index setup --remove --yes");
    const { mcpServers } = await json(".claude.json");
    const data = join(home, ".chest-memory");
    expect(mcpServers).toEqual({
      "chest-memory": {
        type: "stdio",
        command: "node",
        args: [join(dist, "chest-memory.js")],
        env: {
          CHEST_MODE: "remote",
          CHEST_REMOTE_URL: backend.url,
          CHEST_API_TOKEN_FILE: join(data, "client-token"),
        },
      },
    });
    expect(await json(".chest-memory", "client.json")).toEqual({
      mode: "remote",
      url: backend.url,
      token_file: join(data, "client-token"),
    });
    const settings = await json(".claude", "settings.json");
    expect(settings.hooks.UserPromptSubmit[0].hooks[0].command).toBe(`node ${data}/bin/chest-hook.mjs user-prompt`);
    const files = Object.keys(await filesBelow(home));
    expect(files).toEqual(
      expect.arrayContaining([
        ".claude/skills/chest-memory/SKILL.md",
        ".claude/rules/chest-memory.md",
        ".chest-memory/bin/chest-hook.mjs",
      ]),
    );
  });

  it("keeps the token in one file, for its owner", async () => {
    const words = await fakeClaude();
    await setup(remote());

    const files = await filesBelow(home);
    const holding = Object.entries(files).filter(([, told]) => told.includes(backend.token));
    expect(holding.map(([name, told]) => [name, told.slice(0, 3)])).toEqual([[".chest-memory/client-token", "600"]]);
    expect(JSON.stringify(await words())).not.toContain(backend.token);
  });

  it("changes nothing the second time, whether it is told again or not", async () => {
    await setup(remote());
    const before = await filesBelow(home);

    const again = await setup(remote("--json"));
    const untold = await setup(["--yes"]);

    expect([again.exitCode, untold.exitCode]).toEqual([0, 0]);
    const outcomes = JSON.parse(again.stdout).steps.map(({ outcome }: { outcome: string }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["unchanged", "checked"]));
    expect(await filesBelow(home)).toEqual(before);
  });

  it("tells Claude Code by its own command where there is one", async () => {
    const words = await fakeClaude();

    expect(await setup(remote())).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("`claude mcp add`") });
    expect(await words()).toEqual([
      expect.arrayContaining(["mcp", "add", "--scope", "user", "chest-memory", "--", "node"]),
    ]);
    await setup(remote());
    expect(await words()).toHaveLength(1);

    // Somewhere else: the old one goes, the new one comes.
    const prefixed = `http://localhost:${new URL(backend.url).port}`;
    expect((await setup(["--docker", prefixed, "--token-file", tokenFile, "--yes"])).exitCode).toBe(0);
    expect((await words()).map(([, verb]) => verb)).toEqual(["add", "remove", "add"]);
    expect((await json(".claude.json")).mcpServers["chest-memory"].env.CHEST_REMOTE_URL).toBe(prefixed);
    expect((await json(".claude", "settings.json")).hooks).toHaveProperty("PostToolUseFailure");
  });

  it("edits the configuration itself where that command does not do it", async () => {
    await fakeClaude({ isBroken: true });
    expect((await setup(remote())).exitCode).toBe(0);
    expect((await json(".claude.json")).mcpServers).toHaveProperty("chest-memory");
  });

  it("gives the home back as it was", async () => {
    await mkdir(join(home, ".claude"));
    await writeFile(
      join(home, ".claude.json"),
      '{\n  "numStartups": 3,\n  "mcpServers": {\n    "docs": {"command": "npx"}\n  }\n}',
    );
    await writeFile(join(home, ".claude/settings.json"), '{ "model": "opus" }');
    const contents = async () =>
      Object.fromEntries(
        Object.entries(await filesBelow(home)).map(([name, told]) => [name, told.split(" ").slice(2).join(" ")]),
      );
    const before = await contents();

    await setup(remote());
    expect(await contents()).not.toEqual(before);
    expect(await setup(["--remove", "--yes"])).toMatchObject({ exitCode: 0 });

    expect(await contents()).toEqual(before);
    expect(await setup(["--remove", "--yes"])).toMatchObject({ exitCode: 0 });
    expect(await contents()).toEqual(before);
  });

  it.each([
    [
      "nobody answers",
      () => ["--docker", "http://127.0.0.1:9", "--token-file", tokenFile],
      "nobody listens|no answer|refused",
    ],
    ["the token is another one", () => ["--docker", backend.url, `${"w".repeat(40)}`], "token"],
    ["there is no token", () => ["--docker", backend.url], "there is no token"],
    [
      "the address is none",
      () => ["--nginx", "chest.example.org", "--token-file", tokenFile],
      "is no http or https URL",
    ],
    [
      "the token's file is not there",
      () => ["--docker", backend.url, "--token-file", "/nowhere/token"],
      "cannot be read",
    ],
    ["two places are named", () => ["--docker", backend.url, "--local"], "exclude each other"],
    ["the agent is unknown", () => ["--client", "emacs"], "one of claude-code, codex"],
    ["a flag is unknown", () => ["--dokcer", backend.url], "did you mean `--docker`"],
  ])("writes nothing when %s", async (_, args, problem) => {
    const { exitCode, stderr } = await setup([...args(), "--yes"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(problem));
    expect(await readdir(home)).toEqual([]);
  });

  it("writes nothing when nobody can be asked, or when it is only to say what it would do", async () => {
    expect(await setup(["--docker", backend.url, "--token-file", tokenFile])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--yes"),
    });
    const dry = await setup(["--docker", backend.url, "--token-file", tokenFile, "--dry-run"]);
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("would be added") });
    expect(await readdir(home)).toEqual([]);
  });

  it("leaves a damaged file as it is, does the rest, and says that it is not complete", async () => {
    await writeFile(join(home, ".claude.json"), '{ "mcpServers": ');

    const { exitCode, stdout } = await setup(remote());

    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/failed +server for claude-code.*is damaged and stays as it is: line 1/);
    expect(stdout).toContain("not complete");
    expect(await readFile(join(home, ".claude.json"), "utf8")).toBe('{ "mcpServers": ');
    expect((await json(".claude", "settings.json")).hooks).toHaveProperty("Stop");
  });

  it("warns of a token in the command line", async () => {
    const { exitCode, stderr } = await setup(["--docker", backend.url, backend.token, "--yes"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("stood in the command line") });
  });

  it("is what the command line goes by from then on, and gives its token to no other backend", async () => {
    await setup(remote());
    const run = (...args: string[]) =>
      runProgram([join(dist, "chest-index.js"), ...args], cleanEnv({ HOME: home, PATH: `${bin}:/usr/bin:/bin` }));

    expect(await run("status")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(backend.url) });
    const other = await run("status", "--remote-url", `http://localhost:${new URL(backend.url).port}`);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/token/i) });
  });
});

describe("chest-index setup, for this machine", () => {
  it("connects the agent to a store of its own", async () => {
    const { exitCode, stdout } = await setup(["--yes"]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("a store on this machine") });
    expect((await json(".claude.json")).mcpServers["chest-memory"].env).toEqual({ CHEST_MODE: "local" });
    expect(await json(".chest-memory", "client.json")).toEqual({ mode: "local" });
  });

  it("never turns a backend into a store here unless told to", async () => {
    await setup(remote());
    await setup(["--yes"]);
    expect((await json(".chest-memory", "client.json")).mode).toBe("remote");
    await setup(["--yes", "--local"]);
    expect(await json(".chest-memory", "client.json")).toEqual({ mode: "local" });
    expect((await json(".claude.json")).mcpServers["chest-memory"].env).toEqual({ CHEST_MODE: "local" });
  });
});

describe("chest-index install-hooks", () => {
  const hooks = (...args: string[]) =>
    runProgram(
      [join(dist, "chest-index.js"), "install-hooks", ...args],
      cleanEnv({ HOME: home, PATH: `${bin}:/usr/bin:/bin` }),
    );

  it("goes by the folders and files that it is told", async () => {
    const [data, settings, db] = [join(root, "my data"), join(root, "s.json"), join(root, "my.db")];

    const installed = await hooks("--data-dir", data, "--settings", settings, "--db-path", db);

    expect(installed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(await readFile(settings, "utf8")).hooks.Stop[0].hooks[0].command).toBe(
      `node '${data}/bin/chest-hook.mjs' stop`,
    );
    expect(JSON.parse(await readFile(join(data, "client.json"), "utf8"))).toEqual({ mode: "local", db_path: db });
    expect(await readdir(home)).toEqual([]);
    expect(await hooks("--settings", settings, "--remove")).toMatchObject({ exitCode: 0 });
    expect(await readFile(settings, "utf8")).toBe("{}\n");
    expect(existsSync(join(data, "bin/chest-hook.mjs"))).toBe(true);
  });

  it("leaves damaged settings as they are, with --remove too", async () => {
    const settings = join(root, "s.json");
    await writeFile(settings, '{\n  "hooks": [}');
    for (const args of [[], ["--remove"]]) {
      const { exitCode, stderr } = await hooks("--settings", settings, ...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("line 2") });
    }
    expect(await readFile(settings, "utf8")).toBe('{\n  "hooks": [}');
    expect(await readdir(home)).toEqual([]);
  });

  it("never turns a backend into a store here", async () => {
    await setup(remote());
    const before = await json(".chest-memory", "client.json");
    expect((await hooks()).exitCode).toBe(0);
    expect(await json(".chest-memory", "client.json")).toEqual(before);
  });
});

describe("chest-index setup --client", () => {
  it.each([
    ["cursor", ".cursor/mcp.json", "mcpServers"],
    ["vscode", ".config/Code/User/mcp.json", "servers"],
    ["gemini", ".gemini/settings.json", "mcpServers"],
    ["claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"],
  ])("registers the server with %s, beside others and comments, and takes it out again", async (client, file, key) => {
    const theirs = `{\n  // mine\n  "${key}": {\n    "docs": { "command": "npx" }\n  },\n  "theme": "dark"\n}\n`;
    await mkdir(join(home, file, ".."), { recursive: true });
    await writeFile(join(home, file), theirs);

    expect((await setup(remote("--client", client))).exitCode).toBe(0);

    const text = await readFile(join(home, file), "utf8");
    for (const line of ["  // mine", '    "docs": { "command": "npx" }', '  "theme": "dark"'])
      expect(text).toContain(line);
    expect(JSON.parse(text.replace("// mine", ""))[key]["chest-memory"]).toMatchObject({
      command: "node",
      env: { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url },
    });
    expect(existsSync(join(home, ".claude"))).toBe(false);
    await setup(remote("--client", client));
    expect(await readFile(join(home, file), "utf8")).toBe(text);
    expect((await setup(["--remove", "--yes", "--client", client])).exitCode).toBe(0);
    expect(await readFile(join(home, file), "utf8")).toBe(theirs);
  });

  it("registers the server with Codex, in TOML", async () => {
    const theirs = '# mine\nmodel = "o3" # best\n\n[mcp_servers.docs]\ncommand = "npx"\n';
    await mkdir(join(home, ".codex"));
    await writeFile(join(home, ".codex/config.toml"), theirs);

    expect((await setup(remote("--client", "codex"))).exitCode).toBe(0);

    const text = await readFile(join(home, ".codex/config.toml"), "utf8");
    expect(text.startsWith(theirs)).toBe(true);
    expect(text).toContain(`[mcp_servers.chest-memory]\ncommand = "node"\nargs = ["${dist}/chest-memory.js"]\n`);
    expect(text).toContain(`[mcp_servers.chest-memory.env]\nCHEST_MODE = "remote"\n`);
    await setup(remote("--client", "codex"));
    expect(await readFile(join(home, ".codex/config.toml"), "utf8")).toBe(text);
    await setup(["--local", "--yes", "--client", "codex"]);
    expect(await readFile(join(home, ".codex/config.toml"), "utf8")).toContain('CHEST_MODE = "local"');
    await setup(["--remove", "--yes", "--client", "codex"]);
    expect((await readFile(join(home, ".codex/config.toml"), "utf8")).trim()).toBe(theirs.trim());
  });

  it("takes several at once", async () => {
    expect((await setup(remote("--client", "cursor,gemini"))).exitCode).toBe(0);
    expect(existsSync(join(home, ".cursor/mcp.json")) && existsSync(join(home, ".gemini/settings.json"))).toBe(true);
  });
});

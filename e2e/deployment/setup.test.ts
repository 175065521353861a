import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { inShort } from "../../deploy/local/test-extent.ts";
import type { ProgramResult } from "../support/clients/cli.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { commandsOf } from "../support/deployment/guide.ts";
import { freshHomes } from "../support/deployment/homes.ts";
import { fakeClaude } from "../support/deployment/installation.ts";
import { ROOT } from "../support/process.ts";
import { hasProgram } from "../support/requirements.ts";

const fresh = freshHomes();

const setup = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramResult> =>
  fresh.home.index(["setup", ...args], env);
const launcher = () => fresh.home.path(".chest-memory/bin/chest-node");
const hasTerminals = hasProgram("terminals");

/** Runs `chest-index` on a terminal, and types an answer whenever it asks. */
async function onTerminal(args: readonly string[], answers: readonly string[]) {
  const program = spawn("script", ["-qec", `chest-index ${args.join(" ")}`, "/dev/null"], {
    env: fresh.home.env,
    cwd: fresh.home.dir,
  });
  const left = [...answers];
  let screen = "";
  let read = 0;
  program.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    if (!/(?:token of the backend: |\[y: [^\]\r\n]*\] )$/.test(screen.slice(read))) return;
    read = screen.length;
    const answer = left.shift() ?? "";
    program.stdin.write(answer !== "" && answer < " " ? answer : `${answer}\r`);
  });
  const [exitCode] = await once(program, "close");
  return { exitCode, screen };
}

const remote = (...args: string[]) => [
  "--docker",
  fresh.backend.url,
  "--token-file",
  fresh.tokenFile,
  "--yes",
  ...args,
];

const aTranscript = (session: string, cwd: string): string =>
  [
    { role: "user", text: `Always run the migration check before a deploy of ${session}.` },
    { role: "assistant", text: "Understood: the migration check runs before every deploy." },
  ]
    .map(({ role, text }, at) => ({
      type: role,
      uuid: `${session}-${at}`,
      sessionId: session,
      cwd,
      timestamp: new Date().toISOString(),
      message: { role, content: [{ type: "text", text }] },
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

describe("chest-index setup, for a backend", () => {
  it("connects the agent, checks it, and says how to undo it", async () => {
    const { exitCode, stdout, stderr } = await setup(remote());

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain(`${fresh.backend.url} answers`);
    expect(stdout).toMatch(/^checked +connection {2}\(\d+ tools\)$/m);
    expect(stdout).toContain("chest-index setup --remove --client claude-code --yes");
    const { mcpServers } = await fresh.home.json(".claude.json");
    const data = fresh.home.path(".chest-memory");
    expect(mcpServers).toEqual({
      "chest-memory": {
        type: "stdio",
        command: launcher(),
        args: [join(fresh.installation.dist, "chest-memory.js")],
        env: {
          CHEST_MODE: "remote",
          CHEST_REMOTE_URL: fresh.backend.url,
          CHEST_API_TOKEN_FILE: join(data, "client-token"),
        },
      },
    });
    expect(await fresh.home.json(".chest-memory", "client.json")).toEqual({
      mode: "remote",
      url: fresh.backend.url,
      token_file: join(data, "client-token"),
    });
    const settings = await fresh.home.json(".claude", "settings.json");
    expect(settings.hooks.UserPromptSubmit[0].hooks[0].command).toBe(
      `${launcher()} ${data}/bin/chest-hook.mjs user-prompt`,
    );
    const files = Object.keys(await fresh.home.files());
    expect(files).toEqual(
      expect.arrayContaining([
        ".claude/skills/chest-memory/SKILL.md",
        ".claude/rules/chest-memory.md",
        ".chest-memory/bin/chest-hook.mjs",
      ]),
    );
  });

  it("names an older project that looks like the folder's, and none where there is none", async () => {
    const [old, now] = ["git.example/acme/shop", "git.example/ann/shop"];
    const authorization = `Bearer ${(await readFile(fresh.tokenFile, "utf8")).trim()}`;
    const headers = { authorization, "content-type": "application/json", "x-chest-project": old };
    const fact = {
      entity_name: "acme",
      entity_kind: "project",
      layer: "learning",
      content: "the quokka launches in june",
    };
    const saved = await fetch(`${fresh.backend.url}/api/tools/chest_remember`, {
      method: "POST",
      headers,
      body: JSON.stringify(fact),
    });
    expect(saved.status).toBe(200);
    const told = await setup(remote(), { CHEST_PROJECT: now });
    expect(told).toMatchObject({ exitCode: 0, stderr: "" });
    expect(told.stdout).toContain(`chest-index project rename ${old} ${now}`);
    expect((await setup(remote(), { CHEST_PROJECT: "git.example/ann/inn" })).stdout).not.toContain(old);

    await setup(["--local", "--client", "claude-code", "--yes"]);
    await fresh.home.index(["remember", "the wombat digs", "--entity", "acme", "--project", "shop"]);
    const here = await setup(["--local", "--client", "claude-code", "--yes"], { CHEST_PROJECT: now });
    expect(here.stdout).toContain(`chest-index project rename shop ${now}`);
  });

  it("registers programs that run with an empty PATH, and after their Node has moved", async () => {
    const old = fresh.home.path(".nvm/versions/node/v24.0.0/bin/node");
    await mkdir(dirname(old), { recursive: true });
    await copyFile(process.execPath, old);
    await setup(remote(), { PATH: dirname(old) });
    const { command, args, env } = (await fresh.home.json(".claude.json")).mcpServers["chest-memory"];
    const { hooks } = await fresh.home.json(".claude", "settings.json");
    const starts: [string, () => Promise<unknown>][] = [
      ["before", async () => undefined],
      ["after", () => rename(dirname(dirname(old)), fresh.home.path(".nvm/versions/node/v24.9.1"))],
    ];
    for (const [when, move] of starts) {
      await move();
      const around = { HOME: fresh.home.dir, PATH: "" };
      const client = await connectStdioClient({ program: { command, args }, env: { ...around, ...env } });
      expect((await client.client.listTools()).tools.length).toBeGreaterThan(0);
      await client.stop();
      const event = JSON.stringify({ session_id: when, cwd: fresh.home.dir, hook_event_name: "SessionStart" });
      const hook = spawnSync("/bin/sh", ["-c", hooks.SessionStart[0].hooks[0].command], { env: around, input: event });
      expect({ when, status: hook.status, stderr: hook.stderr.toString() }).toEqual({ when, status: 0, stderr: "" });
    }
  });

  it("puts `chest-index` where the shell finds it, if the shell finds none, and removes it again", async () => {
    const [PATH, link] = [dirname(process.execPath), fresh.home.path(".local/bin/chest-index")];
    const called = (path: string) =>
      spawnSync("/bin/sh", ["-c", "chest-index status --json"], { env: { HOME: fresh.home.dir, PATH: path } });
    const apart = await setup(remote(), { PATH });
    expect(apart.stdout).toMatch(/^skipped +link .*\(`.*\.local\/bin` is not on the PATH: /m);
    expect(existsSync(link)).toBe(false);

    const within = `${PATH}:${dirname(link)}`;
    expect((await setup(remote(), { PATH: within })).stdout).toMatch(/^added +link .*\(`chest-index` is a command/m);
    const { status, stdout, stderr } = called(dirname(link));
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout.toString())).toMatchObject({ store: expect.anything() });
    const before = await fresh.home.files();
    expect((await setup(remote(), { PATH: within })).exitCode).toBe(0);
    expect(await fresh.home.files()).toEqual(before);

    expect((await setup(["--remove", "--yes"], { PATH: within })).exitCode).toBe(0);
    expect(existsSync(link) || existsSync(fresh.home.path(".chest-memory/bin"))).toBe(false);
  });

  it("leaves another program of that name alone, and makes no command where one exists", async () => {
    const PATH = dirname(process.execPath);
    const theirs = fresh.home.path(".local/bin/chest-index");
    await fresh.home.write(".local/bin/chest-index", "#!/bin/sh\n");
    expect((await setup(remote(), { PATH: `${PATH}:${dirname(theirs)}` })).stdout).toMatch(/^left +link /m);
    expect(await readFile(theirs, "utf8")).toBe("#!/bin/sh\n");
    await setup(["--remove", "--yes"], { PATH });
    expect((await setup(remote())).stdout).not.toMatch(/^\w+ +(?:link|command) /m);
  });

  it("keeps the token in one file, readable by its owner only", async () => {
    const claude = await fakeClaude(fresh.home);
    await setup(remote());

    const files = await fresh.home.files();
    const holding = Object.entries(files).filter(([, told]) => told.text.includes(fresh.backend.token));
    expect(holding.map(([name, told]) => [name, told.mode])).toEqual([[".chest-memory/client-token", "600"]]);
    expect(JSON.stringify(await claude.words())).not.toContain(fresh.backend.token);
  });

  it("changes nothing the second time, with or without arguments", async () => {
    await setup(remote());
    const before = await fresh.home.files();

    const again = await setup(remote("--json"));
    const untold = await setup(["--yes"]);

    expect([again.exitCode, untold.exitCode]).toEqual([0, 0]);
    const outcomes = JSON.parse(again.stdout).steps.map(({ outcome }: { outcome: string }) => outcome);
    // No `claude` is installed that could tell whether it knows the latest event.
    expect(new Set(outcomes)).toEqual(new Set(["unchanged", "checked"]));
    expect(await fresh.home.files()).toEqual(before);
  });

  it("uses Claude Code's own command where it is installed", async () => {
    const claude = await fakeClaude(fresh.home);

    expect(await setup(remote())).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("`claude mcp add`") });
    expect(await claude.words()).toEqual([
      expect.arrayContaining(["mcp", "add", "--scope", "user", "chest-memory", "--", launcher()]),
    ]);
    await setup(remote());
    expect(await claude.words()).toHaveLength(1);

    // In another place, the old entry is removed and a new one is added.
    const prefixed = `http://localhost:${new URL(fresh.backend.url).port}`;
    expect((await setup(["--docker", prefixed, "--token-file", fresh.tokenFile, "--yes"])).exitCode).toBe(0);
    expect((await claude.words()).map(([, verb]) => verb)).toEqual(["add", "remove", "add"]);
    expect((await fresh.home.json(".claude.json")).mcpServers["chest-memory"].env.CHEST_REMOTE_URL).toBe(prefixed);
    expect((await fresh.home.json(".claude", "settings.json")).hooks).toHaveProperty("PostToolUseFailure");
  });

  it("edits the configuration itself where that command fails", async () => {
    await fakeClaude(fresh.home, { isBroken: true });
    expect((await setup(remote())).exitCode).toBe(0);
    expect((await fresh.home.json(".claude.json")).mcpServers).toHaveProperty("chest-memory");
  });

  it("gives the home back as it was", async () => {
    await mkdir(fresh.home.path(".claude"));
    await writeFile(
      fresh.home.path(".claude.json"),
      '{\n  "numStartups": 3,\n  "mcpServers": {\n    "docs": {"command": "npx"}\n  }\n}',
    );
    await writeFile(fresh.home.path(".claude/settings.json"), '{ "model": "opus" }');
    const contents = async () =>
      Object.fromEntries(Object.entries(await fresh.home.files()).map(([name, { text }]) => [name, text]));
    const before = await contents();

    await setup(remote());
    expect(await contents()).not.toEqual(before);
    expect(await setup(["--remove", "--yes"])).toMatchObject({ exitCode: 0 });

    expect(await contents()).toEqual(before);
    expect(await setup(["--remove", "--yes"])).toMatchObject({ exitCode: 0 });
    expect(await contents()).toEqual(before);
  });

  it("leaves neither a file nor a folder in an empty home", async () => {
    await fakeClaude(fresh.home, { isBroken: true });
    const before = Object.keys(await fresh.home.files());
    for (const client of ["claude-code", "cursor", "codex,zed,cline"]) {
      expect((await setup(remote("--client", client))).exitCode).toBe(0);
      const removed = await setup(["--remove", "--yes", "--client", client]);
      expect(removed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^removed +folder /m) });
      expect(Object.keys(await fresh.home.files())).toEqual(before);
      // The check has run the client, which keeps its outbox in this folder.
      expect(await readdir(fresh.home.dir)).toEqual([".chest-memory"]);
    }
  });

  it("leaves a folder that it made and that has other content by now", async () => {
    await setup(remote("--client", "cursor,zed"));
    await fresh.home.write(".cursor/rules/mine.mdc", "mine");
    expect((await setup(["--remove", "--yes", "--client", "cursor,zed"])).exitCode).toBe(0);
    expect(Object.keys(await fresh.home.files())).toEqual([".cursor/rules/mine.mdc"]);
    expect((await readdir(fresh.home.dir)).sort()).toEqual([".chest-memory", ".cursor"]);
  });

  it.each([
    [
      "nobody answers",
      () => ["--docker", "http://127.0.0.1:9", "--token-file", fresh.tokenFile],
      "nobody listens|no answer|refused",
    ],
    ["the token is another one", () => ["--docker", fresh.backend.url, `${"w".repeat(40)}`], "token"],
    ["there is no token", () => ["--docker", fresh.backend.url], "there is no token"],
    [
      "the address is none",
      () => ["--nginx", "chest.example.org", "--token-file", fresh.tokenFile],
      "is not an http or https URL",
    ],
    [
      "the token's file is not there",
      () => ["--docker", fresh.backend.url, "--token-file", "/nowhere/token"],
      "cannot be read",
    ],
    ["two places are named", () => ["--docker", fresh.backend.url, "--local"], "exclude each other"],
    ["the agent is unknown", () => ["--client", "emacs"], "use one of claude-code, cursor"],
    [
      "the authority's file is none",
      () => ["--nginx", "https://chest.example.org", "--token-file", fresh.tokenFile, "--ca-file", fresh.tokenFile],
      "--ca-file .* holds no PEM certificate",
    ],
    ["an authority is named for no backend", () => ["--local", "--ca-file", fresh.tokenFile], "is for a backend"],
    ["a flag is unknown", () => ["--dokcer", fresh.backend.url], "did you mean `.*--docker"],
  ])("writes nothing when %s", async (_, args, problem) => {
    const { exitCode, stderr } = await setup([...args(), "--yes"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(problem));
    expect(await readdir(fresh.home.dir)).toEqual([]);
  });

  it("writes nothing without a terminal to ask on, or in a dry run", async () => {
    expect(await setup(["--docker", fresh.backend.url, "--token-file", fresh.tokenFile])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--yes"),
    });
    const dry = await setup(["--docker", fresh.backend.url, "--token-file", fresh.tokenFile, "--dry-run"]);
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("would be added") });
    expect(await readdir(fresh.home.dir)).toEqual([]);
  });

  it.skipIf(!hasTerminals)("asks for the token and for consent on a terminal, and shows no token", async () => {
    const agreed = await onTerminal(["setup", "--docker", fresh.backend.url], [fresh.backend.token, "y"]);
    expect(agreed).toMatchObject({
      exitCode: 0,
      screen: expect.stringMatching(
        /1 {2}Claude Code {2}~\/\.claude\.json[\s\S]*every member[\s\S]*connect them\?[\s\S]*added/,
      ),
    });
    expect(agreed.screen).not.toContain(fresh.backend.token);
    const before = await fresh.home.files();
    for (const answer of ["n", "\x03", "\x04"]) {
      const { exitCode, screen } = await onTerminal(["setup", "--remove"], [answer]);
      expect(screen).not.toMatch(/^\s+at /m);
      expect(exitCode).toBe(answer === "\x03" ? 130 : 0);
      if (answer !== "\x03") expect(screen).toContain("nothing was changed");
    }
    expect(await fresh.home.files()).toEqual(before);
    const removed = await onTerminal(["setup", "--remove"], ["yes"]);
    expect(removed).toMatchObject({ exitCode: 0, screen: expect.stringMatching(/^removed +server for claude-code/m) });
    expect(await fresh.home.files()).toEqual({});
    expect((await onTerminal(["setup", "--remove"], [])).screen).toContain("nothing of Chest is connected");
  });

  it("leaves a damaged file as it is, does the rest, and says that it is not complete", async () => {
    await writeFile(fresh.home.path(".claude.json"), '{ "mcpServers": ');

    const { exitCode, stdout } = await setup(remote());

    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/failed +server for claude-code.*is damaged and was not changed: line 1/);
    expect(stdout).toContain("not complete");
    expect(await fresh.home.text(".claude.json")).toBe('{ "mcpServers": ');
    expect((await fresh.home.json(".claude", "settings.json")).hooks).toHaveProperty("Stop");
  });

  it("warns of a token in the command line", async () => {
    const { exitCode, stderr } = await setup(["--docker", fresh.backend.url, fresh.backend.token, "--yes"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("the token was in the command line"),
    });
  });

  it("determines what the command line uses from then on, and gives its token to no other backend", async () => {
    await setup(remote());
    const run = (...args: string[]) => fresh.home.index(args);

    expect(await run("status")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(fresh.backend.url) });
    const other = await run("status", "--remote-url", `http://localhost:${new URL(fresh.backend.url).port}`);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/token/i) });
  });
});

describe("chest-index setup, for this machine", () => {
  it("connects the agent to a local store", async () => {
    const { exitCode, stdout } = await setup(["--yes"]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("a store on this machine") });
    expect((await fresh.home.json(".claude.json")).mcpServers["chest-memory"].env).toEqual({ CHEST_MODE: "local" });
    expect(await fresh.home.json(".chest-memory", "client.json")).toEqual({ mode: "local" });
  });

  it.each([
    [
      "1.5's, its token in it",
      () => ({
        command: "npx",
        args: ["-y", "mcp-chest-memory@latest"],
        env: { CHEST_MODE: "remote", CHEST_REMOTE_URL: fresh.backend.url, CHEST_API_TOKEN: fresh.backend.token },
      }),
    ],
    [
      "one over HTTP",
      () => ({
        type: "http",
        url: `${fresh.backend.url}/mcp`,
        headers: { Authorization: `Bearer ${fresh.backend.token}` },
      }),
    ],
  ])("continues with the store that the agent has already: %s", async (_, entry) => {
    await fresh.home.write(".claude.json", JSON.stringify({ mcpServers: { "chest-memory": entry() } }));

    expect(await setup(["--yes"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(fresh.backend.url) });

    const { mcpServers } = await fresh.home.json(".claude.json");
    expect(mcpServers["chest-memory"]).toEqual({
      type: "stdio",
      command: launcher(),
      args: [join(fresh.installation.dist, "chest-memory.js")],
      env: {
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: fresh.backend.url,
        CHEST_API_TOKEN_FILE: fresh.home.path(".chest-memory/client-token"),
      },
    });
    expect(await fresh.home.text(".chest-memory/client-token")).toBe(`${fresh.backend.token}\n`);
    expect(Object.keys(await fresh.home.files())).not.toContain(".claude.json.bak");
  });

  it("never replaces a backend by a local store unless told to", async () => {
    await setup(remote());
    await setup(["--yes"]);
    expect((await fresh.home.json(".chest-memory", "client.json")).mode).toBe("remote");
    await setup(["--yes", "--local"]);
    expect(await fresh.home.json(".chest-memory", "client.json")).toEqual({ mode: "local" });
    expect((await fresh.home.json(".claude.json")).mcpServers["chest-memory"].env).toEqual({ CHEST_MODE: "local" });
  });
});

describe("chest-index install-hooks", () => {
  const hooks = (...args: string[]) => fresh.home.index(["install-hooks", ...args]);

  it("uses the folders and files of its arguments", async () => {
    const [data, settings, db] = [
      join(fresh.home.root, "my data"),
      join(fresh.home.root, "s.json"),
      join(fresh.home.root, "my.db"),
    ];

    const installed = await hooks("--data-dir", data, "--settings", settings, "--db-path", db);

    expect(installed).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(await readFile(settings, "utf8")).hooks.Stop[0].hooks[0].command).toBe(
      `'${data}/bin/chest-node' '${data}/bin/chest-hook.mjs' stop`,
    );
    expect(JSON.parse(await readFile(join(data, "client.json"), "utf8"))).toEqual({ mode: "local", db_path: db });
    expect(await readdir(fresh.home.dir)).toEqual([]);
    expect(await hooks("--settings", settings, "--remove")).toMatchObject({ exitCode: 0 });
    expect(await readFile(settings, "utf8")).toBe("{}\n");
    expect(existsSync(join(data, "bin/chest-hook.mjs"))).toBe(true);
  });

  it("leaves damaged settings as they are, even with --remove", async () => {
    const settings = join(fresh.home.root, "s.json");
    await writeFile(settings, '{\n  "hooks": [}');
    for (const args of [[], ["--remove"]]) {
      const { exitCode, stderr } = await hooks("--settings", settings, ...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("line 2") });
    }
    expect(await readFile(settings, "utf8")).toBe('{\n  "hooks": [}');
    expect(await readdir(fresh.home.dir)).toEqual([]);
  });

  it("never replaces a backend by a local store", async () => {
    await setup(remote());
    const before = await fresh.home.json(".chest-memory", "client.json");
    expect((await hooks()).exitCode).toBe(0);
    expect(await fresh.home.json(".chest-memory", "client.json")).toEqual(before);
  });
});

describe("chest-index setup --client", () => {
  const clients = [
    ["cursor", ".cursor/mcp.json", "mcpServers"],
    ["vscode", ".config/Code/User/mcp.json", "servers"],
    ["gemini", ".gemini/settings.json", "mcpServers"],
    ["claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"],
    ["windsurf", ".config/devin/mcp_config.json", "mcpServers"],
    ["zed", ".config/zed/settings.json", "context_servers"],
    ["cline", ".cline/data/settings/cline_mcp_settings.json", "mcpServers"],
    ["antigravity", ".gemini/config/mcp_config.json", "mcpServers"],
  ] as const;
  it.each(inShort(clients.slice(0, 2), [...clients]))(
    "registers the server with %s, beside others and comments, and takes it out again",
    async (client, file, key) => {
      const theirs = `{\n  // mine\n  "${key}": {\n    "docs": { "command": "npx" }\n  },\n  "theme": "dark"\n}\n`;
      await mkdir(fresh.home.path(file, ".."), { recursive: true });
      await writeFile(fresh.home.path(file), theirs);

      const { exitCode, stdout } = await setup(remote("--client", client));
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`undo it with \`chest-index setup --remove --client ${client} --yes\`\n`);

      const text = await fresh.home.text(file);
      for (const line of ["  // mine", '    "docs": { "command": "npx" }', '  "theme": "dark"'])
        expect(text).toContain(line);
      expect(JSON.parse(text.replace("// mine", ""))[key]["chest-memory"]).toMatchObject({
        command: launcher(),
        env: { CHEST_MODE: "remote", CHEST_REMOTE_URL: fresh.backend.url },
      });
      expect(existsSync(fresh.home.path(".claude"))).toBe(false);
      await setup(remote("--client", client));
      expect(await fresh.home.text(file)).toBe(text);
      const untold = await setup(["--remove", "--client", client]);
      expect(untold.stderr).toContain(`hint: \`chest-index setup --remove --client ${client} --yes\``);
      expect((await setup(["--remove", "--yes", "--client", client])).exitCode).toBe(0);
      expect(await fresh.home.text(file)).toBe(theirs);
    },
  );

  it("registers the server with Codex, in TOML", async () => {
    const theirs = '# mine\nmodel = "o3" # best\n\n[mcp_servers.docs]\ncommand = "npx"\n';
    await mkdir(fresh.home.path(".codex"));
    await writeFile(fresh.home.path(".codex/config.toml"), theirs);

    expect((await setup(remote("--client", "codex"))).exitCode).toBe(0);

    const text = await fresh.home.text(".codex/config.toml");
    expect(text.startsWith(theirs)).toBe(true);
    expect(text).toContain(
      `[mcp_servers.chest-memory]\ncommand = "${launcher()}"\nargs = ["${fresh.installation.dist}/chest-memory.js"]\n`,
    );
    expect(text).toContain(`[mcp_servers.chest-memory.env]\nCHEST_MODE = "remote"\n`);
    await setup(remote("--client", "codex"));
    expect(await fresh.home.text(".codex/config.toml")).toBe(text);
    await setup(["--local", "--yes", "--client", "codex"]);
    expect(await fresh.home.text(".codex/config.toml")).toContain('CHEST_MODE = "local"');
    await setup(["--remove", "--yes", "--client", "codex"]);
    expect(await fresh.home.text(".codex/config.toml")).toBe(theirs);
    await fresh.home.write(".codex/config.toml", "model = 1\n");
    await setup(remote("--client", "codex"));
    await setup(["--remove", "--yes", "--client", "codex"]);
    expect(await fresh.home.text(".codex/config.toml")).toBe("model = 1\n");
  });

  it("keeps what the user added to an entry, when it renews the entry", async () => {
    const claude = await fakeClaude(fresh.home);
    const theirs = { env: { CHEST_PROJECT: "acme", HTTPS_PROXY: "http://proxy:3128" }, timeout: 90_000 };
    const old = { command: "npx", args: ["-y", "mcp-chest-memory"], ...theirs };
    await fresh.home.write(".claude.json", JSON.stringify({ mcpServers: { "chest-memory": old } }));
    await fresh.home.write(
      ".cursor/mcp.json",
      JSON.stringify({ mcpServers: { "chest-memory": { ...old, trust: true } } }),
    );
    await fresh.home.write(
      ".codex/config.toml",
      '[mcp_servers.chest-memory]\ncommand = "npx"\nargs = ["mcp-chest-memory"]\nstartup_timeout_sec = 60\n\n[mcp_servers.chest-memory.env]\nCHEST_PROJECT = "acme"\n',
    );
    const everywhere = remote("--client", "claude-code,cursor,codex");

    expect((await setup(everywhere)).exitCode).toBe(0);

    const env = { ...theirs.env, CHEST_MODE: "remote", CHEST_REMOTE_URL: fresh.backend.url };
    const { mcpServers } = await fresh.home.json(".claude.json");
    expect(mcpServers["chest-memory"]).toMatchObject({ command: launcher(), env, timeout: 90_000 });
    expect((await claude.words()).at(-1)).toContain("CHEST_PROJECT=acme");
    const cursor = (await fresh.home.json(".cursor/mcp.json")).mcpServers["chest-memory"];
    expect(cursor).toMatchObject({ command: launcher(), env, timeout: 90_000, trust: true });
    const codex = await fresh.home.text(".codex/config.toml");
    for (const line of ["startup_timeout_sec = 60", 'CHEST_PROJECT = "acme"', 'CHEST_MODE = "remote"']) {
      expect(codex).toContain(line);
    }
    const before = await fresh.home.files();
    expect((await setup(everywhere)).exitCode).toBe(0);
    expect(await fresh.home.files()).toEqual(before);
  });

  it("removes the files that all agents share with the last agent only", async () => {
    await setup(remote("--client", "claude-code,cursor"));
    const program = fresh.home.path(".chest-memory/bin/chest-hook.mjs");
    await writeFile(`${program}.0123abcd.stop.cache`, "");

    const first = await setup(["--remove", "--yes", "--client", "claude-code"]);
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/unchanged +token .*\(for Cursor\)/) });
    // Cursor runs hooks as well.
    expect(existsSync(program)).toBe(true);
    for (const kept of ["client.json", "client-token"]) {
      expect(existsSync(fresh.home.path(".chest-memory", kept))).toBe(true);
    }

    const last = await setup(["--remove", "--yes", "--client", "cursor"]);
    expect(last).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("(the file too, which setup had made)"),
    });
    for (const gone of ["client.json", "client-token", "bin"]) {
      expect(existsSync(fresh.home.path(".chest-memory", gone))).toBe(false);
    }
  });

  it("keeps the hooks' files when another agent is removed", async () => {
    await setup(remote("--client", "claude-code,cursor"));
    await fresh.home.write(".claude.json", "{}");
    expect((await setup(["--remove", "--yes", "--client", "cursor"])).exitCode).toBe(0);
    expect(existsSync(fresh.home.path(".chest-memory/client-token"))).toBe(true);
  });

  it.each([[["--client", "cursor,gemini"]], [["--client", "cursor", "--client=gemini"]]])(
    "takes several at once: %j",
    async (words) => {
      expect((await setup(remote(...words))).exitCode).toBe(0);
      expect(
        existsSync(fresh.home.path(".cursor/mcp.json")) && existsSync(fresh.home.path(".gemini/settings.json")),
      ).toBe(true);
      expect(existsSync(fresh.home.path(".claude"))).toBe(false);
    },
  );

  const inOpenCode = () => ({
    type: "local",
    command: [launcher(), join(fresh.installation.dist, "chest-memory.js")],
    environment: expect.objectContaining({ CHEST_MODE: "remote", CHEST_REMOTE_URL: fresh.backend.url }),
  });
  it.each([
    [
      "of its first release",
      "opencode.json",
      '{\n  "mcp": {\n    "docs": { "type": "remote", "url": "https://d" }\n  }\n}\n',
    ],
    [
      "of its second",
      "opencode.jsonc",
      '{\n  // mine\n  "mcp": {\n    "servers": {\n      "docs": { "type": "remote", "url": "https://d" }\n    },\n    "timeout": 9\n  }\n}\n',
    ],
  ])("registers the server with OpenCode, in the form %s", async (_, name, theirs) => {
    const file = `.config/opencode/${name}`;
    await fresh.home.write(file, theirs);

    expect((await setup(remote("--client", "opencode"))).exitCode).toBe(0);

    const text = await fresh.home.text(file);
    const { mcp } = JSON.parse(text.replace("// mine", ""));
    expect((mcp.servers ?? mcp)["chest-memory"]).toEqual(inOpenCode());
    expect(await setup(remote("--client", "opencode"))).toMatchObject({
      stdout: expect.stringMatching(/^unchanged +server for opencode/m),
    });
    expect(await fresh.home.text(file)).toBe(text);
    await setup(["--remove", "--yes", "--client", "opencode"]);
    expect(await fresh.home.text(file)).toBe(theirs);
    expect(await readdir(fresh.home.path(".config/opencode"))).toEqual([name]);
  });

  it("writes into the file of an older release where that one exists, and removes it from both", async () => {
    const [older, newer] = [".gemini/antigravity/mcp_config.json", ".gemini/config/mcp_config.json"];
    await fresh.home.write(older, "{}");
    await setup(remote("--client", "antigravity"));
    expect((await fresh.home.json(older)).mcpServers).toHaveProperty("chest-memory");
    expect(existsSync(fresh.home.path(newer))).toBe(false);

    await fresh.home.write(newer, '{ "mcpServers": {} }');
    await setup(remote("--client", "antigravity"));
    expect((await fresh.home.json(newer)).mcpServers).toHaveProperty("chest-memory");
    await setup(["--remove", "--yes", "--client", "antigravity"]);
    expect(await fresh.home.text(older)).toBe("{}");
    expect(await fresh.home.json(newer)).toEqual({});
  });

  it("connects every installed agent with --yes, and removes all of them", async () => {
    await mkdir(fresh.home.path(".cursor"));
    await fresh.home.program("opencode", "#!/bin/sh\n");

    const { exitCode, stdout } = await setup(remote());

    expect(exitCode).toBe(0);
    expect(stdout).toContain("chest-index setup --remove --client cursor,opencode --yes");
    for (const file of [".cursor/mcp.json", ".config/opencode/opencode.json"])
      expect(existsSync(fresh.home.path(file))).toBe(true);
    const { installed } = JSON.parse((await setup(remote("--dry-run", "--json"))).stdout);
    expect(installed).toEqual(["cursor", "opencode"]);
    expect((await setup(["--remove", "--yes"])).exitCode).toBe(0);
    expect(await fresh.home.files()).toEqual({});
  });

  it.skipIf(!hasTerminals)("offers the installed agents on a terminal, with one list and one answer", async () => {
    await mkdir(fresh.home.path(".cursor"));
    await mkdir(fresh.home.path(".codex"));
    const words = ["setup", "--docker", fresh.backend.url, "--token-file", fresh.tokenFile];
    const no = await onTerminal(words, ["Emacs", "", "codex, zed", "none"]);
    expect(no).toMatchObject({ exitCode: 0, screen: expect.stringContaining("nothing was changed") });
    expect(no.screen.match(/\[y: all, n: no/g)).toHaveLength(4);
    expect(no.screen).toMatch(/`Emacs` is not in the list/);
    expect(Object.keys(await fresh.home.files())).toEqual([]);

    const one = await onTerminal(words, ["Codex"]);
    expect(one).toMatchObject({ exitCode: 0, screen: expect.stringMatching(/^added +server for codex/m) });
    expect(existsSync(fresh.home.path(".cursor/mcp.json"))).toBe(false);
    const rest = await onTerminal(words, ["ALL"]);
    expect(rest).toMatchObject({ exitCode: 0, screen: expect.stringMatching(/^added +server for cursor/m) });
    expect(rest.screen).not.toMatch(/\d {2}Codex/);
    expect(rest.screen).toMatch(/now:[\s\S]*restart Cursor[\s\S]*say to it[\s\S]*look: `chest-index recall/);
    const again = await onTerminal(words, []);
    expect(again).toMatchObject({ exitCode: 0, screen: expect.stringContaining("connected already: Cursor, Codex") });

    const half = await onTerminal(["setup", "--remove"], ["2"]);
    expect(half).toMatchObject({ exitCode: 0, screen: expect.stringMatching(/^removed +server for codex/m) });
    expect(existsSync(fresh.home.path(".cursor/mcp.json"))).toBe(true);
    expect(existsSync(fresh.home.path(".chest-memory/client-token"))).toBe(true);
    await onTerminal(["setup", "--remove"], ["y"]);
    expect(await fresh.home.files()).toEqual({});
  });

  it.skipIf(!hasTerminals)("leaves out an agent whose file cannot be edited, and says why", async () => {
    await mkdir(fresh.home.path(".codex"));
    await fresh.home.write(".cursor/mcp.json", '{ "mcpServers": ');
    const { screen, exitCode } = await onTerminal(["setup", "--local"], ["y"]);
    expect(screen).toMatch(/left out: Cursor: .*is damaged and was not changed: line 1/);
    expect(screen).toMatch(/^added +server for codex/m);
    expect(exitCode).toBe(0);
    expect(await fresh.home.text(".cursor/mcp.json")).toBe('{ "mcpServers": ');
  });

  it.skipIf(!hasTerminals)("offers the sessions on this machine, and imports them", async () => {
    await mkdir(fresh.home.path(".claude"));
    for (const session of ["one", "two"])
      await fresh.home.write(`.claude/projects/acme/${session}.jsonl`, aTranscript(session, fresh.home.dir));
    const { screen, exitCode } = await onTerminal(["setup", "--local"], ["y"]);
    expect(screen).toMatch(/2 {2}past sessions {2}2 sessions of 1 week; reads them in some seconds/);
    expect(exitCode).toBe(0);
    expect(await fresh.home.index(["recall", "migration", "--json"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Always run the migration check"),
    });
    const again = await onTerminal(["setup"], []);
    expect(again.screen).toContain("connected already: Claude Code");
  });

  it("imports past sessions without asking only where that is requested", async () => {
    await fresh.home.write(".claude/projects/acme/one.jsonl", aTranscript("one", fresh.home.dir));
    expect((await setup(["--yes", "--local"])).stdout).toContain("`chest-index import --all`".replaceAll("`", ""));
    expect((await fresh.home.index(["recall", "migration"])).stdout).not.toContain("migration check");
    expect((await setup(["--yes", "--history"])).exitCode).toBe(0);
    expect((await fresh.home.index(["recall", "migration"])).stdout).toContain("migration check");
  });

  it("prefers the backend that runs on this data folder, on any port, to a store on this machine", async () => {
    await fresh.home.write(".chest-memory/token", `${fresh.backend.token}\n`);
    const note = (url: string) =>
      fresh.home.write(".chest-memory/backend.json", JSON.stringify({ url, pid: process.pid }));
    await note(fresh.backend.url);
    expect(await setup(["--yes"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${fresh.backend.url} answers`),
    });
    expect(await fresh.home.json(".chest-memory", "client.json")).toMatchObject({ url: fresh.backend.url });
    await setup(["--remove", "--yes"]);
    await note("http://127.0.0.1:9");
    expect(await setup(["--yes"])).toMatchObject({ stdout: expect.stringContaining("a store on this machine") });
  });
});

describe("the guide to take a client away", () => {
  it("leaves no Chest file in a home, and everything that was there before", async () => {
    const away = commandsOf("uninstall.md", "Take the client away").join("");
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect(scripts.setup).toBe("node deploy/local/run.mjs setup");
    await fresh.home.write(".claude/settings.json", '{ "model": "opus" }');
    await setup(remote());
    // Imitates that the agent was used.
    await mkdir(fresh.home.path(".claude/projects/acme"), { recursive: true });

    // The script that receives the arguments; no user can answer its questions here.
    const script = away.replace("npm run setup -- --remove", "chest-index setup --remove --yes");
    expect(script).not.toContain("npm");
    const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd: ROOT, env: fresh.home.env });
    expect(stdout).toContain("the outbox is empty");
    const left = Object.entries(await fresh.home.files()).map(([name, { text }]) => [name, text.trim()]);
    expect(left).toEqual([[".claude/settings.json", '{ "model": "opus" }']]);
    expect(existsSync(fresh.home.path(".chest-memory"))).toBe(false);
  });
});

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runProgram } from "../support/clients/cli.ts";
import { freshHomes } from "../support/deployment/homes.ts";
import { freePort } from "../support/free-port.ts";
import { cleanEnv, ROOT } from "../support/process.ts";

const fresh = freshHomes();
const run = promisify(execFile);

/** Collects the commands in the hints and offers that a command printed. */
const commandsIn = (printed: string): string[] =>
  [...printed.matchAll(/`((?:[A-Z_]+=\S+ )*(?:chest-index|npm|npx|node|rm|chmod|ls|docker|sudo)\b[^`]*)`/g)].map(
    ([, command = ""]) => command,
  );

/** Runs a command in a shell of that home, as if it were pasted. */
async function paste(command: string, env: NodeJS.ProcessEnv = {}) {
  const told = await run("sh", ["-c", command], { env: { ...fresh.home.env, ...env }, cwd: fresh.home.dir }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
  return told as { readonly code: number; readonly stdout: string; readonly stderr: string };
}

const at = (url: string) => ["--remote-url", url, "--token-file", fresh.tokenFile];
const away = async () => `http://127.0.0.1:${await freePort()}`;
const ENTRY = "01800000000000-0000-0a0b0c0d";

/** Command as typed, part of the hint that it prints, and the setup before it. */
type Provoked = readonly [typed: () => Promise<string[]> | string[], names: string, needs?: () => Promise<unknown>];

const PROVOKED: Readonly<Record<string, Provoked>> = {
  "a mistyped command": [() => ["stauts", "--json"], "chest-index status --json"],
  "a mistyped flag": [() => ["doctor", "client", "--timeuot", "2"], "chest-index doctor client --timeout 2"],
  "an argument too many": [() => ["status", "now"], "chest-index status --help"],
  "a flag without a value": [() => ["list", "--layer"], "chest-index list --help"],
  "no store yet": [() => ["show", "1"], "chest-index setup --docker URL"],
  "a backend that is away": [async () => ["status", ...at(await away())], "chest-index doctor client"],
  "no memory of that id": [() => ["show", "999999", ...at(fresh.backend.url)], "chest-index list"],
  "a history of nothing": [() => ["history", "999999", ...at(fresh.backend.url)], "chest-index list"],
  "a command for the store's file, beside a backend": [
    () => ["fts", "check"],
    "CHEST_MODE=local chest-index fts check",
    () => connect(),
  ],
  "a scan beside a backend": [() => ["scan"], "CHEST_MODE=local chest-index scan", () => connect()],
  "an export beside a backend": [
    () => ["export", "--out", "all.ndjson"],
    "CHEST_MODE=local chest-index export --out all.ndjson",
    () => connect(),
  ],
  "another model for a backend's store": [
    () => ["reembed", "--check"],
    "CHEST_MODE=local chest-index reembed --check",
    () => connect(),
  ],
  "an export that needs a file": [() => ["export", "--json"], "chest-index export --json --out FILE"],
  "a setup that nobody can agree to": [
    () => ["setup", "--local", "--client", "cursor"],
    "chest-index setup --local --client cursor --yes",
  ],
  "an entry that is not in the outbox": [() => ["outbox", "drop", ENTRY], "chest-index outbox list"],
  "a write for another backend": [
    () => ["outbox", "retry", ENTRY],
    `chest-index outbox retry ${ENTRY} --remote-url http://127.0.0.1:`,
    async () => {
      await connect();
      const own = { format: 1, id: ENTRY, url: await away(), queued_at: new Date().toISOString() };
      const call = { tool: "chest_remember", input: {}, key: "k", request_id: "r", may_have_arrived: false };
      await fresh.home.write(`.chest-memory/outbox/${ENTRY}.json`, JSON.stringify({ ...own, ...call }));
    },
  ],
  "a backup that is none": [() => ["restore", fresh.home.path("none.db")], "chest-index backup --list"],
  "a profile that is damaged": [
    () => ["status"],
    "client.json' && chest-index setup",
    () => fresh.home.write(".chest-memory/client.json", "{"),
  ],
};

const connect = () =>
  fresh.home.index(["setup", "--yes", "--docker", fresh.backend.url, "--token-file", fresh.tokenFile]);

describe("what a hint says to type", () => {
  it.each(Object.keys(PROVOKED))("can be pasted: %s", async (name) => {
    const [typed, names, needs] = PROVOKED[name] ?? [() => [], "nothing"];
    await needs?.();
    const { exitCode, stderr } = await fresh.home.index(await typed());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^hint: \S/m);
    expect(commandsIn(stderr).join("\n")).toContain(names);
    for (const command of commandsIn(stderr)) {
      // Capital letters stand for values that only the user knows.
      if (/ [A-Z]+\b/.test(command) || command.startsWith("docker ")) continue;
      const pasted = await paste(command);
      expect(pasted.stderr, command).not.toMatch(
        /unknown (command|flag)|unexpected argument|missing required|needs a (value|command)|: not found$/im,
      );
      expect([0, 1, 2], command).toContain(pasted.code);
    }
  });

  it("is the typed command, corrected", async () => {
    const { stderr } = await fresh.home.index([
      "sttaus",
      "--remote-url",
      fresh.backend.url,
      "--token-file",
      fresh.tokenFile,
    ]);
    const [command = ""] = commandsIn(stderr);
    expect(await paste(command)).toMatchObject({ code: 0, stdout: expect.stringContaining(fresh.backend.url) });
  });

  it("keeps the backend and the token from the command line", async () => {
    const url = await away();
    const { stderr } = await fresh.home.index(["status", ...at(url)]);
    expect(stderr).toContain(
      `\`chest-index doctor client --remote-url ${url} --token-file ${fresh.tokenFile}\` tells more`,
    );
  });

  it.each([
    ["a file", () => ["--token-file", join(fresh.home.root, "wrong")], {}, "wrong`"],
    ["a variable", () => [], { CHEST_API_TOKEN: "w".repeat(40) }, "CHEST_API_TOKEN"],
  ])("names the origin of a refused token: %s", async (_, flags, env, from) => {
    await writeFile(join(fresh.home.root, "wrong"), "w".repeat(40));
    const words = ["status", "--remote-url", fresh.backend.url, ...flags()];
    const { exitCode, stderr } = await fresh.home.index(words, env);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/refuses the token from .*\nhint: ask the operator of the backend for the right one/);
    expect(stderr).toContain(from);
    expect(stderr).not.toContain("w".repeat(40));
  });

  it("names the token that `npm start` made, and connects with it", async () => {
    await fresh.home.write(".chest-memory/token", `${fresh.backend.token}\n`);
    await writeFile(join(fresh.home.root, "wrong"), "w".repeat(40));
    const wrong = ["--token-file", join(fresh.home.root, "wrong")];

    const asked = await fresh.home.index(["status", "--remote-url", fresh.backend.url, ...wrong]);
    const [, again = ""] = commandsIn(asked.stderr.replace("`npm start` made", ""));
    expect(await paste(commandsIn(asked.stderr).at(-1) ?? again)).toMatchObject({ code: 0 });

    const setup = await fresh.home.index([
      "setup",
      "--docker",
      fresh.backend.url,
      ...wrong,
      "--client",
      "cursor",
      "--yes",
    ]);
    expect(await paste(commandsIn(setup.stderr).at(-1) ?? "")).toMatchObject({ code: 0 });
    expect(existsSync(fresh.home.path(".cursor/mcp.json"))).toBe(true);
    expect(existsSync(fresh.home.path(".claude"))).toBe(false);
  });
});

describe("a hint in a clone", () => {
  const started: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of started.splice(0)) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });

  /** Runs a script of this repository with npm, with that home. */
  const typed = (script: string, words: readonly string[], cwd = ROOT) =>
    runProgram(
      [join(ROOT, "apps/mcp/dist/chest-index.js"), ...(script === "setup" ? ["setup"] : []), ...words],
      {
        ...cleanEnv({ HOME: fresh.home.dir }),
        npm_lifecycle_event: script,
        npm_package_name: "chest",
        npm_package_json: join(ROOT, "package.json"),
      },
      cwd,
    );

  it("is a script of npm, wherever it is typed", async () => {
    expect((await typed("chest-index", ["stauts"])).stderr).toContain("`npm run -s chest-index -- status`");
    expect((await typed("setup", ["--local"])).stderr).toContain("`npm run setup -- --local --yes`");
    const elsewhere = await typed("chest-index", ["stauts"], fresh.home.dir);
    expect(elsewhere.stderr).toContain(`\`npm --prefix ${ROOT} run -s chest-index -- status\``);
    const [command = ""] = commandsIn((await typed("chest-index", ["status", "--jsno"])).stderr);
    const { code, stdout } = await run("sh", ["-c", command], {
      cwd: ROOT,
      env: cleanEnv({ HOME: fresh.home.dir }),
    }).then(
      (ended) => ({ code: 0, ...ended }),
      (ended) => ended,
    );
    // That home has no store, which the command says in one document.
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: "INVALID_INPUT" });
  });

  it("starts the backend that is down, and the command succeeds", async () => {
    const port = await freePort();
    const words = [
      "status",
      "--remote-url",
      `http://127.0.0.1:${port}`,
      "--token-file",
      fresh.home.path(".chest-memory/token"),
    ];
    await fresh.home.write(".chest-memory/token", `cht_${"s".repeat(40)}\n`);
    const { stderr } = await typed("chest-index", words);
    const [start = ""] = commandsIn(stderr);
    expect(start).toBe(`CHEST_PORT=${port} npm start`);

    const child = spawn("sh", ["-c", `exec env ${start}`], {
      cwd: ROOT,
      env: cleanEnv({ HOME: fresh.home.dir }),
      stdio: "ignore",
    });
    started.push(child);
    const answers = async () => expect((await fetch(`http://127.0.0.1:${port}/healthz`)).ok).toBe(true);
    await vi.waitFor(answers, { timeout: 100_000, interval: 100 });
    expect(await typed("chest-index", words)).toMatchObject({ exitCode: 0 });
  }, 180_000);
});

it("equals what doctor says, with the backend down and with another token", async () => {
  await fresh.home.write(".chest-memory/token", `${fresh.backend.token}\n`);
  await writeFile(join(fresh.home.root, "wrong"), "w".repeat(40));
  const words = [
    "doctor",
    "client",
    "--json",
    "--remote-url",
    fresh.backend.url,
    "--token-file",
    join(fresh.home.root, "wrong"),
  ];
  const { stdout } = await fresh.home.index(words);
  const { results } = JSON.parse(stdout);
  const { fix_hint } = results.find(({ id }: { id: string }) => id === "client.network.capabilities");
  expect(fix_hint).toMatch(/^chest-index setup --yes --docker '.*' --token-file '.*\.chest-memory\/token'$/);
  expect(await paste(fix_hint)).toMatchObject({ code: 0 });
});

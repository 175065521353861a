import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { aFolder, aPort, start } from "./testing/process.ts";
import { TOKEN } from "./testing/token.ts";

// The tests start processes, on a machine that runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000 });

async function anEnvironment() {
  const dataDir = join(aFolder(), "data");
  const port = await aPort();
  const env = {
    CHEST_API_TOKEN: TOKEN,
    CHEST_PORT: String(port),
    CHEST_BIND_HOST: "127.0.0.1",
    CHEST_DATA_DIR: dataDir,
  };
  return { env, dataDir, url: `http://127.0.0.1:${port}` };
}

it("says where it listens, answers, and ends cleanly on SIGTERM", async () => {
  const { env, dataDir, url } = await anEnvironment();
  const server = start("main", env);
  const line = (await server.has('"listening"')).split("\n").find((text) => text.includes('"listening"'));

  expect(JSON.parse(line ?? "")).toMatchObject({ level: 30, url, store: join(dataDir, "chest.db") });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 10_000 }).toBe(200);
  server.stop("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.output.stderr).toBe("");
});

it("keeps what it stored over a restart", async () => {
  const { env, url } = await anEnvironment();
  const ask = async (tool: string, body: object) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${url}/api/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as { result: Record<string, unknown> };
  };
  const first = start("main", env);
  await first.has('"listening"');
  const fact = {
    entity_name: "acme",
    entity_kind: "project",
    layer: "learning",
    content: "releases leave on thursdays",
  };
  const { result } = await ask("chest_remember", fact);
  first.stop("SIGINT");
  expect(await first.ended).toBe(0);

  const second = start("main", env);
  await second.has('"listening"');
  expect((await ask("chest_recall", { query: "thursdays" })).result).toMatchObject({
    memories: [{ id: result.memory_id, content: fact.content }],
  });
});

it("names every problem of its configuration and touches nothing", async () => {
  const { env, dataDir } = await anEnvironment();
  const server = start("main", { ...env, CHEST_API_TOKEN: "short", CHEST_FUSION: "magic" });

  expect(await server.ended).toBe(1);
  expect(server.output.stderr).toMatch(/CHEST_API_TOKEN: has fewer than 32 characters\n.*CHEST_FUSION: `magic`/);
  expect(existsSync(dataDir)).toBe(false);
});

it("names the variable when its port is taken", async () => {
  const { env } = await anEnvironment();
  const first = start("main", env);
  await first.has('"listening"');
  const second = start("main", env);

  expect(await second.ended).toBe(1);
  expect(second.output.stderr).toMatch(/^chest-server: port \d+ is in use.*\nhint: .*CHEST_PORT/);
  expect(first.output.stderr).toBe("");
});

it("says in plain words that a store cannot be opened", async () => {
  const { env, dataDir } = await anEnvironment();
  const broken = join(aFolder(), "chest.db");
  writeFileSync(broken, "this is no database, and long enough to be looked at".repeat(100));
  const server = start("main", { ...env, CHEST_DB_PATH: broken });

  expect(await server.ended).toBe(1);
  expect(server.output.stderr).toMatch(/^chest-server: .+\nhint: .+/);
  expect(server.output.stderr).not.toContain("    at ");
  expect(existsSync(join(dataDir, "chest.db"))).toBe(false);
});

it("warns of unknown settings", async () => {
  const { env } = await anEnvironment();
  const server = start("main", { ...env, CHEST_PROT: "1" });

  expect(await server.has('"listening"')).toContain("unknown, so ignored: CHEST_PROT");
});

it("checks configuration and store with --check, and creates neither", async () => {
  const { env, dataDir } = await anEnvironment();
  const unmade = start("main", env, ["--check"]);
  expect(await unmade.ended).toBe(0);
  expect(unmade.output.stdout).toContain("the first start will create");
  expect(existsSync(dataDir)).toBe(false);

  const server = start("main", env);
  await server.has('"listening"');
  const made = start("main", env, ["--check"]);
  expect(await made.ended).toBe(0);
  expect(made.output.stdout).toContain("can be read and written");

  expect(await start("main", { ...env, CHEST_PORT: "0" }, ["--check"]).ended).toBe(1);
});

it("rejects a configuration that a start could not use, and creates nothing to find out", async () => {
  const { env, dataDir } = await anEnvironment();
  const check = async (over: Readonly<Record<string, string>>) => {
    const checked = start("main", { ...env, ...over }, ["--check"]);
    expect(await checked.ended).toBe(1);
    return checked.output.stderr;
  };
  const file = join(aFolder(), "file");
  writeFileSync(file, "");
  expect(await check({ CHEST_DATA_DIR: file })).toContain("cannot be used (EEXIST)");
  expect(await check({ CHEST_BACKUP_DIR: join(file, "backups") })).toContain("cannot be used (ENOTDIR)");
  expect(await check({ CHEST_BIND_HOST: "not a host" })).toMatch(/no address `not a host`\nhint: .*CHEST_BIND_HOST/);
  const both = await check({ CHEST_SYNONYMS_FILE: join(dataDir, "none"), CHEST_PORT: "abc" });
  expect(both).toMatch(/CHEST_PORT: [\s\S]*CHEST_SYNONYMS_FILE: .*\(ENOENT\)/);
  expect(existsSync(dataDir)).toBe(false);
});

it("opens no store when this machine lacks the address", async () => {
  const { env, dataDir } = await anEnvironment();
  const server = start("main", { ...env, CHEST_BIND_HOST: "not a host" });

  expect(await server.ended).toBe(1);
  expect(server.output.stderr).toContain("no address `not a host`");
  expect(existsSync(dataDir)).toBe(false);
});

it("refuses an argument that it does not know", async () => {
  const server = start("main", {}, ["--chekc"]);

  expect(await server.ended).toBe(2);
  expect(server.output.stderr).toBe("chest-server: unexpected argument `--chekc`\nhint: it takes `--check`, or none\n");
});

it("acknowledges nothing and is not ready once its store has been moved away, and says so", async () => {
  const { env, dataDir, url } = await anEnvironment();
  const server = start("main", env);
  await server.has('"listening"');
  const remember = (content: string) =>
    fetch(`${url}/api/tools/chest_remember`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ entity_name: "acme", entity_kind: "project", layer: "learning", content }),
    });
  expect((await remember("releases leave on thursdays")).status).toBe(200);
  const store = join(dataDir, "chest.db");
  renameSync(store, `${store}.moved`);
  for (const suffix of ["-wal", "-shm"]) rmSync(store + suffix);

  const refused = await remember("releases leave on fridays");
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 503,
    body: { error: { code: "UNAVAILABLE", hint: expect.stringContaining("`chest.db`") } },
  });
  const ready = await fetch(`${url}/readyz`);
  expect({ status: ready.status, body: await ready.json() }).toMatchObject({
    status: 503,
    body: { checks: { writer: "error" } },
  });
  await server.has("accepts no more writes");
  server.stop("SIGTERM");
  expect(await server.ended).toBe(0);
});

it.skipIf(process.platform !== "linux")("ends with the folder's name where no folder can be made", async () => {
  const { env } = await anEnvironment();
  for (const name of ["CHEST_DATA_DIR", "CHEST_BACKUP_DIR"]) {
    const server = start("main", { ...env, [name]: "/proc/chest/data" });
    expect(await server.ended).toBe(1);
    expect(server.output.stderr).toMatch(
      /^chest-server: the folder `\/proc\/chest\/data` cannot be used \(ENOENT\)\nhint: /,
    );
  }
});

it.runIf(process.platform === "linux")("survives more idle connections than it may open files", async () => {
  const { env, url } = await anEnvironment();
  const server = start("main", env, [], { openFiles: 200 });
  const { port } = new URL(url);
  await expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
  const sockets = Array.from({ length: 300 }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
  await sleep(1500);
  expect(server.output.stderr).toBe("");

  for (const socket of sockets) socket.destroy();
  await expect
    .poll(
      () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
});

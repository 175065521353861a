import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeCertificate, startFakeBackend } from "@chest/client/testing";
import { FIXTURE_ENV, fixtureModels, OTHER_FIXTURE_ENV, startHub } from "@chest/models/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { restDoor } from "../support/clients/doors.ts";
import { canMount, mountDisk } from "../support/deployment/disk.ts";
import { hasNginx, startTlsProxy } from "../support/deployment/nginx.ts";
import { freePort } from "../support/free-port.ts";
import { CHEST_INDEX, cleanEnv, NODE_24, ROOT } from "../support/process.ts";
import { withStoreFile } from "../support/store-file.ts";

vi.setConfig({ testTimeout: 180_000 });

const TOKEN = `cht_${"d".repeat(40)}`;
const run = promisify(execFile);

interface Finding {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly fix_hint: string;
}
interface Report {
  readonly exitCode: number | null;
  readonly results: readonly Finding[];
  find(id: string): Finding;
}

/** Every check, those that found something wrong in these tests, and those that had nothing to say any more after it. */
const known = new Set<string>();
const complained = new Set<string>();
const mended = new Set<string>();

let root: string;
let dir: string;
let port: number;
let backend: Backend | undefined;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "chest-doctor-"));
  dir = join(root, "data");
  port = await freePort();
  // A fix is run as it is written: with `chest-index` on the path, and without a word about who runs it.
  mkdirSync(join(root, "bin"));
  const shim = (name: string, line: string) =>
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  shim("chest-index", `exec '${NODE_24}' '${CHEST_INDEX}' "$@"`);
  shim("docker", "exit 1");
  // The test notes what a fix would run as root, and runs it.
  shim("sudo", 'exec "$@"');
  shim("systemctl", `[ "$1" = cat ] && exec test -e '${unit()}'; echo "systemctl $*" >>'${join(root, "asked")}'`);
  writeFileSync(unit(), "");
  shim("npm", `echo "npm $*" >>'${join(root, "asked")}'`);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await backend?.kill9();
  backend = undefined;
  rmSync(root, { recursive: true, force: true });
});

/** Unit file of the server as systemd here has it. */
const unit = () => join(root, "chest.service");

const environment = (over: NodeJS.ProcessEnv = {}) =>
  cleanEnv({
    PATH: `${join(root, "bin")}:${process.env.PATH}`,
    CHEST_DATA_DIR: dir,
    CHEST_PORT: String(port),
    CHEST_API_TOKEN: TOKEN,
    ...over,
  });

async function doctor(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Report> {
  const { exitCode, stdout } = await runCli(
    ["doctor", "server", "--json", "--timeout", "60", ...args],
    environment(env),
  );
  const { results, exit_code } = JSON.parse(stdout) as { results: Finding[]; exit_code: number };
  expect(exit_code).toBe(exitCode);
  for (const { id, status } of results) {
    known.add(id);
    if (status === "warn" || status === "fail") complained.add(id);
    else if (status === "ok" && complained.has(id)) mended.add(id);
  }
  return {
    exitCode,
    results,
    find: (id) => results.find((finding) => finding.id === id) ?? expect.fail(`no ${id}`),
  };
}

const start = async (env: NodeJS.ProcessEnv = {}) => {
  backend = await startBackend({ dataDir: dir, token: TOKEN, port, env });
  return backend;
};
const remember = (content: string) =>
  vi.waitFor(
    async () => {
      const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content };
      expect((await restDoor(backend as Backend).call("chest_remember", fact)).error).toBeUndefined();
    },
    { timeout: 30_000, interval: 500 },
  );
const apply = ({ fix_hint }: Finding, env: NodeJS.ProcessEnv = {}) =>
  run("sh", ["-ec", fix_hint], { env: environment(env) });
const askedOfTheMachine = () => readFileSync(join(root, "asked"), "utf8").trim();
const store = () => join(dir, "chest.db");

/** Each finding of a report that is not well. */
const amiss = ({ results }: Report) => results.filter(({ status }) => status === "warn" || status === "fail");

describe("doctor server, for a bare process", () => {
  it("finds nothing wrong with a fresh backend, and asks every question in its order", async () => {
    await start();
    await remember("the eel swims upstream");
    const report = await doctor();
    expect(amiss(report)).toEqual([]);
    for (const id of ["server.vectors", "server.embedder"]) expect(report.find(id).message).toContain("note: no model");
    expect(report.find("server.backup").message).toContain("a minute after the start");
    expect(report.exitCode).toBe(0);
    expect(
      report.results
        .map(({ id }) => id)
        .filter((id) => !id.startsWith("server.postgres."))
        .slice(0, 14),
    ).toEqual([
      "server.docker.daemon",
      "server.docker.container",
      "server.docker.health",
      "server.compose.override",
      "server.compose.deploy_files",
      ...["exists", "integrity", "journal_mode", "tables", "writable"].map((id) => `server.db.${id}`),
      "server.env.token",
      "server.env.mode",
      "server.network.health",
      "server.network.capabilities",
    ]);
    for (const { status, fix_hint } of report.results)
      expect(fix_hint === "").toBe(status === "ok" || status === "skip");
    const shown = await runCli(["doctor", "server"], environment());
    expect(shown.stdout).toMatch(
      /^chest-index doctor server\n[\s\S]*\nSummary: ok=\d+ warn=0 fail=0 skip=17\nExit code: 0\n$/,
    );
  });

  it("sees files that others can read, and a store without a backup; the fixes mend both", async () => {
    await start({ CHEST_BACKUP_INTERVAL_HOURS: "0" });
    await remember("the eel swims upstream");
    chmodSync(dir, 0o755);
    chmodSync(store(), 0o644);

    const before = await doctor();
    expect([before.find("server.permissions").status, before.find("server.backup").status]).toEqual(["warn", "warn"]);
    expect(before.exitCode).toBe(1);
    await apply(before.find("server.permissions"));
    await apply(before.find("server.backup"));

    const after = await doctor();
    expect([after.find("server.permissions").status, after.find("server.backup").status]).toEqual(["ok", "ok"]);
  });

  it("sees texts and index that do not agree with the rows; the fix makes them anew", async () => {
    await start();
    await remember("the eel swims upstream");
    await remember("the heron stands still");
    withStoreFile(store(), (db) => db.exec("DELETE FROM memory_text WHERE memory_id = 1"));

    const before = await doctor();
    expect(before.find("server.text")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("1 memory without"),
    });
    expect(before.exitCode).toBe(2);
    await expect(apply(before.find("server.text"))).rejects.toMatchObject({
      stderr: expect.stringContaining("stop the backend"),
    });
    await backend?.stop();
    await apply(before.find("server.text"));

    await start();
    expect((await doctor()).find("server.text").status).toBe("ok");
    const { stdout } = await runCli(["recall", "eel upstream", "--json"], environment({ CHEST_MODE: "local" }));
    // A memory of the same session stands beside it.
    expect(JSON.parse(stdout).memories[0]).toMatchObject({ id: 1 });
  });

  it("sees, beside a backend that cannot start, that its store is damaged; the fix brings a backup back", async () => {
    await start();
    for (let at = 0; at < 12; at++) await remember(`the eel ${at} swims upstream ${"and on ".repeat(400)}`);
    await runCli(["backup"], environment());
    await backend?.stop();
    const bytes = readFileSync(store());
    const page = bytes.indexOf("the eel 7 swims");
    bytes.fill(0xa5, page - (page % 4096), page - (page % 4096) + 4096);
    writeFileSync(store(), bytes);

    const before = await doctor();
    expect(before.find("server.db.integrity").status).toBe("fail");
    expect(before.find("server.network.health")).toMatchObject({
      status: "fail",
      fix_hint: "sudo systemctl start chest",
    });
    expect(readFileSync(store())).toEqual(bytes);
    await apply(before.find("server.db.integrity"));

    expect((await doctor()).find("server.db.integrity").status).toBe("ok");
    await start();
    expect((await doctor()).find("server.text")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("12 memories"),
    });
  });

  const aBackup = async () => {
    const { stdout } = await runCli(["backup", "--json"], environment());
    return (JSON.parse(stdout) as { file: string }).file;
  };

  it.each<[string, string, "warn" | "fail", () => void]>([
    ["is empty", "exists", "fail", () => truncateSync(store(), 0)],
    ["is gone", "exists", "fail", () => rmSync(store())],
    ["lacks a table", "tables", "fail", () => withStoreFile(store(), (db) => db.exec("DROP TABLE memory_links"))],
  ])("sees that the store %s; the fix brings the backup back", async (_, id, status, breakIt) => {
    await start();
    await remember("the eel swims upstream");
    await aBackup();
    await backend?.stop();
    breakIt();
    const before = (await doctor()).find(`server.db.${id}`);
    expect(before).toMatchObject({ status, fix_hint: expect.stringMatching(/^chest-index restore .* --yes$/) });
    await apply(before);
    await start();
    const { find } = await doctor();
    expect(find(`server.db.${id}`).status).toBe("ok");
    expect(find("server.text").message).toContain("1 memory,");
  });

  it("sees a store that does not write ahead; the start that is named sets it", async () => {
    await start();
    await backend?.stop();
    withStoreFile(store(), (db) => db.pragma("journal_mode = DELETE"));
    const before = (await doctor()).find("server.db.journal_mode");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("delete") });
    await apply(before);
    expect(askedOfTheMachine()).toBe("systemctl restart chest");
    await start();
    expect((await doctor()).find("server.db.journal_mode").status).toBe("ok");
  });

  it("sees that nobody answers; the start that is named is the way out", async () => {
    const asked = ["server.network.health", "server.network.capabilities", "server.url", "server.env.token"];
    const before = await doctor();
    expect(before.exitCode).toBe(2);
    expect(asked.map((id) => before.find(id).status)).toEqual(["fail", "skip", "skip", "skip"]);
    expect(before.find("server.network.health").fix_hint).toBe("sudo systemctl start chest");
    rmSync(unit());
    expect((await doctor()).find("server.network.health")).toMatchObject({
      message: expect.stringContaining("CHEST_PORT"),
      fix_hint: "npm start",
    });
    await apply(before.find("server.network.health"));
    expect(askedOfTheMachine()).toBe("systemctl start chest");
    await start();
    const after = await doctor();
    expect(asked.map((id) => after.find(id).status)).toEqual(asked.map(() => "ok"));
  });

  it("sees a token that can be guessed; the one that is made instead is good", async () => {
    await start();
    const before = (await doctor([], { CHEST_API_TOKEN: "changeme" })).find("server.env.token");
    expect(before.status).toBe("fail");
    const { stdout } = await apply(before);
    await backend?.stop();
    backend = await startBackend({ dataDir: dir, token: stdout.trim(), port });
    expect((await doctor([], { CHEST_API_TOKEN: stdout.trim() })).find("server.env.token").status).toBe("ok");
  });

  it("sees a backup that nobody can vouch for; the fix makes another", async () => {
    await start();
    await remember("the eel swims upstream");
    const file = await aBackup();
    expect((await doctor()).find("server.backup").status).toBe("ok");
    rmSync(`${file}.json`);
    const unsure = (await doctor()).find("server.backup");
    expect(unsure).toMatchObject({ status: "warn", message: expect.stringContaining("no manifest") });
    await apply(unsure);
    expect((await doctor()).find("server.backup").status).toBe("ok");
  });

  it("sees tokens that ran out in use, or will; gone with the one that is ended, and with another one", async () => {
    await start();
    const made = async () => {
      const words = ["token", "create", "--member", "alice", "--json"];
      return JSON.parse((await runCli(words, environment())).stdout) as { id: number; token: string };
    };
    const [over, soon] = [await made(), await made()];
    const end = (id: number, days: number) =>
      withStoreFile(store(), (db) =>
        db.exec(`UPDATE tokens SET last_used_at = unixepoch() - 2 * 86400, expires_at = unixepoch() + ${days} * 86400
          WHERE id = ${id}`),
      );
    expect((await doctor()).find("server.tokens")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("2 tokens"),
    });
    end(over.id, -1);
    end(soon.id, 5);
    const before = (await doctor()).find("server.tokens");
    expect(before).toMatchObject({ status: "warn", fix_hint: `chest-index token revoke ${over.id}` });
    await apply(before);
    const next = (await doctor()).find("server.tokens");
    expect(next).toMatchObject({ status: "warn", message: expect.stringContaining(`token ${soon.id} is in use`) });
    expect((await apply(next)).stdout).toContain(`${soon.id}  alice`);
    await runCli(["token", "revoke", String(soon.id)], environment());
    expect((await doctor()).find("server.tokens").status).toBe("ok");
  });

  it("says why nobody answers for the database, once named and five times failed, with a wrong token", async () => {
    await start();
    const { find } = await doctor([], { CHEST_API_TOKEN: `cht_${"e".repeat(40)}` });
    for (const id of ["exists", "integrity", "journal_mode", "tables", "writable"]) {
      expect(find(`server.db.${id}`)).toMatchObject({ status: "fail", message: expect.stringContaining("token") });
    }
    expect((await doctor([], { CHEST_API_TOKEN: "changeme" })).find("server.env.token").status).toBe("fail");
    expect((await doctor([], { CHEST_API_TOKEN: "" })).find("server.env.token").status).toBe("warn");
  });

  it("names settings without effect; gone with the setting", async () => {
    await start({ CHEST_PROT: "1", CHEST_RRF_K: "9999" });
    expect((await doctor()).find("server.config")).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/CHEST_RRF_K[\s\S]*CHEST_PROT|CHEST_PROT[\s\S]*CHEST_RRF_K/),
    });
    await backend?.stop();
    await start();
    expect((await doctor()).find("server.config").status).toBe("ok");
  });

  /** A backend that has just begun runs once by itself. */
  const firstRun = () =>
    vi.waitFor(
      () =>
        withStoreFile(store(), (db) =>
          expect(db.prepare("SELECT outcome FROM maintenance_runs").pluck().all()).toEqual(["done"]),
        ),
      { timeout: 30_000, interval: 200 },
    );

  it("sees that maintenance failed; the fix runs it", async () => {
    await start();
    await firstRun();
    expect((await doctor()).find("server.maintenance").status).toBe("ok");
    withStoreFile(store(), (db) =>
      db.exec(`INSERT INTO maintenance_runs ("trigger", started_at, finished_at, outcome)
        VALUES ('timer', unixepoch(), unixepoch(), 'failed'), ('vectors', unixepoch(), unixepoch(), 'done')`),
    );
    const before = await doctor();
    expect(before.find("server.maintenance")).toMatchObject({
      status: "warn",
      message: expect.stringContaining("failed"),
    });
    await apply(before.find("server.maintenance"));
    expect((await doctor()).find("server.maintenance").status).toBe("ok");
  });

  it("sees that the clock may have jumped: what goes by age waits", async () => {
    await start();
    await firstRun();
    withStoreFile(store(), (db) =>
      db.exec(`INSERT INTO maintenance_runs ("trigger", started_at, finished_at, outcome, passes) VALUES ('timer', unixepoch(),
        unixepoch(), 'done', '[{"name":"expiry","scanned":0,"changed":0,"seconds":0,"waitsSince":"2025-01-01T00:00:00.000Z"}]')`),
    );
    const before = await doctor();
    expect(before.find("server.maintenance")).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/between 2025-01-01T00:00:00\.000Z and the last run.*wait for one interval/),
    });
    await apply(before.find("server.maintenance"));
  });

  it("sees that maintenance has not run for long, and that it is switched off", async () => {
    await start();
    await firstRun();
    withStoreFile(store(), (db) =>
      db.exec(`DELETE FROM maintenance_runs;
        INSERT INTO maintenance_runs ("trigger", started_at, finished_at, outcome) VALUES ('timer', 1000, 1001, 'done')`),
    );
    expect((await doctor()).find("server.maintenance").status).toBe("warn");
    await backend?.stop();
    await start({ CHEST_AUTO_MAINTENANCE: "0" });
    expect((await doctor()).find("server.maintenance")).toMatchObject({
      status: "ok",
      message: expect.stringContaining("switched off"),
    });
  });

  it.skipIf(!canMount)("sees that a disk is full; gone with what filled it", async () => {
    const disk = mountDisk(100);
    closing.push(() => disk.unmount());
    dir = join(disk.path, "data");
    await start();
    disk.fill();
    expect((await doctor()).find("server.disk")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("writes are refused"),
      fix_hint: expect.stringMatching(/^df -h;/),
    });
    disk.free();
    expect((await doctor()).find("server.disk").status).toBe("ok");
    await backend?.stop();
  });

  it("sees that no write is taken, while somebody keeps the store to himself; gone with that one", async () => {
    await start();
    const other = new Database(store());
    closing.push(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    const before = (await doctor()).find("server.db.writable");
    expect(before).toMatchObject({ status: "fail", message: expect.stringContaining("busy") });
    expect((await apply(before)).stdout).toContain(store());
    other.exec("ROLLBACK");
    expect((await doctor()).find("server.db.writable").status).toBe("ok");
  });

  it("sees a log that has grown; the restart that is named folds it", async () => {
    await start();
    await remember("the eel swims upstream");
    // As a burst of writes leaves it: long, and most of it of no use any more.
    truncateSync(`${store()}-wal`, 300 * 1_048_576);
    const before = (await doctor()).find("server.wal");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("300 MB") });
    await apply(before);
    expect(askedOfTheMachine()).toBe("systemctl restart chest");
    await backend?.stop();
    await start();
    expect((await doctor()).find("server.wal").status).toBe("ok");
  });

  it("sees a store of an earlier release; the restart that is named brings it up to date", async () => {
    mkdirSync(dir, { mode: 0o700 });
    const last = ofEarlierRelease();
    const before = (await doctor()).find("server.schema");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining(last) });
    await apply(before);
    expect(askedOfTheMachine()).toBe("systemctl restart chest");
    await start();
    expect((await doctor()).find("server.schema")).toMatchObject({ status: "ok", message: last });
  });

  /** An empty store without the last migration. @returns its name. */
  function ofEarlierRelease(): string {
    const folder = join(ROOT, "prisma/sqlite/migrations");
    const names = readdirSync(folder)
      .filter((name) => /^\d{4}_/.test(name))
      .sort();
    withStoreFile(store(), (db) => {
      db.pragma("foreign_keys = OFF");
      db.exec("CREATE TABLE chest_migrations (name TEXT PRIMARY KEY, sha256 TEXT, applied_at INTEGER) WITHOUT ROWID");
      for (const name of names.slice(0, -1)) {
        const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
        db.exec(sql);
        const digest = createHash("sha256").update(sql).digest("hex");
        db.prepare("INSERT INTO chest_migrations VALUES (?, ?, 0)").run(name, digest);
      }
      db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema_version', ?)").run(names.at(-2));
    });
    return names.at(-1) ?? "";
  }

  it("sees a store of a later release, and leaves it alone", async () => {
    await start();
    await backend?.stop();
    withStoreFile(store(), (db) => db.exec("UPDATE meta SET value = '9999_tomorrow' WHERE key = 'schema_version'"));
    const { find, exitCode } = await doctor();
    expect([find("server.schema").status, exitCode]).toEqual(["fail", 2]);
    await apply(find("server.schema"));
    expect(askedOfTheMachine()).toBe("npm install -g chest-memory@latest");
  });

  it("sees a backend of another release, and names that release", async () => {
    await start();
    const url = await proxyWith(52_428_800, (text) =>
      text.replace(/"server_version":"[^"]*"/, '"server_version":"98.7.6"'),
    );
    const { find } = await doctor(["--remote-url", url]);
    expect(find("server.version")).toMatchObject({ status: "warn", message: expect.stringContaining("98.7.6") });
    await apply(find("server.version"));
    expect(askedOfTheMachine()).toBe("npm install -g chest-memory@98.7.6");
    expect((await doctor()).find("server.version").status).toBe("ok");
  });

  describe("with a model", () => {
    // The fixture's cache is empty: no process embeds.
    const model = () => ({ ...FIXTURE_ENV, CHEST_MODELS_DIR: join(root, "models") });
    const hub = async () => {
      const started = await startHub(await fixtureModels());
      closing.push(() => started.stop());
      return started.url;
    };
    const settled = (id: string, env: NodeJS.ProcessEnv) =>
      vi.waitFor(
        async () => {
          const { status, message } = (await doctor([], env)).find(id);
          expect(status, message).toBe("ok");
        },
        { timeout: 90_000, interval: 500 },
      );

    it("sees that nobody makes vectors and memories wait; the fix fetches the model", async () => {
      await start(model());
      await remember("the eel swims upstream");
      const before = await doctor([], model());
      expect(before.find("server.embedder")).toMatchObject({ status: "warn", fix_hint: "chest-index fetch-model" });
      expect(before.find("server.vectors")).toMatchObject({
        status: "warn",
        message: expect.stringContaining("1 of 1 wait"),
        fix_hint: "chest-index fetch-model",
      });
      await apply(before.find("server.embedder"), { ...model(), HF_ENDPOINT: await hub() });
      await settled("server.embedder", model());
      // It looks for what waits from time to time, and when it starts: that is sooner.
      await backend?.stop();
      await start(model());
      await settled("server.vectors", model());
    });

    it("sees vectors of another model, and such as are none; the fix makes them anew", async () => {
      const other = { ...OTHER_FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() };
      await start({ ...FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() });
      await remember("the eel swims upstream");
      await settled("server.vectors", {});
      await backend?.stop();

      await start(other);
      const before = (await doctor([], other)).find("server.identity");
      expect(before).toMatchObject({ status: "warn", fix_hint: "chest-index reembed" });
      await apply(before, other);
      await settled("server.identity", other);

      withStoreFile(store(), (db) => db.exec("UPDATE vectors SET vector = zeroblob(7)"));
      const broken = (await doctor([], other)).find("server.vectors");
      expect(broken).toMatchObject({ status: "warn", message: expect.stringContaining("not as long as") });
      await apply(broken, other);
      await settled("server.vectors", other);
    });
  });

  describe("in a container", () => {
    /** A docker that tells of one container, made by compose in the folder of the data. */
    function dockerTells({ files, publishedOn }: { readonly files: readonly string[]; readonly publishedOn: string }) {
      const inspected = {
        Created: new Date().toISOString(),
        Config: {
          Image: "chest-memory",
          Labels: {
            "com.docker.compose.project": "chest",
            "com.docker.compose.project.config_files": files.map((name) => join(root, name)).join(","),
            "com.docker.compose.project.working_dir": root,
          },
        },
        State: { Status: "running" },
        NetworkSettings: { Ports: { "8765/tcp": [{ HostIp: publishedOn, HostPort: String(port) }] } },
        Mounts: [{ Type: "volume", Destination: "/data", Name: "chest-data" }],
      };
      writeFileSync(join(root, "inspected.json"), JSON.stringify([inspected]));
      const lines = [
        "#!/bin/sh",
        `case "$1" in`,
        `container) cat '${join(root, "inspected.json")}';;`,
        `compose) echo "docker $*" >>'${join(root, "asked")}';;`,
        "esac",
      ];
      writeFileSync(join(root, "bin/docker"), `${lines.join("\n")}\n`, { mode: 0o755 });
    }
    const lyingThere = (...names: string[]) => {
      for (const name of names) writeFileSync(join(root, name), "services: {}\n");
    };

    it("sees an override that was not applied; the fix applies it", async () => {
      lyingThere("compose.yaml", "compose.override.yaml");
      await start();
      dockerTells({ files: ["compose.yaml"], publishedOn: "127.0.0.1" });
      const before = (await doctor()).find("server.compose.override");
      expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("is not applied") });
      await apply(before);
      expect(askedOfTheMachine()).toBe("docker compose up -d");
      dockerTells({ files: ["compose.yaml", "compose.override.yaml"], publishedOn: "127.0.0.1" });
      const after = await doctor();
      expect(after.find("server.compose.override").status).toBe("ok");
      expect(after.find("server.tls").status).toBe("ok");
    });

    it("sees plain HTTP on every interface; the fix publishes it on this machine alone", async () => {
      lyingThere("compose.yaml");
      writeFileSync(join(root, ".env"), "CHEST_PUBLISH=0.0.0.0\nCHEST_PORT=8765\n");
      await start();
      dockerTells({ files: ["compose.yaml"], publishedOn: "0.0.0.0" });
      const before = (await doctor()).find("server.tls");
      expect(before).toMatchObject({
        status: "warn",
        message: expect.stringMatching(/^plain HTTP on every interface: .*0\.0\.0\.0\n.*TLS/),
      });
      await apply(before);
      expect(askedOfTheMachine()).toBe("docker compose up -d");
      expect(readFileSync(join(root, ".env"), "utf8")).toBe("CHEST_PUBLISH=127.0.0.1\nCHEST_PORT=8765\n");
      dockerTells({ files: ["compose.yaml"], publishedOn: "127.0.0.1" });
      expect((await doctor()).find("server.tls").status).toBe("ok");
    });
  });

  it("wants a container that was asked for by name", async () => {
    expect((await doctor(["--container", "chest-nowhere"])).find("server.docker.daemon").status).toBe("fail");
  });
});

/** Stand-in for a docker with one container; it does what a fix asks of it. */
interface Docked {
  isUp: boolean;
  status: string;
  health: string;
  env: readonly string[];
  files: readonly string[];
  missing: string;
}

describe("doctor server, for a container", () => {
  let docked: Docked;
  const tell = (change: Partial<Docked> = {}) => {
    docked = { ...docked, ...change };
    writeFileSync(join(root, "docked.json"), JSON.stringify(docked));
  };
  beforeEach(async () => {
    await start();
    mkdirSync(join(root, "stack"));
    writeFileSync(join(root, "stack/compose.yaml"), "services: {}\n");
    docked = {
      isUp: true,
      status: "running",
      health: "healthy",
      env: [],
      missing: "",
      files: [join(root, "stack/compose.yaml")],
    };
    tell();
    const inspected = `[{
      Config: { Image: "chest", Env: docked.env, Labels: {
        "com.docker.compose.project.config_files": docked.files.join(","),
        "com.docker.compose.project.working_dir": ${JSON.stringify(join(root, "stack"))} } },
      State: { Status: docked.status, Health: { Status: docked.health } },
      NetworkSettings: { Ports: { "8765/tcp": [{ HostIp: "127.0.0.1", HostPort: "${port}" }] } },
      Mounts: [{ Type: "volume", Destination: "/data", Name: "chest-data" }],
    }]`;
    const program = `const fs = require("fs");
      const docked = JSON.parse(fs.readFileSync(${JSON.stringify(join(root, "docked.json"))}, "utf8"));
      const keep = (change) => fs.writeFileSync(${JSON.stringify(join(root, "docked.json"))}, JSON.stringify({ ...docked, ...change }));
      const words = process.argv.slice(2);
      const is = (...start) => start.every((word, at) => words[at] === word);
      if (!docked.isUp) process.exit(1);
      if (is("info")) console.log("28");
      else if (is("container", "inspect", "chest-memory")) console.log(JSON.stringify(${inspected}));
      else if (is("exec", "chest-memory", "node")) console.log(docked.missing);
      else if (is("start", "chest-memory")) keep({ status: "running" });
      else if (is("logs")) console.log("listening");
      else if (is("compose", "build")) keep({ missing: "" });
      else if (is("compose", "config")) process.exit(docked.files.every((file) => fs.existsSync(file)) ? 0 : 14);
      else process.exit(1);`;
    writeFileSync(join(root, "bin/docker.cjs"), program);
    writeFileSync(join(root, "bin/docker"), `#!/bin/sh\nexec '${NODE_24}' '${join(root, "bin/docker.cjs")}' "$@"\n`);
  });

  it("finds nothing wrong with one that runs as it should", async () => {
    const { results, exitCode } = await doctor();
    expect([exitCode, results.slice(0, 5).map(({ status }) => status)]).toEqual([0, ["ok", "ok", "ok", "ok", "ok"]]);
  });

  it.each<[string, string, "warn" | "fail", Partial<Docked>, (fixed: () => Promise<{ stdout: string }>) => unknown]>([
    ["is stopped", "docker.container", "fail", { status: "exited" }, (fixed) => fixed()],
    ["still starts", "docker.health", "warn", { health: "starting" }, () => tell({ health: "healthy" })],
    [
      "fails its health check",
      "docker.health",
      "fail",
      { health: "unhealthy" },
      async (fixed) => {
        expect((await fixed()).stdout).toContain("listening");
        tell({ health: "healthy" });
      },
    ],
    [
      "was started with a file that is gone",
      "compose.override",
      "warn",
      { files: ["compose.override.yaml"] },
      async (fixed) => {
        await expect(fixed()).rejects.toMatchObject({ code: 14 });
        tell({ files: [join(root, "stack/compose.yaml")] });
        await fixed();
      },
    ],
    ["lacks the rules", "compose.deploy_files", "warn", { missing: "rules/chest-memory.md" }, (fixed) => fixed()],
    [
      "is a client of another one",
      "env.mode",
      "fail",
      { env: ["CHEST_MODE=remote"] },
      async (fixed) => {
        writeFileSync(join(root, "stack/.env"), "CHEST_MODE=remote\n");
        expect((await fixed()).stdout).toContain(".env:1:CHEST_MODE=remote");
        tell({ env: [] });
      },
    ],
  ])("sees one that %s; gone after the fix", async (_, id, status, broken, mend) => {
    tell(broken);
    const before = (await doctor()).find(`server.${id}`);
    expect(before.status).toBe(status);
    await mend(() => run("sh", ["-ec", before.fix_hint], { env: environment(), cwd: join(root, "stack") }));
    expect((await doctor()).find(`server.${id}`)).toMatchObject({ status: "ok", fix_hint: "" });
  });

  it("wants docker where a container was asked for by name", async () => {
    tell({ isUp: false });
    const named = ["--container", "chest-memory"];
    const before = (await doctor(named)).find("server.docker.daemon");
    expect(before.status).toBe("fail");
    await expect(apply(before)).rejects.toThrow();
    tell({ isUp: true });
    expect((await apply(before)).stdout).toContain("28");
    expect((await doctor(named)).find("server.docker.daemon").status).toBe("ok");
  });
});

/** A proxy in front of the backend that refuses what is longer, as nginx does, and may change what is answered. */
async function proxyWith(limitBytes: number, change = (text: string) => text): Promise<string> {
  const server: Server = createServer((incoming, response) => {
    if (Number(incoming.headers["content-length"] ?? 0) > limitBytes) {
      incoming.resume();
      return response.writeHead(413, { "content-type": "text/html" }).end("<h1>413 Request Entity Too Large</h1>");
    }
    const headers = { ...incoming.headers, "x-forwarded-for": "192.0.2.7" };
    const { method, url: path } = incoming;
    incoming.pipe(
      request({ port, host: "127.0.0.1", method, path, headers }, (answer) => {
        const { "content-length": _, ...rest } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, rest);
        answer
          .setEncoding("utf8")
          .toArray()
          .then((parts) => response.end(change(parts.join(""))));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("doctor server, over the network", () => {
  it("sees a proxy that cuts bodies off, and one that is not believed", async () => {
    await start();
    const tight = await doctor(["--remote-url", await proxyWith(1_048_576)]);
    expect(tight.find("server.proxy")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("client_max_body_size"),
    });

    const url = await proxyWith(52_428_800);
    expect((await doctor(["--remote-url", url])).find("server.proxy")).toMatchObject({
      status: "warn",
      message: expect.stringContaining("CHEST_TRUST_PROXY"),
    });
    await backend?.stop();
    await start({ CHEST_TRUST_PROXY: "1" });
    expect((await doctor(["--remote-url", url])).find("server.proxy").status).toBe("ok");
  });

  it.skipIf(!hasNginx)(
    "sees an nginx that cuts bodies off; the configuration that is named lets them through",
    async () => {
      await start();
      const dirs = ["tight", "documented"].map((name) => join(root, name));
      for (const name of dirs) mkdirSync(name);
      const [tight = "", documented = ""] = dirs;
      const asked = async (options: { dir: string; sessionBody?: string }) => {
        const proxy = await startTlsProxy({ upstream: `http://127.0.0.1:${port}`, ...options });
        const report = await doctor(["--remote-url", proxy.url], { CHEST_CA_FILE: proxy.caFile });
        await proxy.stop();
        return report.find("server.proxy");
      };
      expect(await asked({ dir: tight, sessionBody: "1m" })).toMatchObject({
        status: "fail",
        fix_hint: expect.stringContaining("cp deploy/nginx/nginx.conf.example"),
      });
      const example = readFileSync(join(ROOT, "deploy/nginx/nginx.conf.example"), "utf8");
      const [, sessionBody = ""] = /sync-session \{\s+client_max_body_size (\w+);/.exec(example) ?? [];
      await backend?.stop();
      await start({ CHEST_TRUST_PROXY: "1" });
      expect(await asked({ dir: documented, sessionBody })).toMatchObject({ status: "ok" });
    },
  );

  it("sees that something else answers at that address; gone at the right one", async () => {
    await start();
    const page = await proxyWith(52_428_800, () => "<h1>Sign in</h1>");
    const elsewhere = await doctor(["--remote-url", page]);
    for (const id of ["server.url", "server.network.health", "server.network.capabilities"])
      expect(elsewhere.find(id)).toMatchObject({ status: "fail", fix_hint: expect.stringMatching(/^curl -i /) });
    expect((await apply(elsewhere.find("server.url"))).stdout).toContain("Sign in");
    expect((await doctor()).find("server.url").status).toBe("ok");
  });

  it("names a way to ask with the token where there is none here, and it asks", async () => {
    await start();
    const before = (await doctor([], { CHEST_API_TOKEN: "" })).find("server.env.token");
    expect(before.status).toBe("warn");
    mkdirSync(join(root, ".chest-memory"), { mode: 0o700 });
    writeFileSync(join(root, ".chest-memory/token"), TOKEN, { mode: 0o600 });
    const { stdout } = await apply(before, { HOME: root, CHEST_API_TOKEN: "" });
    expect(stdout).toMatch(/fail=0/);
    expect(stdout).toContain("the backend takes it");
  });

  it("sees a clock that is off, and a certificate that runs out", async () => {
    const soon = await makeCertificate(root, ["DNS:localhost", "IP:127.0.0.1"], 5);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const fake = await startFakeBackend({ tls: soon, capabilities: { server_time: ahead } });
    const asked = (url: string, caFile: string) =>
      doctor(["--remote-url", url.replace("127.0.0.1", "localhost")], { CHEST_CA_FILE: caFile });
    const before = await asked(fake.url, soon.caFile);
    await fake.stop();
    expect(before.find("server.clock")).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/3[56]\d\d s ahead/),
    });
    expect(before.find("server.tls")).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/expires in [45] days/),
    });

    const renewed = await makeCertificate(root, ["DNS:localhost", "IP:127.0.0.1"], 90);
    const mended = await startFakeBackend({ tls: renewed, capabilities: { server_time: new Date().toISOString() } });
    const after = await asked(mended.url, renewed.caFile);
    await mended.stop();
    expect([after.find("server.clock").status, after.find("server.tls").status]).toEqual(["ok", "ok"]);
  });
});

describe("every check", () => {
  // A network's disk is faked where this is tested; locks are the system's own, and none is ever left behind.
  // Those of a database, of webhooks and of sign-in are broken beside their checks, in apps/cli/src/doctor/server.
  const BESIDE = ["server.webhooks", "server.oauth", "server.sso"];
  const ELSEWHERE = ["server.volume", "server.lock", "server.llm", ...BESIDE, ...(canMount ? [] : ["server.disk"])];

  it("has been broken, seen to complain, and mended by the tests above", () => {
    const tried = [...known].filter((id) => !ELSEWHERE.includes(id) && !id.startsWith("server.postgres."));
    expect(tried.length).toBeGreaterThan(25);
    expect(tried.filter((id) => !complained.has(id))).toEqual([]);
    expect(tried.filter((id) => !mended.has(id))).toEqual([]);
  });
});

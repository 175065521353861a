import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeCertificate, startFakeBackend } from "@chest/client/testing";
import { KNOWN_IDENTITIES } from "@chest/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "./support/backend.ts";
import { runCli } from "./support/cli.ts";
import { restDoor } from "./support/doors.ts";
import { freePort } from "./support/free-port.ts";
import { cleanEnv, NODE_24, ROOT } from "./support/process.ts";
import { withStoreFile } from "./support/store-file.ts";

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
  shim("chest-index", `exec '${NODE_24}' '${ROOT}/apps/cli/src/main.ts' "$@"`);
  shim("docker", "exit 1");
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await backend?.kill9();
  backend = undefined;
  rmSync(root, { recursive: true, force: true });
});

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
const apply = ({ fix_hint }: Finding) => run("sh", ["-ec", fix_hint], { env: environment() });
const store = () => join(dir, "chest.db");

/** Each finding of a report that is not well. */
const amiss = ({ results }: Report) => results.filter(({ status }) => status === "warn" || status === "fail");

describe("doctor server, for a bare process", () => {
  it("finds nothing wrong with a fresh backend, and asks every question in its order", async () => {
    await start();
    const report = await doctor();
    expect(amiss(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.results.map(({ id }) => id).slice(0, 14)).toEqual([
      ...["server.docker.daemon", "server.docker.container", "server.docker.health"],
      ...["server.compose.override", "server.compose.deploy_files"],
      ...["exists", "integrity", "journal_mode", "tables", "writable"].map((id) => `server.db.${id}`),
      ...["server.env.token", "server.env.mode", "server.network.health", "server.network.capabilities"],
    ]);
    for (const { status, fix_hint } of report.results)
      expect(fix_hint === "").toBe(status === "ok" || status === "skip");
    const shown = await runCli(["doctor", "server"], environment());
    expect(shown.stdout).toMatch(
      /^chest-index doctor server\n[\s\S]*\nSummary: ok=\d+ warn=0 fail=0 skip=5\nExit code: 0\n$/,
    );
  });

  it("sees files that others can read, and a store without a backup; the fixes mend both", async () => {
    await start();
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
      message: expect.stringContaining("1 memories without"),
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
    expect(JSON.parse(stdout)).toMatchObject({ memories: [{ id: 1 }] });
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
      ...{ status: "warn", message: expect.stringContaining("failed") },
    });
    await apply(before.find("server.maintenance"));
    expect((await doctor()).find("server.maintenance").status).toBe("ok");
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
      ...{ status: "ok", message: expect.stringContaining("switched off") },
    });
  });

  it("sees that the store has vectors of another model than the configured one; gone with the setting", async () => {
    await start();
    await remember("the eel swims upstream");
    const [{ model, dimensions }] = KNOWN_IDENTITIES;
    const pushed = await fetch(`http://127.0.0.1:${port}/memories/1/embedding`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ model, embedding_status: "ok" },
        embedding: Array.from({ length: dimensions }, (_, at) => Math.sin(at + 1)),
      }),
    });
    expect(pushed.status).toBe(200);
    await backend?.stop();
    await start({ CHEST_EMBED_MODEL: "Xenova/all-MiniLM-L6-v2" });
    const before = await doctor();
    expect(before.find("server.identity")).toMatchObject({ status: "warn", message: expect.stringContaining(model) });
    expect(before.find("server.identity").fix_hint).toBe("chest-index reembed");
    await backend?.stop();
    await start();
    expect((await doctor()).find("server.identity")).toMatchObject({ status: "ok", message: model });
  });

  it("wants a container that was asked for by name", async () => {
    expect((await doctor(["--container", "chest-nowhere"])).find("server.docker.daemon").status).toBe("fail");
  });
});

/** A proxy in front of the backend that refuses what is longer, as nginx does. */
async function proxyWith(limitBytes: number): Promise<string> {
  const server: Server = createServer((incoming, response) => {
    if (Number(incoming.headers["content-length"] ?? 0) > limitBytes) {
      incoming.resume();
      return response.writeHead(413, { "content-type": "text/html" }).end("<h1>413 Request Entity Too Large</h1>");
    }
    const headers = { ...incoming.headers, "x-forwarded-for": "192.0.2.7" };
    const { method, url: path } = incoming;
    incoming.pipe(
      request({ port, host: "127.0.0.1", method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
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
      message: expect.stringMatching(/runs out in [45] days/),
    });

    const renewed = await makeCertificate(root, ["DNS:localhost", "IP:127.0.0.1"], 90);
    const mended = await startFakeBackend({ tls: renewed, capabilities: { server_time: new Date().toISOString() } });
    const after = await asked(mended.url, renewed.caFile);
    await mended.stop();
    expect([after.find("server.clock").status, after.find("server.tls").status]).toEqual(["ok", "ok"]);
  });
});

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeCertificate, startFakeBackend } from "@chest/client/testing";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type DoctoredServer,
  freshServer,
  sharedServer,
  TOKEN,
  testsEveryCheckOf,
} from "../../support/deployment/doctored-server.ts";
import { hasNginx, startTlsProxy } from "../../support/deployment/nginx.ts";
import { ROOT } from "../../support/process.ts";

vi.setConfig({ testTimeout: 180_000 });

const shared = sharedServer();
beforeAll(() => shared.server.remember("the eel swims upstream"));
const held = freshServer();

describe("doctor server, beside a healthy backend", () => {
  it("finds nothing wrong, and runs every check in order", async () => {
    const { server } = shared;
    const report = await server.doctor();
    expect(report.amiss()).toEqual([]);
    for (const id of ["server.vectors", "server.embedder"])
      expect(report.find(id).message).toContain("note: this backend embeds nothing");
    expect(report.find("server.backup").message).toContain("a minute after the start");
    expect(report.exitCode).toBe(0);
    expect(
      report.results
        .map(({ id }) => id)
        .filter((id) => !id.startsWith("server.postgres."))
        .slice(0, 15),
    ).toEqual([
      "server.docker.daemon",
      "server.docker.container",
      "server.docker.health",
      "server.compose.override",
      "server.compose.deploy_files",
      ...["exists", "integrity", "journal_mode", "tables", "schema", "writable"].map((id) => `server.db.${id}`),
      "server.env.token",
      "server.env.mode",
      "server.network.health",
      "server.network.capabilities",
    ]);
    for (const { status, fix_hint } of report.results)
      expect(fix_hint === "").toBe(status === "ok" || status === "skip");
    const shown = await server.cli(["doctor", "server"]);
    expect(shown.stdout).toMatch(
      /^chest-index doctor server\n[\s\S]*\nSummary: ok=\d+ warn=0 fail=0 skip=17\nExit code: 0\n$/,
    );
  });

  it("names settings without effect; gone with the setting", async () => {
    await held.server.start({ CHEST_PROT: "1", CHEST_RRF_K: "9999" });
    expect((await held.server.doctor()).find("server.config")).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/CHEST_RRF_K[\s\S]*CHEST_PROT|CHEST_PROT[\s\S]*CHEST_RRF_K/),
    });
    expect((await shared.server.doctor()).find("server.config").status).toBe("ok");
  });
});

describe("doctor server, on the way to the backend", () => {
  it("reports that no backend answers; the named command starts it", async () => {
    const { server } = held;
    const asked = ["server.network.health", "server.network.capabilities", "server.url", "server.env.token"];
    const before = await server.doctor();
    expect(before.exitCode).toBe(2);
    expect(asked.map((id) => before.find(id).status)).toEqual(["fail", "skip", "skip", "skip"]);
    expect(before.find("server.network.health").fix_hint).toBe("sudo systemctl start chest");
    rmSync(server.unit);
    expect((await server.doctor()).find("server.network.health")).toMatchObject({
      message: expect.stringContaining("CHEST_PORT"),
      fix_hint: "npm start",
    });
    await server.apply(before.find("server.network.health"));
    expect(server.machineCommands()).toBe("systemctl start chest");
    await server.start();
    const after = await server.doctor();
    expect(asked.map((id) => after.find(id).status)).toEqual(asked.map(() => "ok"));
  });

  it("reports a token that can be guessed; the new one is good", async () => {
    const { server } = held;
    const before = (await shared.server.doctor([], { CHEST_API_TOKEN: "changeme" })).find("server.env.token");
    expect(before.status).toBe("fail");
    const token = (await server.apply(before)).stdout.trim();
    await server.start({}, token);
    expect((await server.doctor([], { CHEST_API_TOKEN: token })).find("server.env.token").status).toBe("ok");
  });

  it("names the token as the cause for every check of the database, when it is wrong", async () => {
    const { server } = shared;
    const { find } = await server.doctor([], { CHEST_API_TOKEN: `cht_${"e".repeat(40)}` });
    for (const id of ["exists", "integrity", "journal_mode", "tables", "writable"]) {
      expect(find(`server.db.${id}`)).toMatchObject({ status: "fail", message: expect.stringContaining("token") });
    }
  });

  it("names a way to ask with the token where none is available here, and it works", async () => {
    const { server } = shared;
    const home = { HOME: server.root, CHEST_API_TOKEN: "" };
    const none = (await server.doctor([], home)).find("server.env.token");
    expect(none).toMatchObject({ status: "warn", fix_hint: "chest-index token create --member NAME" });
    mkdirSync(join(server.root, ".chest-memory"), { mode: 0o700 });
    writeFileSync(join(server.root, ".chest-memory/token"), TOKEN, { mode: 0o600 });
    const { stdout } = await server.apply((await server.doctor([], home)).find("server.env.token"), home);
    expect(stdout).toMatch(/fail=0/);
    expect(stdout).toContain("the backend takes it");
  });

  it("reports a backend of another release, and names that release", async () => {
    const { server } = shared;
    const url = await proxyBefore(server, GENEROUS, (text) =>
      text.replace(/"server_version":"[^"]*"/, '"server_version":"98.7.6"'),
    );
    const { find } = await server.doctor(["--remote-url", url]);
    expect(find("server.version")).toMatchObject({ status: "warn", message: expect.stringContaining("98.7.6") });
    expect(find("server.version").fix_hint).toMatch(/^git -C \S+ pull && npm .*run setup/);
    expect((await server.doctor()).find("server.version").status).toBe("ok");
  });

  it("reports that another program answers at that address; gone at the right one", async () => {
    const { server } = shared;
    const page = await proxyBefore(server, GENEROUS, () => "<h1>Sign in</h1>");
    const elsewhere = await server.doctor(["--remote-url", page]);
    for (const id of ["server.url", "server.network.health", "server.network.capabilities"])
      expect(elsewhere.find(id)).toMatchObject({ status: "fail", fix_hint: "" });
    expect((await server.doctor()).find("server.url").status).toBe("ok");
  });

  it("reports a clock that is off, and a certificate that expires", async () => {
    const { server } = held;
    const soon = await makeCertificate(server.root, ["DNS:localhost", "IP:127.0.0.1"], 5);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const fake = await startFakeBackend({ tls: soon, capabilities: { server_time: ahead } });
    const asked = (url: string, caFile: string) =>
      server.doctor(["--remote-url", url.replace("127.0.0.1", "localhost")], { CHEST_CA_FILE: caFile });
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

    const renewed = await makeCertificate(server.root, ["DNS:localhost", "IP:127.0.0.1"], 90);
    const mended = await startFakeBackend({ tls: renewed, capabilities: { server_time: new Date().toISOString() } });
    const after = await asked(mended.url, renewed.caFile);
    await mended.stop();
    expect([after.find("server.clock").status, after.find("server.tls").status]).toEqual(["ok", "ok"]);
  });
});

describe("doctor server, behind a proxy", () => {
  const trusting = sharedServer({ CHEST_TRUST_PROXY: "1" });

  it("reports a proxy that limits bodies, and one that is not trusted", async () => {
    const { server } = shared;
    const tight = await server.doctor(["--remote-url", await proxyBefore(server, 1_048_576)]);
    expect(tight.find("server.proxy")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("client_max_body_size"),
    });
    const unbelieved = await server.doctor(["--remote-url", await proxyBefore(server, GENEROUS)]);
    expect(unbelieved.find("server.proxy")).toMatchObject({
      status: "warn",
      message: expect.stringContaining("CHEST_TRUST_PROXY"),
    });
    const believed = ["--remote-url", await proxyBefore(trusting.server, GENEROUS)];
    expect((await trusting.server.doctor(believed)).find("server.proxy").status).toBe("ok");
  });

  it.skipIf(!hasNginx)("reports an nginx that limits bodies; the named configuration lets them through", async () => {
    const asked = async (server: DoctoredServer, name: string, sessionBody: string) => {
      const dir = join(server.root, name);
      mkdirSync(dir);
      const proxy = await startTlsProxy({ upstream: server.url, dir, sessionBody });
      const report = await server.doctor(["--remote-url", proxy.url], { CHEST_CA_FILE: proxy.caFile });
      await proxy.stop();
      return report.find("server.proxy");
    };
    expect(await asked(shared.server, "tight", "1m")).toMatchObject({
      status: "fail",
      fix_hint: expect.stringContaining("cp deploy/nginx/nginx.conf.example"),
    });
    const example = readFileSync(join(ROOT, "deploy/nginx/nginx.conf.example"), "utf8");
    const [, sessionBody = ""] = /sync-session \{\s+client_max_body_size (\w+);/.exec(example) ?? [];
    expect(await asked(trusting.server, "documented", sessionBody)).toMatchObject({ status: "ok" });
  });
});

testsEveryCheckOf("network");

const GENEROUS = 52_428_800;

/** Starts a proxy that refuses longer bodies, like nginx, and may change answers. @returns its address */
async function proxyBefore(
  { port }: DoctoredServer,
  limitBytes: number,
  change = (text: string) => text,
): Promise<string> {
  const proxy = createServer((incoming, response) => {
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
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

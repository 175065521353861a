import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BODY_LIMITS } from "@chest/contracts";
import { TIMEOUTS } from "@chest/server";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type BodyLimits,
  hostConfig,
  KEEP_ALIVE_SECONDS,
  PREFIX,
  READ_TIMEOUT_SECONDS,
  serviceConfig,
  WIDER_ROUTES,
} from "../../deploy/nginx/render.ts";
import { startBackend } from "../support/backend.ts";
import { makeCertificates } from "../support/deployment/certificates.ts";
import { hasNginx } from "../support/deployment/nginx.ts";
import { freePort } from "../support/free-port.ts";
import { cleanEnv, ROOT, type RunningProgram, startProgram } from "../support/process.ts";

const LIMITS: BodyLimits = BODY_LIMITS;

describe("the nginx configurations", () => {
  it("are what the generator makes of the API's limits", async () => {
    await expect(hostConfig(LIMITS)).toMatchFileSnapshot("../../deploy/nginx/nginx.conf.example");
    await expect(serviceConfig(LIMITS)).toMatchFileSnapshot("../../deploy/nginx/templates/default.conf.template");
  });

  it("let each route's body through that the backend takes, and no more", async () => {
    const backend = await startBackend();
    const answer = await fetch(`${backend.url}/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Record<string, unknown>>> };
    await backend.stop();
    const limits = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((route) => {
        const limit = route["x-body-limit"];
        return typeof limit === "number" ? [{ path, limit }] : [];
      }),
    );
    expect(limits.length).toBeGreaterThan(5);
    // Routes with smaller bodies than a tool's are limited by the backend itself.
    const least = limitFor("/api/tools/chest_remember");
    expect(limits.map(({ path }) => ({ path, limit: limitFor(path) }))).toEqual(
      limits.map(({ path, limit }) => ({ path, limit: Math.max(limit, least) })),
    );
  });

  it("wait longer than the backend works, and let go of connections before it does", () => {
    expect(READ_TIMEOUT_SECONDS.usual * 1000).toBeGreaterThan(TIMEOUTS.requestMs);
    expect(KEEP_ALIVE_SECONDS * 1000).toBeLessThan(TIMEOUTS.keepAliveMs);
  });
});

const limitFor = (path: string): number => {
  const wider = WIDER_ROUTES.find((route) => `/${route.path}` === path);
  return wider ? LIMITS[wider.limit] : Math.max(LIMITS.tool, LIMITS.mcp);
};

describe.skipIf(!hasNginx)("the example for an nginx on the host", () => {
  let server: Server;
  let seen: { path: string | undefined; headers: IncomingHttpHeaders };
  let dir: string;
  let nginx: RunningProgram;
  let dispatcher: Agent;
  let origin: string;
  let httpPort: number;

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      seen = { path: incoming.url, headers: incoming.headers };
      incoming.resume().once("end", () => response.end("ok"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    dir = await mkdtemp(join(tmpdir(), "chest-nginx-"));
    const { caFile, certFile, keyFile } = await makeCertificates(dir);
    const [first, second] = [await freePort(), await freePort()];
    httpPort = first;
    origin = `https://localhost:${second}`;
    const example = (await readFile(join(ROOT, "deploy/nginx/nginx.conf.example"), "utf8"))
      .replace("127.0.0.1:8765", `127.0.0.1:${(server.address() as AddressInfo).port}`)
      .replace("listen 80;", `listen 127.0.0.1:${first};`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${second} ssl;`)
      .replaceAll("server_name chest.example.org", "server_name localhost")
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${certFile};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${keyFile};`)
      .replace("/var/log/nginx/chest.log", join(dir, "access.log"));
    const config = join(dir, "nginx.conf");
    await mkdir(join(dir, "tmp"));
    await writeFile(config, aroundIt(dir, example));
    nginx = startProgram("nginx", ["-p", dir, "-c", config, "-e", join(dir, "error.log")], cleanEnv({}));
    dispatcher = new Agent({ connect: { ca: await readFile(caFile, "utf8") } });
    await vi.waitFor(() => request(`${origin}${PREFIX}`, { dispatcher }), { timeout: 10_000 });
  });
  afterAll(async () => {
    await dispatcher?.close();
    await nginx?.end("SIGTERM");
    server.closeAllConnections();
    server.close();
    await rm(dir, { recursive: true, force: true });
  });

  const post = async (path: string, bytes: number) => {
    const answer = await request(origin + PREFIX + path, { method: "POST", body: Buffer.alloc(bytes), dispatcher });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };

  it.each([
    { path: "api/tools/chest_remember", limit: LIMITS.tool },
    { path: "mcp", limit: LIMITS.mcp },
    ...WIDER_ROUTES.map(({ path, limit }) => ({ path, limit: LIMITS[limit] })),
  ])("takes $limit bytes on $path and not one more", async ({ path, limit }) => {
    expect(await post(path, limit)).toMatchObject({ status: 200 });
    expect(seen.path).toBe(`/${path}`);
    const refused = await post(path, limit + 1);
    expect(refused).toMatchObject({ status: 413, headers: { "content-type": "application/json" } });
    expect(JSON.parse(refused.text)).toMatchObject({ ok: false, error: { code: "PAYLOAD_TOO_LARGE" } });
  });

  it("forwards what OAuth clients look for beside the prefix, as its path stands", async () => {
    const path = `/.well-known/oauth-protected-resource${PREFIX}mcp/oauth`;
    await (await request(origin + path, { dispatcher })).body.dump();
    expect(seen.path).toBe(path);
  });

  it("replaces what a client claims about its address, and keeps the id of its request", async () => {
    const claimed = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-host": "evil.example",
      forwarded: "for=203.0.113.9",
    };
    const headers = { ...claimed, authorization: "Bearer t", "x-request-id": "of-the-client" };
    const answer = await request(`${origin}${PREFIX}capabilities?x=1`, { dispatcher, headers });
    await answer.body.dump();
    expect(answer.headers["strict-transport-security"]).toContain("max-age=");
    expect(seen.path).toBe("/capabilities?x=1");
    expect(seen.headers).toMatchObject({
      host: "localhost",
      authorization: "Bearer t",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": "localhost",
      "x-forwarded-proto": "https",
      "x-request-id": "of-the-client",
    });
    expect(seen.headers.forwarded).toBeUndefined();
  });

  it.each(["localhost", "evil.example", "LOCALHOST:80", "localhost.evil.example"])(
    "sends plain http to https under the configured name, asked as %j",
    async (host) => {
      const answer = await request(`http://127.0.0.1:${httpPort}${PREFIX}mcp`, { headers: { host } });
      await answer.body.dump();
      expect(answer.statusCode).toBe(308);
      expect(answer.headers.location).toBe(`https://localhost${PREFIX}mcp`);
    },
  );

  it("adds the missing slash without a word about a host", async () => {
    const answer = await request(origin + PREFIX.slice(0, -1), { dispatcher });
    await answer.body.dump();
    expect(answer).toMatchObject({ statusCode: 301, headers: { location: PREFIX } });
  });

  it("speaks for a backend that is away, and logs no query string", async () => {
    server.closeAllConnections();
    server.close();
    const answer = await request(`${origin}${PREFIX}capabilities?token=secret`, { dispatcher });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("2");
    expect(await answer.body.json()).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    // nginx writes its log once the answer is out.
    const log = () => readFile(join(dir, "access.log"), "utf8");
    await expect.poll(log).toContain(`GET ${PREFIX}capabilities 503`);
    expect(await log()).not.toContain("secret");
  });
});

/** Wraps an included file in the nginx.conf of the distribution. */
function aroundIt(dir: string, included: string): string {
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const tempPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${dir}/tmp/${name};`,
  );
  return `daemon off; ${user} pid ${dir}/nginx.pid; events {} http { ${tempPaths.join(" ")}\n${included}\n}`;
}

import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { BODY_LIMITS, endpoints, TIME_LIMITS } from "@chest/contracts";
import { TIMEOUTS } from "@chest/server";
import { Agent, type Dispatcher, request } from "undici";
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
  it("match what the generator makes of the API's limits", async () => {
    await expect(hostConfig(LIMITS)).toMatchFileSnapshot("../../deploy/nginx/nginx.conf.example");
    await expect(serviceConfig(LIMITS)).toMatchFileSnapshot("../../deploy/nginx/templates/default.conf.template");
  });

  it("accept for each route the bodies that the backend accepts, and no larger ones", async () => {
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
    // The backend itself limits routes whose bodies are smaller than a tool's.
    const least = limitFor("/api/tools/chest_remember");
    expect(limits.map(({ path }) => ({ path, limit: limitFor(path) }))).toEqual(
      limits.map(({ path, limit }) => ({ path, limit: Math.max(limit, least) })),
    );
  });

  it("wait longer than the backend works, and close connections before it does", () => {
    expect(READ_TIMEOUT_SECONDS.usual * 1000).toBeGreaterThan(TIMEOUTS.requestMs);
    expect(READ_TIMEOUT_SECONDS.usual * 1000).toBe(TIME_LIMITS.proxy);
    expect(READ_TIMEOUT_SECONDS.long * 1000).toBe(TIME_LIMITS.longProxy);
    const long = Object.values(endpoints).flatMap((each) => ("isLong" in each ? [each.path] : []));
    expect(
      WIDER_ROUTES.filter((each) => each.readTimeoutSeconds > READ_TIMEOUT_SECONDS.usual)
        .map(({ path }) => `/${path}`)
        .sort(),
    ).toEqual(long.sort());
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
    ({ dir, nginx, dispatcher, origin, httpPort } = await startExample([`127.0.0.1:${portOf(server)}`]));
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
  ])("accepts $limit bytes on $path and not one more", async ({ path, limit }) => {
    expect(await post(path, limit)).toMatchObject({ status: 200 });
    expect(seen.path).toBe(`/${path}`);
    const refused = await post(path, limit + 1);
    expect(refused).toMatchObject({ status: 413, headers: { "content-type": "application/json" } });
    expect(JSON.parse(refused.text)).toMatchObject({ ok: false, error: { code: "PAYLOAD_TOO_LARGE" } });
  });

  it("forwards what OAuth clients request beside the prefix, with its path unchanged", async () => {
    const path = `/.well-known/oauth-protected-resource${PREFIX}mcp/oauth`;
    await (await request(origin + path, { dispatcher })).body.dump();
    expect(seen.path).toBe(path);
  });

  it("replaces what a client states about its address, and keeps the id of its request", async () => {
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
    "redirects plain http to https under the configured name, requested as %j",
    async (host) => {
      const answer = await request(`http://127.0.0.1:${httpPort}${PREFIX}mcp`, { headers: { host } });
      await answer.body.dump();
      expect(answer.statusCode).toBe(308);
      expect(answer.headers.location).toBe(`https://localhost${PREFIX}mcp`);
    },
  );

  it("adds the missing slash without naming a host", async () => {
    const answer = await request(origin + PREFIX.slice(0, -1), { dispatcher });
    await answer.body.dump();
    expect(answer).toMatchObject({ statusCode: 301, headers: { location: PREFIX } });
  });

  it("answers for a backend that is away, and logs no query string", async () => {
    server.closeAllConnections();
    server.close();
    const answer = await request(`${origin}${PREFIX}capabilities?token=secret`, { dispatcher });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("2");
    expect(await answer.body.json()).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    // nginx writes its log after it has sent the answer.
    const log = () => readFile(join(dir, "access.log"), "utf8");
    await expect.poll(log).toContain(`GET ${PREFIX}capabilities 503`);
    expect(await log()).not.toContain("secret");
  });
});

describe.skipIf(!hasNginx)("the example for an nginx on the host, over two backends of which one breaks off", () => {
  let broken: Backend;
  let whole: Backend;
  let example: Example;
  const streams: (() => void)[] = [];

  beforeAll(async () => {
    broken = await startUpstream(({ url, socket }, response) => {
      if (url !== "/events") return socket.destroy();
      response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      response.write("id: 1\n\n");
      streams.push(() => socket.destroy());
    });
    whole = await startUpstream((_, response) => response.end("ok"));
    // `max_fails=0` keeps both backends in rotation, however the earlier requests ended.
    example = await startExample([broken, whole].map(({ server }) => `127.0.0.1:${portOf(server)} max_fails=0`));
  });
  afterAll(async () => {
    await example?.dispatcher.close();
    await example?.nginx.end("SIGTERM");
    for (const { server } of [broken, whole]) server.close();
    await rm(example.dir, { recursive: true, force: true });
  });

  /** Sends six requests one after another, with ids. */
  const send = async (
    path: string,
    key: (id: string) => Record<string, string>,
    method: Dispatcher.HttpMethod = "POST",
  ) => {
    const sent: { id: string; status: number }[] = [];
    for (let at = 0; at < 6; at++) {
      const id = crypto.randomUUID();
      const headers = { "x-request-id": id, ...key(id) };
      const { statusCode, body } = await request(`${example.origin}${PREFIX}${path}?at=${at}`, {
        ...{ method, headers, dispatcher: example.dispatcher },
        ...(method === "GET" || method === "HEAD" ? {} : { body: `the body of ${id}` }),
      });
      await body.dump();
      sent.push({ id, status: statusCode });
    }
    return sent;
  };

  it("asks the other one, with the same path and body, for a request with a key", async () => {
    const path = "api/members/caf%C3%A9%20%3F";
    const sent = await send(path, (id) => ({ "idempotency-key": `key-${id}` }));

    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect(broken.seen.size).toBeGreaterThan(0);
    for (const [at, { id }] of sent.entries()) {
      const seen = { url: `/${path}?at=${at}`, key: `key-${id}`, body: `the body of ${id}` };
      expect(whole.seen.get(id)).toEqual(seen);
      expect(broken.seen.get(id) ?? seen).toEqual(seen);
    }
    const log = () => readFile(join(example.dir, "access.log"), "utf8");
    await expect.poll(log).toContain(`POST ${PREFIX}${path} 200 `);
  });

  it.each(["GET", "HEAD"] as const)("asks the other one for a read, by %s", async (method) => {
    const before = broken.seen.size;
    const sent = await send("api/memories", () => ({}), method);

    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect(broken.seen.size).toBeGreaterThan(before);
  });

  it("passes a stream on as it arrives, and ends it where its backend fails", async () => {
    const ask = async () => {
      const { body } = await request(`${example.origin}${PREFIX}events`, { dispatcher: example.dispatcher });
      return body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    };
    const firsts = await Promise.all(
      [ask(), ask()].map(async (asked) => {
        const stream = await asked;
        return { stream, first: String((await stream.next()).value) };
      }),
    );
    expect(firsts.map(({ first }) => first).sort()).toEqual(["id: 1\n\n", "ok"]);

    for (const breakOff of streams) breakOff();
    const cut = firsts.find(({ first }) => first !== "ok");
    await expect(cut?.stream.next()).rejects.toThrow();
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)("repeats no %s without a key", async (method) => {
    const sent = await send("api/tools/chest_remember", () => ({}), method);

    for (const { id, status } of sent) {
      expect(broken.seen.has(id)).toBe(!whole.seen.has(id));
      expect(status).toBe(broken.seen.has(id) ? 503 : 200);
    }
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 503]));
  });

  it("answers for both when neither does, with or without a key", async () => {
    whole.server.closeAllConnections();
    whole.server.close();
    for (const headers of [{ "idempotency-key": "a-key" }, { "idempotency-key": "" }, {}])
      for (const { status } of await send("mcp", () => headers as Record<string, string>)) expect(status).toBe(503);
  });

  it("lets no client use the internal path for requests that may be repeated", async () => {
    const answer = await request(`${example.origin}/chest-repeatable/capabilities`, { dispatcher: example.dispatcher });
    await answer.body.dump();
    expect(answer.statusCode).toBe(404);
  });
});

interface Backend {
  readonly server: Server;
  /** Ids of the requests that the backend has read completely. */
  readonly seen: Map<string, { readonly url: string | undefined; readonly key: unknown; readonly body: string }>;
}

async function startUpstream(answer: (incoming: IncomingMessage, response: ServerResponse) => void): Promise<Backend> {
  const seen: Backend["seen"] = new Map();
  const server = createServer(async (incoming, response) => {
    const { url, headers } = incoming;
    const body = await text(incoming);
    seen.set(String(headers["x-request-id"]), { url, key: headers["idempotency-key"], body });
    answer(incoming, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, seen };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

interface Example {
  readonly dir: string;
  readonly nginx: RunningProgram;
  readonly dispatcher: Agent;
  readonly origin: string;
  readonly httpPort: number;
}

/** Starts the example configuration with an address for each backend, and with this machine's own ports and files. */
async function startExample(upstreams: readonly string[]): Promise<Example> {
  const dir = await mkdtemp(join(tmpdir(), "chest-nginx-"));
  const { caFile, certFile, keyFile } = await makeCertificates(dir);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const origin = `https://localhost:${httpsPort}`;
  const example = (await readFile(join(ROOT, "deploy/nginx/nginx.conf.example"), "utf8"))
    .replace("server 127.0.0.1:8765;", upstreams.map((address) => `server ${address};`).join("\n"))
    .replace("listen 80;", `listen 127.0.0.1:${httpPort};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${httpsPort} ssl;`)
    .replaceAll("server_name chest.example.org", "server_name localhost")
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certFile};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${keyFile};`)
    .replace("/var/log/nginx/chest.log", join(dir, "access.log"));
  const config = join(dir, "nginx.conf");
  await mkdir(join(dir, "tmp"));
  await writeFile(config, aroundIt(dir, example));
  const nginx = startProgram("nginx", ["-p", dir, "-c", config, "-e", join(dir, "error.log")], cleanEnv({}));
  const dispatcher = new Agent({ connect: { ca: await readFile(caFile, "utf8") } });
  await vi.waitFor(() => request(`${origin}${PREFIX}`, { dispatcher }), { timeout: 10_000 });
  return { dir, nginx, dispatcher, origin, httpPort };
}

/** Wraps an included file in the distribution's nginx.conf. */
function aroundIt(dir: string, included: string): string {
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const tempPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${dir}/tmp/${name};`,
  );
  return `daemon off; ${user} pid ${dir}/nginx.pid; events {} http { ${tempPaths.join(" ")}\n${included}\n}`;
}

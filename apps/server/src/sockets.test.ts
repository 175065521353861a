import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Executor } from "@chest/core/executor";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { mostConnections } from "./plugins/connection-limit.ts";
import { A_FACT, openApp } from "./testing/app.ts";
import { TOKEN } from "./testing/token.ts";
import { TIMEOUTS } from "./timeouts.ts";

const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function listen(over: Parameters<typeof openApp>[1] = {}): Promise<{ app: FastifyInstance; port: number }> {
  const { app } = await openApp({}, over);
  await app.listen({ port: 0, host: "127.0.0.1" });
  apps.push(app);
  return { app, port: (app.server.address() as AddressInfo).port };
}

/** A connection, the bytes it received, and its end. */
function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const ended = Promise.withResolvers<void>();
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    received += chunk;
  });
  socket.on("close", () => ended.resolve());
  socket.on("error", () => {}); // A reset counts as an end too.
  const has = async (text: string) => {
    while (!received.includes(text)) await sleep(5);
    return received;
  };
  return { socket, has, ended: ended.promise, received: () => received };
}

const head = (length: string, authorization = `Authorization: Bearer ${TOKEN}\r\n`) =>
  `POST /api/tools/chest_remember HTTP/1.1\r\nHost: chest\r\n${authorization}${length}\r\n\r\n`;

describe("a slow client", () => {
  const timeouts = { ...TIMEOUTS, connectionMs: 400, headersMs: 150, requestMs: 300, checkMs: 20 };

  it("that says nothing is cut", async () => {
    const { port } = await listen({ timeouts });
    const { ended, received } = open(port);
    await ended;

    expect(received()).not.toContain("200 OK");
  });

  it("that does not finish its headers is cut, with a word why", async () => {
    const { port } = await listen({ timeouts });
    const { socket, ended, received } = open(port);
    socket.write("POST /api/tools/chest_remember HTTP/1.1\r\nHost: chest\r\nX-Slow: ");
    const dripping = setInterval(() => socket.write("x"), 20);
    await ended;
    clearInterval(dripping);

    expect(received()).toContain("408 Request Timeout");
    expect(received()).toContain('"code":"VALIDATION_ERROR"');
  });

  it("that sends its body too slowly is cut", async () => {
    const { port } = await listen({ timeouts });
    const { socket, ended, received } = open(port);
    socket.write(head("Content-Length: 1000"));
    const dripping = setInterval(() => socket.write(" "), 20);
    await ended;
    clearInterval(dripping);

    expect(received()).not.toContain("200 OK");
  });
});

it("gets the envelope for input that is not HTTP", async () => {
  const { port } = await listen();
  const { socket, ended, received } = open(port);
  socket.write("HELO chest\r\n\r\n");
  await ended;

  expect(received()).toContain("400 Bad Request");
  expect(received()).toContain('"ok":false');
});

it("answers 401 without waiting for the body", async () => {
  const { port } = await listen();
  const { socket, has } = open(port);
  socket.write(head("Content-Length: 1000000", ""));

  expect(await has("UNAUTHORIZED")).toContain("401 Unauthorized");
});

it("loses the connection when it has no token and its body never ends", async () => {
  const { port } = await listen();
  const { socket, ended, received } = open(port);
  socket.write(head("Content-Length: 1000000", ""));
  const dripping = setInterval(() => socket.write(" "), 50);
  await ended;
  clearInterval(dripping);

  expect(received()).toContain("401 Unauthorized");
});

it("keeps the connection when it has no token and its body ends", async () => {
  const { port } = await listen();
  const { socket, has, received } = open(port);
  socket.write(head("Content-Length: 5", ""));
  await has("UNAUTHORIZED");
  socket.write("12345");
  await sleep(1500);
  socket.write("GET /healthz HTTP/1.1\r\nHost: chest\r\n\r\n");
  await has('"db"');

  expect(received()).toContain("200 OK");
});

it.each([
  ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", "400 Bad Request"],
  ["another expectation", "GET /healthz HTTP/1.1\r\nHost: chest\r\nExpect: foo\r\n\r\n", "417 Expectation Failed"],
  ["long headers", `GET /healthz HTTP/1.1\r\nHost: chest\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, "431 Request"],
  ["no HTTP", "HELO chest\r\n\r\n", "400 Bad Request"],
])("answers a request of %s with the envelope and an id", async (_, text, status) => {
  const { port } = await listen();
  const { socket, has } = open(port);
  socket.write(text);
  const answer = await has('"ok":false');

  expect(answer).toContain(`HTTP/1.1 ${status}`);
  expect(answer).toMatch(/x-request-id: [\w-]{36}/i);
  expect(answer).toContain('"code":"VALIDATION_ERROR"');
});

it("may use HTTP/1.0 without a Host, and `Expect: 100-continue`", async () => {
  const { port } = await listen();
  const old = open(port);
  old.socket.write("GET /healthz HTTP/1.0\r\n\r\n");
  expect(await old.has('"db"')).toContain("200 OK");

  const expecting = open(port);
  const body = JSON.stringify(A_FACT);
  expecting.socket.write(head(`Expect: 100-continue\r\nContent-Length: ${body.length}`));
  await expecting.has("100 Continue");
  expecting.socket.write(body);
  expect(await expecting.has('"memory_id"')).toContain("200 OK");
});

it("gets a refusal for a body that is too large by its stated length, before it arrives", async () => {
  const { port } = await listen();
  const { socket, has } = open(port);
  socket.write(head("Content-Length: 1048577"));

  expect(await has("PAYLOAD_TOO_LARGE")).toContain("413 Payload Too Large");
});

it.each([
  ["of a length told", "Content-Length: 30000000", ""],
  ["in chunks", "Transfer-Encoding: chunked", "1C9C380\r\n"],
])("tells a client that reads nothing before all is sent why a body %s is too large", async (_, length, before) => {
  const { port } = await listen();
  const { socket, ended, received } = open(port);
  socket.pause();
  const sent = Promise.withResolvers<void>();
  socket.write(head(length) + before);
  socket.write(Buffer.alloc(30_000_000, 0x20), () => sent.resolve());
  await Promise.race([sent.promise, ended]);
  if (before !== "") socket.write("\r\n0\r\n\r\n");
  socket.resume();
  socket.end();
  await ended;

  expect(received()).toContain("413 Payload Too Large");
});

it("answers a chunked body as soon as it is too large", async () => {
  const { port } = await listen();
  const { socket, has } = open(port);
  socket.write(head("Transfer-Encoding: chunked"));
  const chunk = "x".repeat(65_536);
  for (let i = 0; i < 17; i++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);

  expect(await has("PAYLOAD_TOO_LARGE")).toContain("413 Payload Too Large");
});

it("tells a call when its client has left", async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const executor: Executor = {
    execute: (_name, _input, { signal }) => {
      started.resolve(signal);
      return new Promise(() => {});
    },
  };
  const { app, port } = await listen({ executor });
  // The app is not closed at the end, because its call never ends and closing would wait for it.
  apps.splice(apps.indexOf(app), 1);
  const { socket } = open(port);
  const body = JSON.stringify(A_FACT);
  socket.write(`${head(`Content-Length: ${body.length}`)}${body}`);
  const signal = await started.promise;
  expect(signal.aborted).toBe(false);
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
  socket.destroy();

  await aborted;
  app.server.close();
});

describe("closing", () => {
  function slowly() {
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<Record<string, unknown>>();
    const executor: Executor = {
      execute: () => {
        started.resolve();
        return goOn.promise;
      },
    };
    return { executor, started: started.promise, finish: () => goOn.resolve({ ok: true, memory_id: 1 }) };
  }
  const body = JSON.stringify(A_FACT);
  const request = `${head(`Content-Length: ${body.length}`)}${body}`;

  it("finishes what was accepted and ends its connection at once", async () => {
    const { executor, started, finish } = slowly();
    const { app, port } = await listen({ executor });
    const { socket, ended, received } = open(port);
    socket.write(request);
    await started;
    const closed = app.close();
    finish();
    await Promise.all([closed, ended]);

    expect(received()).toContain("200 OK");
    expect(received()).toContain('"memory_id":1');
  });

  it("refuses an incomplete request, with the time to come back", async () => {
    const { executor, started, finish } = slowly();
    const { app, port } = await listen({ executor });
    const accepted = open(port);
    const begun = open(port);
    begun.socket.write("GET /healthz HTTP/1.1\r\nHost: ch");
    accepted.socket.write(request);
    await started;
    await sleep(20);
    const closed = app.close();
    await sleep(20);
    begun.socket.write("est\r\n\r\n");
    await begun.ended;
    finish();
    await Promise.all([closed, accepted.ended]);

    expect(begun.received()).toContain("503 Service Unavailable");
    expect(begun.received()).toContain('"code":"UNAVAILABLE"');
    expect(begun.received()).toMatch(/retry-after: 2/i);
    expect(accepted.received()).toContain("200 OK");
  });

  it("accepts no new connection", async () => {
    const { app, port } = await listen();
    await app.close();
    const { ended, received } = open(port);
    await ended;

    expect(received()).toBe("");
  });
});

describe("a running request", () => {
  const timeouts = { ...TIMEOUTS, connectionMs: 60, answerMs: 400, checkMs: 20 };
  const ask = (port: number) => {
    const connection = open(port);
    const body = JSON.stringify(A_FACT);
    connection.socket.write(`${head(`Content-Length: ${body.length}`)}${body}`);
    return connection;
  };

  it("is waited for longer than a connection may be silent", async () => {
    const executor: Executor = {
      async execute() {
        await sleep(200);
        return { ok: true, memory_id: 7 };
      },
    };
    const { port } = await listen({ timeouts, executor });

    expect(await ask(port).has('"memory_id":7')).toContain("200 OK");
  });

  it("is answered though it arrived while other programs had the processor", async () => {
    const { app, port } = await listen({ timeouts });
    const connection = open(port);
    await Promise.all([once(app.server, "connection"), once(connection.socket, "connect")]);
    connection.socket.write(`GET /healthz HTTP/1.1\r\nHost: chest\r\n\r\n`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * timeouts.connectionMs);
    await Promise.race([connection.has("200 OK"), connection.ended]);

    expect(connection.received()).toContain("200 OK");
  });

  it("that exceeds its limit is answered with the envelope, and its work is aborted", async () => {
    let signal: AbortSignal | undefined;
    const executor: Executor = {
      execute: (_name, _input, call) => {
        signal = call.signal;
        return new Promise(() => {});
      },
    };
    const { port } = await listen({ timeouts, executor });
    const answer = await ask(port).has('"retry_after_ms"');

    expect(answer).toContain("503 Service Unavailable");
    expect(answer).toContain('"code":"UNAVAILABLE"');
    expect(answer).toMatch(/retry-after: 5/i);
    while (!signal?.aborted) await sleep(5);
  });

  it("whose body stops arriving is cut, with a reason", async () => {
    const { port } = await listen({ timeouts });
    const { socket, ended, received } = open(port);
    socket.write(head("Content-Length: 1000"));
    await ended;

    expect(received()).toContain("408 Request Timeout");
  });
});

it("is not disturbed by a connection above the limit, which is refused with the envelope until another has ended", async () => {
  const { port } = await listen({ mostConnections: 2 });
  const idle = [open(port), open(port)];
  await Promise.all(idle.map(({ socket }) => once(socket, "connect")));
  const refused = open(port);
  await refused.ended;
  expect(refused.received()).toContain("503 Service Unavailable");
  expect(refused.received()).toContain("too many connections are open");

  idle[0]?.socket.destroy();
  await expect
    .poll(async () => {
      const next = open(port);
      next.socket.write("GET /healthz HTTP/1.1\r\nHost: chest\r\nConnection: close\r\n\r\n");
      await next.ended;
      return next.received();
    })
    .toContain("200 OK");
});

it("over a refused connection is not processed", async () => {
  const executed: string[] = [];
  const executor: Executor = {
    async execute(name) {
      executed.push(name);
      return { ok: true, memory_id: 1 };
    },
  };
  const { port } = await listen({ mostConnections: 1, executor });
  const first = open(port);
  await once(first.socket, "connect");
  const body = JSON.stringify(A_FACT);
  const request = `${head(`Content-Length: ${body.length}`)}${body}`;
  const refused = open(port);
  refused.socket.write(request);
  await refused.ended;
  expect(executed).toEqual([]);

  first.socket.write(request);
  await first.has('"memory_id"');
  expect(executed).toEqual(["chest_remember"]);
});

it.each([
  ["Max open files            1024                 4096                 files", 864],
  ["Max open files            200                  200                  files", 50],
  ["Max cpu time              unlimited", undefined],
])("leaves files for the store: %s", (limits, most) => {
  expect(mostConnections(limits)).toBe(most);
});

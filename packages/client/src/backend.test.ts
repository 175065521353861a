import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, endpoints } from "@chest/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Backend, type BackendOptions, type CallOptions, openBackend } from "./backend.ts";
import {
  answerJson,
  cutAfter,
  cutBefore,
  type FakeBackend,
  hang,
  makeCertificate,
  page,
  refuse,
  startFakeBackend,
  torn,
} from "./testing/index.ts";

vi.mock("node:timers/promises", { spy: true });

let fake: FakeBackend;
const opened: Backend[] = [];

beforeEach(async () => {
  fake = await startFakeBackend();
  vi.mocked(sleep).mockClear();
});

afterEach(async () => {
  for (const backend of opened.splice(0)) backend.close();
  await fake.stop();
});

function open(over: Partial<BackendOptions> = {}): Backend {
  const client = () => ({ name: "chest-memory", version: "1.2.3", wire: "1.6.0", machine: "m1", agent: "an-agent" });
  const backend = openBackend({ url: fake.url, token: "t".repeat(32), client, ...over });
  opened.push(backend);
  return backend;
}

const remember = (backend: Backend, over: Partial<CallOptions> = {}) =>
  backend.call(endpoints.tool, {
    parts: { tool: "chest_remember" },
    body: { content: "a fact" },
    headers: { "idempotency-key": "k1" },
    isRepeatable: true,
    ...over,
  });

async function failureOf(call: Promise<unknown>): Promise<ChestError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ChestError) return error;
  throw new Error("no ChestError", { cause: error });
}

it("answers what the endpoint promises, and says who asks", async () => {
  const { result } = await remember(open());

  expect(result).toEqual({ ok: true, memory_id: 1 });
  expect(fake.calls[0]).toMatchObject({
    method: "POST",
    path: "/api/tools/chest_remember",
    body: '{"content":"a fact"}',
    headers: {
      authorization: `Bearer ${"t".repeat(32)}`,
      "idempotency-key": "k1",
      "x-chest-client": "chest-memory/1.2.3; wire=1.6.0; machine=m1; agent=an-agent",
      "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
    },
  });
});

it("keeps the path prefix, and cuts slashes and credentials off the base URL", async () => {
  const backend = open({ url: `http://user:pw@127.0.0.1:${fake.port}/chest-memory//` });

  await backend.call(endpoints.healthz);

  expect(backend.url).toBe(`${fake.url}/chest-memory`);
  expect(fake.requests[0]?.path).toBe("/chest-memory/healthz");
});

describe("tries again", () => {
  it.each([
    ["is cut", cutBefore],
    ["is lost after the write", cutAfter],
    ["is torn", torn],
    ["is a 500", refuse(500, "INTERNAL_ERROR")],
    ["is a 503", refuse(503, "UNAVAILABLE")],
    ["is a gateway's page", page(502)],
  ])("when an answer %s, with the same body, key and request id, and stores one", async (_, mishap) => {
    fake.meet(mishap, mishap);

    const { result } = await remember(open());

    expect(result).toEqual({ ok: true, memory_id: 1 });
    expect(fake.calls).toHaveLength(3);
    expect(new Set(fake.calls.map(({ body }) => body)).size).toBe(1);
    expect(new Set(fake.calls.map(({ headers }) => headers["x-request-id"])).size).toBe(1);
    expect(fake.stored.size).toBe(1);
  });

  it("when a backend hangs, within the time of the whole call", async () => {
    fake.meet(hang);

    const { result } = await remember(open({ timeoutMs: 3_000 }));

    expect(result).toEqual({ ok: true, memory_id: 1 });
  });

  it.each([429, 503])("after the delay that a %i names", async (status) => {
    const code = status === 429 ? "RATE_LIMITED" : "UNAVAILABLE";
    fake.meet(refuse(status, code, { headers: { "retry-after": "1" } }));

    await remember(open());

    expect(vi.mocked(sleep).mock.calls.map(([pauseMs]) => pauseMs)).toEqual([1_000]);
  });

  it("after the delay in the envelope, which is finer than the header's", async () => {
    fake.meet(refuse(429, "RATE_LIMITED", { headers: { "retry-after": "9" }, details: { retry_after_ms: 60 } }));

    await remember(open({ timeoutMs: 2_000 }));

    expect(fake.calls).toHaveLength(2);
  });
});

describe("gives up", () => {
  it("after three tries", async () => {
    fake.meet(cutBefore, cutBefore, cutBefore, cutBefore);

    const error = await failureOf(remember(open()));

    expect(error).toMatchObject({ code: "BACKEND_UNREACHABLE", details: { url: fake.url, reason: "reset" } });
    expect(fake.calls).toHaveLength(3);
  });

  it("at once when a delay does not fit into the call", async () => {
    fake.meet(refuse(429, "RATE_LIMITED", { headers: { "retry-after": "3600" } }));

    const error = await failureOf(remember(open()));

    expect(error).toMatchObject({ code: "RATE_LIMITED", details: { retry_after_ms: 3_600_000 } });
    expect(fake.calls).toHaveLength(1);
  });

  it.each([
    [400, "VALIDATION_ERROR"],
    [401, "UNAUTHORIZED"],
    [403, "PROTECTED"],
    [404, "NOT_FOUND"],
    [409, "VERSION_CONFLICT"],
    [422, "REJECTED"],
    [426, "CLIENT_TOO_OLD"],
    [507, "STORAGE_FULL"],
  ])("on a %i, and throws the backend's own error", async (status, code) => {
    fake.meet(refuse(status, code, { details: { id: 7 } }));

    const error = await failureOf(remember(open()));

    expect(error).toMatchObject({
      code,
      message: `the backend says ${code}`,
      hint: "as the backend says",
      details: { id: 7 },
    });
    expect(fake.calls).toHaveLength(1);
  });

  it("after one try of a write without a key that may have arrived", async () => {
    fake.meet(cutAfter);

    const error = await failureOf(remember(open(), { isRepeatable: false }));

    expect(error).toMatchObject({ code: "BACKEND_UNREACHABLE", details: { may_have_arrived: true } });
    expect(fake.calls).toHaveLength(1);
  });

  it("when the caller does, with the caller's reason", async () => {
    fake.meet(hang);
    const caller = new AbortController();
    setTimeout(() => caller.abort(new Error("cancelled")), 50);

    await expect(remember(open(), { signal: caller.signal })).rejects.toThrow("cancelled");
  });

  it("when it is closed, as unreachable", async () => {
    fake.meet(hang);
    const backend = open();
    setTimeout(() => backend.close(), 50);

    expect(await failureOf(remember(backend))).toMatchObject({
      code: "BACKEND_UNREACHABLE",
      details: { reason: "closing" },
    });
  });
});

describe("says what answered instead", () => {
  it.each([
    ["a page", page(200), "a proxy may be in the way"],
    ["a login page", page(401), "asks for a login of its own"],
    ["a limit on bodies", page(413), "client_max_body_size"],
    ["a path that is not there", page(404), "path prefix"],
    ["an error page of something else", page(500), "a proxy may be in the way"],
  ])("%s", async (_, mishap, hint) => {
    fake.meet(mishap);

    const error = await failureOf(remember(open()));

    expect(error.code).toBe("BACKEND_PROTOCOL_ERROR");
    expect(error.hint).toContain(hint);
    expect(fake.calls).toHaveLength(1);
  });

  it("a redirect, which is not followed, without what its query holds", async () => {
    fake.meet((response) => void response.writeHead(301, { location: "https://u:p@new.example/x?token=s" }).end());

    const error = await failureOf(remember(open()));

    expect(error).toMatchObject({ code: "BACKEND_PROTOCOL_ERROR", details: { location: "https://new.example/x" } });
    expect(error.hint).toContain("`https://new.example/x`");
  });

  it("an answer of another shape", async () => {
    fake.meet((response) => answerJson(response, 200, { hello: "world" }));

    expect(await failureOf(remember(open()))).toMatchObject({
      code: "BACKEND_PROTOCOL_ERROR",
      details: { status: 200 },
    });
  });

  it("an answer without end", async () => {
    fake.meet((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(1_000_000, " ");
      const more = () => void (response.destroyed || response.write(chunk, more));
      more();
    });

    expect(await failureOf(remember(open()))).toMatchObject({ code: "BACKEND_PROTOCOL_ERROR" });
  });

  it("something that does not speak HTTP", async () => {
    const server = createServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };

    const error = await failureOf(open({ url: `http://127.0.0.1:${port}` }).call(endpoints.healthz));
    server.close();

    expect(error).toMatchObject({ code: "BACKEND_PROTOCOL_ERROR" });
  });
});

describe("says why there is no answer", () => {
  it("nothing listens", async () => {
    await fake.stop();
    const error = await failureOf(remember(open(), { isRepeatable: false }));
    fake = await startFakeBackend();

    expect(error).toMatchObject({
      code: "BACKEND_UNREACHABLE",
      details: { reason: "refused", may_have_arrived: false },
    });
    expect(error.hint).toContain("`chest-index doctor client");
  });

  it("no such name", async () => {
    const error = await failureOf(open({ url: "http://nowhere.invalid:1" }).call(endpoints.healthz, { tries: 1 }));

    expect(error).toMatchObject({ details: { reason: "name", url: "http://nowhere.invalid:1" } });
  });

  it("no TLS", async () => {
    const error = await failureOf(open({ url: fake.url.replace("http:", "https:") }).call(endpoints.healthz));

    expect(error).toMatchObject({ details: { reason: "not-tls" } });
  });
});

describe("over TLS", () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-tls-"));
  });

  afterEach(() => rm(dir, { recursive: true }));

  async function ask(names: readonly string[], { days = 2, isTrusted = true } = {}) {
    const certificate = await makeCertificate(dir, names, days);
    await fake.stop();
    fake = await startFakeBackend({ tls: certificate });
    return open(isTrusted ? { ca: certificate.ca } : {}).call(endpoints.healthz);
  }

  it("trusts the authority of CHEST_CA_FILE", async () => {
    expect(await ask(["IP:127.0.0.1"])).toMatchObject({ ok: true });
  });

  it("names CHEST_CA_FILE when the authority is unknown, without another try", async () => {
    const error = await failureOf(ask(["IP:127.0.0.1"], { isTrusted: false }));

    expect(error).toMatchObject({ code: "BACKEND_UNREACHABLE", details: { reason: "authority" } });
    expect(error.hint).toContain("CHEST_CA_FILE");
    expect(fake.requests).toHaveLength(0);
  });

  it("says that a certificate is over", async () => {
    expect(await failureOf(ask(["IP:127.0.0.1"], { days: -1 }))).toMatchObject({ details: { reason: "expired" } });
  });

  it("says that a certificate is for another name", async () => {
    expect(await failureOf(ask(["DNS:other.example"]))).toMatchObject({ details: { reason: "wrong-name" } });
  });
});

describe("a call without an answer", () => {
  const presence = { silenceMs: 40, probeMs: 300, againMs: 20 };
  const patient = { ...presence, probeMs: 20_000 };

  it("is waited for while the backend answers beside it", async () => {
    fake.meet((response, store) => setTimeout(() => answerJson(response, 200, { ok: true, result: store() }), 400));

    const { result } = await remember(open({ presence: patient }));

    expect(result).toEqual({ ok: true, memory_id: 1 });
    expect(fake.calls).toHaveLength(1);
    expect(fake.requests.filter(({ path }) => path === "/healthz").length).toBeGreaterThan(1);
  });

  it("is waited for where the backend's database does not answer", async () => {
    const sick = await startFakeBackend();
    sick.meetAlways((response) => {
      if (response.req.url === "/healthz")
        return answerJson(response, 503, { ok: false, version: "1.6.0", db: "error" });
      setTimeout(() => answerJson(response, 200, { ok: true, result: { ok: true, memory_id: 1 } }), 300);
    });

    expect(await remember(open({ presence: patient, url: sick.url }))).toMatchObject({ ok: true });
    await sick.stop();
  });

  it("ends where the backend hangs, and so do the next ones at once, until it answers again", async () => {
    fake.meetAlways(hang);
    const backend = open({ presence });

    expect(await failureOf(remember(backend))).toMatchObject({
      code: "BACKEND_UNREACHABLE",
      details: { reason: "stuck", may_have_arrived: true },
    });
    const sent = fake.calls.length;
    expect(await failureOf(remember(backend))).toMatchObject({ details: { reason: "stuck", may_have_arrived: false } });
    expect(fake.calls).toHaveLength(sent);

    fake.meetAlways(undefined);
    await expect
      .poll(() =>
        remember(backend).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("ends where a proxy answers for a backend that is gone", async () => {
    fake.meetAlways((response) => {
      if (response.req.url === "/healthz")
        answerJson(response, 503, { ok: false, error: { code: "BACKEND_UNREACHABLE" } });
    });

    expect(await failureOf(remember(open({ presence })))).toMatchObject({ details: { reason: "stuck" } });
  });
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { aFact } from "../support/clients/lone-client.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

const sent: Sent[] = [];
let collector: Server;
let backend: Backend;
let agent: StdioClient;
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = (await json(request)) as Sent;
    const isKnown = request.method === "POST" && request.url === "/v1/traces";
    if (isKnown) sent.push(body);
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  backend = await startBackend({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
  const { url, token, dataDir } = backend;
  const env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: url, CHEST_API_TOKEN: token, CHEST_DATA_DIR: dataDir };
  agent = await connectStdioClient({ env });
});
afterAll(async () => {
  await agent?.stop();
  await backend?.stop();
  collector?.close();
});

const spans = (): Span[] =>
  sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
const spanOf = (name: string, traceId: string) =>
  vi.waitFor(
    () => {
      const found = spans().find((span) => span.name === name && span.traceId === traceId);
      expect(found, `${name} of ${traceId}`).toBeDefined();
      return found as Span;
    },
    { timeout: 20_000, interval: 100 },
  );

it("puts the backend's spans of an agent's call below the agent's own span, all the way to the collector", async () => {
  const _meta = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await agent.client.callTool({ name: "chest_remember", arguments: aFact("the kingfisher dives at noon"), _meta });

  const span = await spanOf("POST /api/tools/chest_remember", TRACE);
  expect(span.parentSpanId).toBe(PARENT);
  const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(attributes).toMatchObject({ "http.request.method": "POST", "http.response.status_code": 200 });
});

it("does the same for HTTP clients, and begins a trace for each request without a parent", async () => {
  const other = [...TRACE].reverse().join("");
  const ask = (headers: Record<string, string>) =>
    fetch(`${backend.url}/api/tools/chest_recall`, {
      method: "POST",
      headers: { authorization: `Bearer ${backend.token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ query: "kingfisher" }),
    });
  await ask({});
  await ask({ traceparent: `00-${other}-${PARENT}-01` });

  expect((await spanOf("POST /api/tools/chest_recall", other)).parentSpanId).toBe(PARENT);
  const orphans = spans().filter(({ name, traceId }) => name === "POST /api/tools/chest_recall" && traceId !== other);
  expect(orphans).toHaveLength(1);
  expect([TRACE, other]).not.toContain(orphans[0]?.traceId);
  expect(orphans[0]?.parentSpanId || undefined).toBeUndefined();
});

it("sends the collector no stored text", () => {
  expect(JSON.stringify(sent)).not.toMatch(/kingfisher|Bearer|acme/);
});

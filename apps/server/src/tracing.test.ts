import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { A_FACT, openApp } from "./testing/app.ts";
import { AUTHORIZATION } from "./testing/token.ts";
import { openTracing } from "./tracing.ts";

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly name: string; readonly traceId: string; readonly parentSpanId?: string }[];
    }[];
  }[];
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

let collector: Server;
let bodies: Sent[];
beforeEach(async () => {
  bodies = [];
  collector = createServer(async (request, response) => {
    if (request.url === "/v1/traces") bodies.push((await json(request)) as Sent);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
});
afterEach(() => collector.close());

const url = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

it("puts each request below the span that its `traceparent` names, without its content", async () => {
  const tracing = await openTracing(url(), { warn: vi.fn() });
  const { app } = await openApp({}, { tracing });
  const headers = { ...AUTHORIZATION, traceparent: `00-${TRACE}-${PARENT}-01` };
  await app.inject({ method: "POST", url: "/api/tools/chest_remember", headers, payload: A_FACT });
  await app.inject({
    method: "POST",
    url: "/api/tools/chest_recall?secret=1",
    headers: AUTHORIZATION,
    payload: { query: "cluster" },
  });
  await app.close();
  await tracing?.close();

  const spans = bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
  expect(spans).toMatchObject([
    { name: "POST /api/tools/chest_remember", traceId: TRACE, parentSpanId: PARENT },
    { name: "POST /api/tools/chest_recall", traceId: expect.not.stringContaining(TRACE) },
  ]);
  expect(JSON.stringify(bodies)).not.toMatch(/secret|blue|outage|acme|Bearer/);
});

it("sends nothing where no collector is configured", async () => {
  expect(await openTracing(undefined, { warn: vi.fn() })).toBeUndefined();
});

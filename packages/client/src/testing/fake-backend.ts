import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Mishap that replaces the usual answer to one request. */
export type Mishap = (response: ServerResponse, store: () => Record<string, unknown>) => void;

export interface FakeBackend {
  readonly url: string;
  readonly port: number;
  /** Requests of tools, in the order they came. */
  readonly calls: readonly Received[];
  /** Every request. */
  readonly requests: readonly Received[];
  /** Stored inputs, one per key. */
  readonly stored: ReadonlyMap<string, Record<string, unknown>>;
  /** The next requests of tools meet these, one each. */
  meet(...mishaps: readonly Mishap[]): void;
  /** Every request meets this until it is taken back with `undefined`. */
  meetAlways(mishap: Mishap | undefined): void;
  stop(): Promise<void>;
}

export interface FakeBackendOptions {
  readonly port?: number | undefined;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined;
  /** Answer for a resource's address; not found by default. */
  readonly resource?: ((uri: string) => Record<string, unknown> | undefined) | undefined;
  /** Answer for any other path, from its body; not found by default. */
  readonly other?: ((request: Received) => { readonly status: number; readonly body: object } | undefined) | undefined;
  /** Answer of a tool; by default a new id for every key. */
  readonly answer?: ((tool: string, input: Record<string, unknown>) => Record<string, unknown>) | undefined;
}

const CAPABILITIES = {
  api_version: "1.6.0",
  min_required_client_version: "1.5.0",
  server_version: "0.0.0-fake",
  server_has_embedder: false,
  server_time: "2026-11-21T12:00:00Z",
  features: ["idempotency"],
  embedding: { ready: false, active: null, accepted: [] },
  limits: { content_chars: 8000, tool_body_bytes: 1_048_576 },
};

const HEALTH = { ok: true, version: "1.6.0", db: "ok", embedding: { provider: "none", model: null, dim: null } };

/** A real HTTP server that speaks this wire, keeps one answer a key, and can go wrong on demand. */
export async function startFakeBackend(options: FakeBackendOptions = {}): Promise<FakeBackend> {
  const requests: Received[] = [];
  const mishaps: Mishap[] = [];
  const stored = new Map<string, Record<string, unknown>>();
  let always: Mishap | undefined;

  const store = (received: Received): Record<string, unknown> => {
    const key = String(received.headers["idempotency-key"] ?? `none-${requests.length}`);
    const tool = received.path.split("/").at(-1) ?? "";
    const answer = stored.get(key) ??
      options.answer?.(tool, JSON.parse(received.body)) ?? { ok: true, memory_id: stored.size + 1 };
    stored.set(key, answer);
    return answer;
  };

  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const received = { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") };
    requests.push(received);
    const isCall = url.includes("/api/tools/");
    const mishap = always ?? (isCall ? mishaps.shift() : undefined);
    if (mishap) return mishap(response, () => store(received));
    if (url.endsWith("/healthz")) return answerJson(response, 200, HEALTH);
    if (url.endsWith("/capabilities")) return answerJson(response, 200, { ...CAPABILITIES, ...options.capabilities });
    if (isCall) return answerJson(response, 200, { ok: true, result: store(received) });
    const resource = options.resource?.(new URL(url, "http://fake").searchParams.get("uri") ?? "");
    if (resource) return answerJson(response, 200, resource);
    const other = options.other?.(received);
    if (other) return answerJson(response, other.status, other.body);
    return answerJson(response, 404, { ok: false, error: { code: "NOT_FOUND", message: "route not found" } });
  };

  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    requests,
    stored,
    get calls() {
      return requests.filter(({ path }) => path.includes("/api/tools/"));
    },
    meet: (...more) => void mishaps.push(...more),
    meetAlways: (mishap) => {
      always = mishap;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The connection ends before anything was stored. */
export const cutBefore: Mishap = (response) => void response.socket?.destroy();

/** It is stored, and the answer is lost on the way back. */
export const cutAfter: Mishap = (response, store) => {
  store();
  response.socket?.destroy();
};

/** The answer ends in its middle. */
export const torn: Mishap = (response, store) => {
  store();
  response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
  response.write('{"ok":true,', () => response.socket?.destroy());
};

export const hang: Mishap = () => {};

export const page =
  (status: number): Mishap =>
  (response) =>
    void response.writeHead(status, { "content-type": "text/html" }).end(`<html><h1>${status}</h1></html>`);

export const refuse =
  (
    status: number,
    code: string,
    { headers = {}, details }: { headers?: Record<string, string>; details?: unknown } = {},
  ): Mishap =>
  (response) =>
    answerJson(
      response,
      status,
      {
        ok: false,
        error: {
          code,
          message: `the backend says ${code}`,
          hint: "as the backend says",
          ...(details ? { details } : {}),
        },
      },
      headers,
    );

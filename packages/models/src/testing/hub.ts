import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A hub of models on this machine, that may be told to misbehave. */
export interface Hub {
  readonly url: string;
  /** Everything that was asked of it, redirects included. */
  readonly requests: { readonly path: string; readonly range: string | undefined }[];
  /** Answers the next requests for this file so, one each; then as a hub does. */
  next(path: string, ...behaviours: readonly Behaviour[]): void;
  stop(): Promise<void>;
}

export interface HubRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly content: Buffer;
  /** First byte of the requested range. */
  readonly from: number;
}

export type Behaviour = (asked: HubRequest) => void;

/** Time for what was sent to be read: a reader throws away what it has not read when the connection breaks. */
const READ_MS = 50;

/** Ends the connection after so many bytes. */
export const cutAfter =
  (bytes: number): Behaviour =>
  (asked) => {
    head(asked);
    asked.response.write(asked.content.subarray(asked.from, asked.from + bytes));
    setTimeout(() => asked.response.destroy(), READ_MS);
  };

/** Falls silent after so many bytes. */
export const stallAfter =
  (bytes: number): Behaviour =>
  (asked) => {
    head(asked);
    asked.response.write(asked.content.subarray(asked.from, asked.from + bytes));
  };

export const answer =
  (status: number): Behaviour =>
  ({ response }) => {
    response.writeHead(status).end("<html>no</html>");
  };

export const redirectTo =
  (location: string): Behaviour =>
  ({ response }) => {
    response.writeHead(302, { location }).end();
  };

/** Names a length of its own, and sends what fits. */
export const lieAboutLength =
  (difference: number): Behaviour =>
  ({ response, content }) => {
    const length = content.length + difference;
    response.writeHead(200, { "content-length": length });
    response.end(content.subarray(0, length));
  };

/** Something else of the same size. */
export const sendOther: Behaviour = (asked) => {
  head(asked);
  asked.response.end(Buffer.alloc(asked.content.length - asked.from, "x"));
};

/** More than there is, in a body without a length. */
export const sendTooMuch: Behaviour = ({ response, content }) => {
  response.writeHead(200, { "x-linked-size": content.length });
  response.end(Buffer.concat([content, Buffer.from("and more")]));
};

/** The whole of a file, without its length. */
export const sendWithoutLength: Behaviour = ({ response, content }) => {
  response.writeHead(200, { "transfer-encoding": "chunked" }).end(content);
};

/** Knows of no ranges. */
export const ignoreRange: Behaviour = ({ response, content }) => {
  response.writeHead(200, { "content-length": content.length }).end(content);
};

/** Some other part than the one that was asked for. */
export const sendOtherRange: Behaviour = ({ response, content }) => {
  const range = `bytes 0-${content.length - 1}/${content.length}`;
  response.writeHead(206, { "content-range": range }).end(content);
};

/** Serves the files of a folder of models as the hub does: the weights through a redirect, all with their checksums. */
export async function startHub(modelsDir: string): Promise<Hub> {
  const requests: { path: string; range: string | undefined }[] = [];
  const planned = new Map<string, Behaviour[]>();

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path } = new URL(request.url ?? "/", "http://hub");
    const { range } = request.headers;
    requests.push({ path, range });
    const [, id, file] = /^\/(?:cdn\/)?([\w.-]+\/[\w.-]+)\/resolve\/[^/]+\/(.+)$/.exec(path) ?? [];
    const content = id && file ? await readFile(join(modelsDir, id, file)).catch(() => undefined) : undefined;
    if (!content || !file) return void answer(404)({ request, response, content: Buffer.alloc(0), from: 0 });
    const digest = createHash("sha256").update(content).digest("hex");
    if (file.endsWith(".onnx") && !path.startsWith("/cdn/")) {
      const linked = { "x-linked-etag": `"${digest}"`, "x-linked-size": content.length };
      return void response.writeHead(302, { location: `/cdn${path}?signed=1`, ...linked }).end();
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
    const asked = { request, response, content, from };
    const behaviour = planned.get(file)?.shift();
    if (behaviour) return behaviour(asked);
    if (from >= content.length) return void response.writeHead(416).end();
    head(asked);
    response.end(content.subarray(from));
  };

  const server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (path, ...behaviours) => void planned.set(path, [...(planned.get(path) ?? []), ...behaviours]),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function head({ response, content, from }: HubRequest): void {
  const git = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  const range = from > 0 ? { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` } : {};
  const status = from > 0 ? 206 : 200;
  response.writeHead(status, { "content-length": content.length - from, etag: `"${git}"`, ...range });
}

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from "node:http";
import { createServer as createTlsServer, request as requestTls } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { makeCertificates } from "./certificates.ts";

export interface InterceptingProxy {
  /** Address for `HTTPS_PROXY`. */
  readonly url: string;
  /** The authority that signs for every host behind the proxy. */
  readonly caFile: string;
  /** Hosts that were asked for, with their ports, one for each connection. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a proxy as some companies run it: it ends TLS with certificates of an authority of its own, and speaks to the true
 * host itself.
 * @param hosts names that it has certificates for
 * @param upstreams addresses that stand for hosts of a test
 */
export async function startInterceptingProxy(
  dir: string,
  hosts: readonly string[],
  upstreams: Readonly<Record<string, string>> = {},
): Promise<InterceptingProxy> {
  const { caFile, certFile, keyFile } = await makeCertificates(dir, hosts);
  const asked: string[] = [];
  const open = new Set<Socket>();
  const inside = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) =>
    forward(request, response, upstreams),
  );
  const proxy = createServer().on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    asked.push(request.url ?? "");
    open.add(socket.on("close", () => open.delete(socket)).on("error", () => {}));
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    inside.emit("connection", socket);
  });
  inside.on("tlsClientError", () => {}); // A client that does not trust the authority hangs up.
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    caFile,
    asked,
    async stop() {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, "close");
    },
  };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstreams: Readonly<Record<string, string>>,
): void {
  const host = request.headers.host ?? "";
  const url = new URL(request.url ?? "/", upstreams[host] ?? `https://${host}`);
  const send = url.protocol === "https:" ? requestTls : requestPlain;
  const sent = send(url, { method: request.method, headers: { ...request.headers, host: url.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on("error", () => response.destroy());
  request.pipe(sent);
}

import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeCertificate } from "@chest/client/testing";

/** Ways in which the proxy treats its callers. */
export type Mood = "well" | "hangs" | "fails";

export interface Front {
  /** `https://localhost:PORT`. */
  readonly url: string;
  readonly port: number;
  readonly caFile: string;
  mood: Mood;
  /** Switches between a certificate that expired yesterday and a valid one. */
  setExpired(isExpired: boolean): void;
  stop(): Promise<void>;
}

/** TLS proxy in front of a backend, with switchable faults. @param dir an empty folder for certificates. */
export async function startFront(upstream: string, dir: string): Promise<Front> {
  const names = ["DNS:localhost", "IP:127.0.0.1"];
  const [good, over] = await Promise.all([
    makeCertificate(await folder(dir, "good"), names),
    makeCertificate(await folder(dir, "over"), names, -1),
  ]);
  const caFile = join(dir, "authorities.pem");
  await writeFile(caFile, `${good.ca}\n${over.ca}\n`);
  let mood: Mood = "well";
  const server = createServer({ cert: good.cert, key: good.key }, (incoming, answer) => {
    if (mood === "hangs") return;
    if (mood === "well") return passOn(upstream, incoming, answer);
    incoming.resume();
    answer.writeHead(500, { "content-type": "text/html" }).end("<h1>something went wrong</h1>");
  });
  server.on("clientError", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    port,
    caFile,
    get mood() {
      return mood;
    },
    set mood(next) {
      mood = next;
    },
    setExpired(isExpired) {
      const { cert, key } = isExpired ? over : good;
      server.setSecureContext({ cert, key });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function folder(dir: string, name: string): Promise<string> {
  await mkdir(join(dir, name), { recursive: true });
  return join(dir, name);
}

function passOn(upstream: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url } = incoming;
  const onward = request(new URL(url ?? "/", upstream), { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  incoming.pipe(onward);
}

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to a database that can freeze, or claim that the server is starting. */
export interface Relay {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Forwards nothing until it is thawed; connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Number of connections that will still be told that the server is starting. */
  startsUpFor: number;
  stop(): Promise<void>;
}

export async function startRelay(url: string): Promise<Relay> {
  const { hostname, port, username, pathname } = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const relay = { startsUpFor: 0 };
  const server = createServer((client) => {
    if (relay.startsUpFor > 0) {
      relay.startsUpFor -= 1;
      client.once("data", () => client.end(STARTING_UP)).on("error", () => undefined);
      return;
    }
    const there = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, there],
      [there, client],
    ] as const) {
      sockets.add(from);
      if (isFrozen) from.pause();
      from.on("data", (chunk) => void to.write(chunk));
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (isFrozen) for (const socket of [client, there]) socket.pause();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(relay, {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  });
}

/** `ErrorResponse` of a recovering server. */
const STARTING_UP = ((): Buffer => {
  const fields = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
})();

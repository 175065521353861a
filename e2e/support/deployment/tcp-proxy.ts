import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Fault on the connection between client and server, from the next byte on; it affects open connections too. */
export type Fault =
  | { readonly kind: "none" }
  /** Everything arrives this much later, in both directions. */
  | { readonly kind: "latency"; readonly ms: number }
  /** New connections are refused with a reset. */
  | { readonly kind: "refuse" }
  /** Nothing passes and no connection ends. */
  | { readonly kind: "stall" }
  /** A connection ends once it has carried this many bytes in that direction, counted from its start. */
  | { readonly kind: "cut"; readonly bytes: number; readonly way: Way; readonly end: "reset" | "close" }
  /** A connection ends when it has carried nothing for this long, as behind a load balancer with an idle timeout. */
  | { readonly kind: "close-idle"; readonly afterMs: number };

type Way = "up" | "down";

const HIGH_WATER_BYTES = 256 * 1024;

/** Opens a TCP proxy on a free port of 127.0.0.1, without a fault at first. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return new TcpProxy(server, targetPort);
}

export class TcpProxy {
  readonly #server: Server;
  readonly #open = new Set<Connection>();
  #fault: Fault = { kind: "none" };
  #changed = Promise.withResolvers<void>();
  #accepted = 0;
  #targetPort: number;

  constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on("connection", (client) => this.#accept(client));
  }

  /** Sends new connections to another port, like a name that follows a primary. */
  aim(targetPort: number): void {
    this.#targetPort = targetPort;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy is closed");
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get fault(): Fault {
    return this.#fault;
  }

  /** Resolves when the fault changes; a stall waits for that. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Number of accepted connections, by which a reused one is distinguished from a new one. */
  get accepted(): number {
    return this.#accepted;
  }

  set(fault: Fault): void {
    this.#fault = fault;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    for (const connection of this.#open) connection.watchIdle();
  }

  /** Resets every open connection now. */
  reset(): void {
    for (const connection of this.#open) connection.reset();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.set({ kind: "none" });
    this.reset();
    await closed;
  }

  #accept(client: Socket): void {
    this.#accepted++;
    if (this.#fault.kind === "refuse") {
      client.on("error", () => {}); // The other end may have closed the connection already.
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: this.#targetPort, host: "127.0.0.1", allowHalfOpen: true });
    const connection = new Connection(this, client, upstream);
    this.#open.add(connection);
    upstream.once("close", () => this.#open.delete(connection));
  }
}

class Connection {
  readonly #proxy: TcpProxy;
  readonly #client: Socket;
  readonly #upstream: Socket;

  constructor(proxy: TcpProxy, client: Socket, upstream: Socket) {
    this.#proxy = proxy;
    this.#client = client;
    this.#upstream = upstream;
    this.#pump("up", client, upstream);
    this.#pump("down", upstream, client);
    client.on("timeout", () => this.#close());
    this.watchIdle();
  }

  watchIdle(): void {
    const { fault } = this.#proxy;
    this.#client.setTimeout(fault.kind === "close-idle" ? fault.afterMs : 0);
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#upstream.resetAndDestroy();
  }

  #close(): void {
    this.#client.destroySoon();
    this.#upstream.destroySoon();
  }

  /** Forwards one direction: a chain of promises keeps the order while each piece is delayed by itself. */
  #pump(way: Way, from: Socket, to: Socket): void {
    let chain: Promise<void> = Promise.resolve();
    let waitingBytes = 0;
    let carriedBytes = 0;

    const enqueue = (size: number, deliver: () => Promise<void>) => {
      const { fault } = this.#proxy;
      const dueAt = performance.now() + (fault.kind === "latency" ? fault.ms : 0);
      waitingBytes += size;
      if (waitingBytes > HIGH_WATER_BYTES) from.pause();
      chain = chain.then(async () => {
        await sleep(Math.max(0, dueAt - performance.now()));
        while (this.#proxy.fault.kind === "stall" && !to.destroyed) await this.#proxy.changed;
        if (!to.destroyed) await deliver();
        waitingBytes -= size;
        from.resume();
      });
    };

    from.on("data", (chunk: Buffer) => {
      enqueue(chunk.length, async () => {
        const { fault } = this.#proxy;
        const rest = fault.kind === "cut" && fault.way === way ? Math.max(0, fault.bytes - carriedBytes) : Infinity;
        await written(to, chunk.subarray(0, rest));
        carriedBytes += Math.min(chunk.length, rest);
        if (fault.kind !== "cut" || rest > chunk.length) return;
        if (fault.end === "close") this.#close();
        else this.reset();
      });
    });
    from.on("end", () => {
      enqueue(0, async () => {
        to.end();
      });
    });
    from.on("error", () => to.resetAndDestroy());
    from.on("close", () => void chain.then(() => to.destroySoon()));
  }
}

function written(socket: Socket, chunk: Buffer): Promise<void> {
  if (chunk.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    socket.write(chunk, () => resolve());
  });
}

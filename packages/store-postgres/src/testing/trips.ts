import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Statements by round trip: a statement sent without waiting belongs to the trip before. */
export type Trips = readonly (readonly string[])[];

/** A proxy to a database that counts round trips. */
export interface CountedWay {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Counts the consecutive round trips of some work, over all of its connections. */
  during(work: () => Promise<unknown>): Promise<Trips>;
  stop(): Promise<void>;
}

// Turns of the event loop in which work sends its next statements after an answer.
const QUIET_TURNS = 30;

/**
 * Holds back answers until the server has answered everything and nothing more is sent: like a distant server, but
 * without a clock.
 */
export async function countTrips(url: string): Promise<CountedWay> {
  const { hostname, port, username, pathname } = new URL(url);
  const ways = new Set<Way>();
  let trips: string[][] = [[]];
  let turns = 0;
  let isLooking = false;

  function look(): void {
    turns = 0;
    if (isLooking) return;
    isLooking = true;
    setImmediate(turn);
  }
  function turn(): void {
    const each = [...ways];
    const isAnswered = each.every((way) => way.unanswered === 0) && each.some((way) => way.held.length > 0);
    turns += 1;
    if (isAnswered && turns < QUIET_TURNS) return void setImmediate(turn);
    isLooking = false;
    if (!isAnswered) return;
    trips.push([]);
    for (const way of each) way.release();
  }

  const server = createServer((client) => {
    const there = connect(Number(port), hostname);
    const way = new Way(client, there, (statement) => trips.at(-1)?.push(statement), look);
    ways.add(way);
    for (const [from, to] of [
      [client, there],
      [there, client],
    ] as const) {
      from.on("error", () => undefined);
      from.on("close", () => {
        ways.delete(way);
        to.destroy();
        look();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    async during(work) {
      trips = [[]];
      await work();
      return trips.filter((statements) => statements.length > 0);
    },
    async stop() {
      server.close();
      for (const way of ways) way.end();
      await once(server, "close");
    },
  };
}

/** One connection: requests are read on their way, and answers are held back. */
class Way {
  readonly #client: Socket;
  readonly #there: Socket;
  readonly #statements = new Map<string, string>();
  /** Answers that are held back. */
  held: Buffer[] = [];
  /** Unanswered requests. */
  unanswered = 0;
  #isReady = false;

  constructor(client: Socket, there: Socket, sent: (statement: string) => void, look: () => void) {
    this.#client = client;
    this.#there = there;
    const asked = messages((type, body) => {
      if (type === "Q") sent(textAt(body, 0));
      if (type === "P") {
        const name = textAt(body, 0);
        this.#statements.set(name, textAt(body, Buffer.byteLength(name) + 1));
      }
      if (type === "B") {
        const portal = textAt(body, 0);
        sent(this.#statements.get(textAt(body, Buffer.byteLength(portal) + 1)) ?? "");
      }
      if (type === "Q" || type === "S") this.unanswered += 1;
    });
    const answered = messages((type) => {
      if (type === "Z") this.unanswered -= 1;
    });
    client.on("data", (chunk) => {
      // The first messages have another format.
      if (this.#isReady) asked(chunk);
      there.write(chunk);
      look();
    });
    there.on("data", (chunk) => {
      if (this.#isReady) {
        answered(chunk);
        this.held.push(chunk);
        look();
        return;
      }
      this.#isReady = chunk.subarray(-6, -1).equals(READY);
      client.write(chunk);
    });
  }

  release(): void {
    for (const chunk of this.held.splice(0)) this.#client.write(chunk);
  }

  end(): void {
    this.#client.destroy();
    this.#there.destroy();
  }
}

/** `ReadyForQuery`, followed by a status byte. */
const READY = Buffer.from("Z\0\0\0\x05");

const textAt = (body: Buffer, at: number): string => body.toString("utf8", at, body.indexOf(0, at));

/** Parses the messages in chunks of a stream. */
function messages(read: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      read(String.fromCharCode(rest[0] as number), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}

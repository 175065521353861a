import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../../load/rounds.ts";
import type { Backend } from "../../support/backend.ts";
import { restDoor } from "../../support/clients/doors.ts";
import { aFact } from "../common.ts";
import type { Part } from "../part.ts";

const WORKERS = 4;
const ALONE_MS = 2000;
/** Longer than the backend's limits of 10 and 15 s and its interval of 5 s. */
const CUT_AFTER_MS = 25_000;
const TOGETHER = 50;

const HEAD = (token: string) =>
  `POST /api/tools/chest_remember HTTP/1.1\r\nHost: chest\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n`;

/** Requests that stop in the middle. */
const BEGINNINGS: readonly ((token: string) => string)[] = [
  () => "",
  () => "GET /healthz HTTP/1.1\r\nHost: ch",
  (token) => HEAD(token),
  (token) => `${HEAD(token)}\r\n{"entity_name": "ac`,
];

/** Part with clients that never finish their requests, beside clients that work. */
export const slow: Part = {
  name: "slow",
  does: `half-open connections (nothing sent, half a head, a head, half a body) beside ${WORKERS} clients that write and recall`,
  holds: [
    {
      says: "no working client is refused or left without an answer",
      guards: [
        {
          name: "a waiting connection takes no working client's place",
          edits: [
            {
              file: "apps/server/src/app.ts",
              find: "const budgets = await openBudgets(app, config.rates);",
              put: "const budgets = await openBudgets(app, config.rates);\n  app.server.maxConnections = 60;",
            },
          ],
          shows: /refused or not answered/,
        },
      ],
    },
    {
      says: "every half-open connection is closed within 25 s, and its descriptor is released",
      guards: [
        {
          name: "a stalled connection is closed",
          edits: [
            { file: "apps/server/src/timeouts.ts", find: "connectionMs: 10_000", put: "connectionMs: 0" },
            { file: "apps/server/src/timeouts.ts", find: "headersMs: 15_000", put: "headersMs: 0" },
            { file: "apps/server/src/timeouts.ts", find: "requestMs: 55_000", put: "requestMs: 0" },
          ],
          shows: /still open/,
        },
      ],
    },
  ],
  rounds: { long: 2000, short: 400, unguarded: 100 },
  counted: "half-open connections",

  async run(rig) {
    const backend = await rig.start();
    const faults: string[] = [];
    const work = new Work(backend);
    await work.during(sleep(ALONE_MS));
    const alone = work.take();
    const descriptorsBefore = descriptorsOf(backend);
    const { sockets, open } = await openHalf(backend, rig.rounds);
    const startedAt = performance.now();
    const cut = (async () => {
      while (open() > 0 && performance.now() - startedAt < CUT_AFTER_MS) await sleep(200);
    })();
    await sleep(500); // Waits for the last connections to arrive.
    const held = descriptorsOf(backend) - descriptorsBefore;
    await work.during(cut);
    const beside = work.take();
    if (open() > 0) faults.push(`${open()} half-open connections are still open after ${CUT_AFTER_MS / 1000} s`);
    await sleep(500);
    const leaked = descriptorsOf(backend) - descriptorsBefore - open();
    if (leaked > 20) faults.push(`${leaked} descriptors were not given back`);
    if (beside.refused > 0) faults.push(`${beside.refused} clients who work were refused or not answered`);
    if (beside.tookMs.length === 0) faults.push("nobody could work beside them");
    for (const socket of sockets) socket.destroy();
    const figures = {
      "descriptors they held": held,
      "answers beside them": beside.tookMs.length,
      refused: beside.refused,
      "p95 ms alone": Math.round(percentile(alone.tookMs, 95)),
      "p95 ms beside them": Math.round(percentile(beside.tookMs, 95)),
    };
    return { figures, faults };
  },
};

const descriptorsOf = ({ process: { pid } }: Backend): number => readdirSync(`/proc/${pid}/fd`).length;

async function openHalf({ url, token }: Backend, count: number) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  let closed = 0;
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(port), hostname);
    const settled = Promise.withResolvers<void>();
    // The backend cuts some of them with a reset.
    socket
      .on("error", () => undefined)
      .on("close", () => {
        closed++;
        settled.resolve();
      });
    socket.on("connect", () => {
      socket.write((BEGINNINGS[at % BEGINNINGS.length] as (token: string) => string)(token));
      settled.resolve();
    });
    socket.resume();
    sockets.push(socket);
    // Opens no more at a time than the listen queue holds.
    if (at % TOGETHER === TOGETHER - 1) await settled.promise;
  }
  return { sockets, open: () => sockets.length - closed };
}

/** Clients that write and recall, one call after another. */
class Work {
  readonly #backend: Backend;
  #tookMs: number[] = [];
  #refused = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async during(until: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = until.finally(() => {
      isOver = true;
    });
    const worker = async (name: number) => {
      // Half of the clients open a new connection for each call.
      const door = restDoor(this.#backend, name % 2 === 0 ? {} : { connection: "close" });
      for (let at = 0; !isOver; at++) {
        const startedAt = performance.now();
        const [tool, input] =
          at % 2 === 0 ? (["chest_remember", aFact(`worker ${name} noted ${at}`)] as const) : RECALL;
        const reply = await door.call(tool, input).catch(() => undefined);
        if (!reply?.result) this.#refused++;
        this.#tookMs.push(performance.now() - startedAt);
        await sleep(20);
      }
    };
    await Promise.all([over, ...Array.from({ length: WORKERS }, (_, name) => worker(name))]);
  }

  /** Returns the measurements since the last call. */
  take() {
    const seen = { tookMs: this.#tookMs, refused: this.#refused };
    [this.#tookMs, this.#refused] = [[], 0];
    return seen;
  }
}

const RECALL = ["chest_recall", { query: "what did a worker note", limit: 3 }] as const;

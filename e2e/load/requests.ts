import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { cpuMsOf } from "./process-use.ts";
import type { Sample } from "./rounds.ts";

export interface Target {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

export interface Request {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const ASK_AGAIN_MS = 100;

/** The server refused a request because of overload. */
export class Overloaded extends Error {}

/** Sends requests over connections that stay open, one request at a time per connection. */
export class Load {
  readonly #target: Target;
  readonly #pool: Pool;
  readonly #connections: number;

  constructor(target: Target, connections: number) {
    this.#target = target;
    this.#connections = connections;
    this.#pool = new Pool(target.url, { connections, pipelining: 1 });
  }

  /** Sends all requests and measures them. A refusal is an error, unless `isPatient` repeats the request. */
  async run(requests: readonly Request[], { isPatient = false } = {}): Promise<Sample> {
    const queue = requests.values();
    const tookMs: number[] = [];
    const lane = async () => {
      for (const request of queue) {
        const startedAt = performance.now();
        await (isPatient ? this.#sendPatiently(request) : this.send(request));
        tookMs.push(performance.now() - startedAt);
      }
    };
    const cpuBefore = cpuMsOf(this.#target.pid);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: this.#connections }, lane));
    const wallMs = performance.now() - startedAt;
    return { requests: requests.length, wallMs, cpuMs: cpuMsOf(this.#target.pid) - cpuBefore, tookMs };
  }

  async send({ path, body, headers }: Request): Promise<unknown> {
    const response = await this.#pool.request({
      method: "POST",
      path,
      headers: { authorization: `Bearer ${this.#target.token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode === 503) throw new Overloaded(`${path} answered 503: ${text}`);
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text}`);
    return JSON.parse(text);
  }

  /** Repeats a refused request like a client, for a server on a busy machine. */
  async #sendPatiently(request: Request): Promise<unknown> {
    for (;;) {
      try {
        return await this.send(request);
      } catch (error) {
        if (!(error instanceof Overloaded)) throw error;
        await sleep(ASK_AGAIN_MS);
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { type Backend, startBackend } from "../backend.ts";
import { freePort } from "../free-port.ts";
import { ask, mcpDoor, restDoor, type ToolReply } from "./doors.ts";
import { connectStdioClient, type StdioClient } from "./stdio-client.ts";

export const TOKEN = "cht_the-token-of-the-outbox-tests-0000";

export const aFact = (content: string) => ({
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content,
});

/** Opens clients that share a data folder, and a backend that can be started and stopped. */
export class LoneClient {
  readonly #dir: string;
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly port: number;

  private constructor(dir: string, port: number) {
    this.#dir = dir;
    this.port = port;
  }

  static async open(): Promise<LoneClient> {
    return new LoneClient(await mkdtemp(join(tmpdir(), "chest-outbox-")), await freePort());
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Everything to close at the end, in reverse order. */
  also(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async startBackend(): Promise<Backend> {
    const backend = await startBackend({ dataDir: join(this.#dir, "backend"), port: this.port, token: TOKEN });
    this.also(backend.stop);
    return backend;
  }

  async connect({ url = `http://127.0.0.1:${this.port}`, token = TOKEN } = {}): Promise<StdioClient> {
    const client = await connectStdioClient({
      env: {
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: url,
        CHEST_API_TOKEN: token,
        CHEST_DATA_DIR: join(this.#dir, "client"),
        CHEST_PROJECT: "chest-e2e",
      },
    });
    this.also(client.stop);
    return client;
  }

  /** Counts the calls in the outbox, including refused ones. */
  get waiting(): number {
    const names = readdirSync(join(this.#dir, "client"), { recursive: true }).map(String);
    const isCall = (name: string) =>
      name.startsWith("outbox") && name.endsWith(".json") && !name.endsWith("members.json");
    return names.filter(isCall).length;
  }

  /** Resolves once a call of this client finds no waiting call. */
  deliveredBeforeACall({ client }: StdioClient): Promise<void> {
    const attempt = async () => {
      await ask(mcpDoor(client), "chest_list_entities", {});
      if (this.waiting > 0) throw new Error(`${this.waiting} calls still wait`);
    };
    // After a timeout the client calls the backend again within five seconds, after a refused connection at once.
    return vi.waitFor(attempt, { timeout: 10_000, interval: 200 });
  }
}

export const remember = ({ client }: StdioClient, content: string): Promise<ToolReply> =>
  mcpDoor(client).call("chest_remember", aFact(content));

/** Reads the memories' contents on a backend, oldest first. */
export async function storedIn(backend: Backend): Promise<string[]> {
  const rows: { id: number; content: string }[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = { entity_name: "acme-api", offset: rows.length, mark_accessed: false };
    const { memories, has_more } = await ask(restDoor(backend), "chest_recall", page);
    rows.push(...(memories as typeof rows));
    hasMore = has_more as boolean;
  }
  return rows.toSorted((a, b) => a.id - b.id).map(({ content }) => content);
}

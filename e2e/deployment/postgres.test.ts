import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPostgres, startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Backend, failToStart, startBackend } from "../support/backend.ts";

const TOKEN = `cht_${"a".repeat(48)}`;
const WRITERS = 6;
const WRITES = 120;
const PATIENCE_MS = 60_000;

describe.skipIf(!hasPostgres())("two backends over one PostgreSQL", () => {
  let server: TestServer;
  let url: string;
  let backends: Backend[] = [];

  beforeAll(async () => {
    server = await startPostgres({ isDurable: true });
  }, PATIENCE_MS);
  afterAll(() => server.stop(), PATIENCE_MS);
  afterEach(() => Promise.all(backends.splice(0).map((backend) => backend.stop())), PATIENCE_MS);

  const start = () => startBackend({ token: TOKEN, env: { CHEST_DATABASE_URL: url, CHEST_SYNC_EMBED: "false" } });
  const startBoth = async () => {
    url = await server.database();
    backends = await Promise.all([start(), start()]);
  };

  /** Calls a tool at one of the backends; undefined where none answers, or asks to come again. */
  async function ask(backend: Backend | undefined, tool: string, input: object, key?: string) {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "x-chest-project": "host/org/apple",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    };
    try {
      const asked = { method: "POST", headers, body: JSON.stringify(input), signal: AbortSignal.timeout(10_000) };
      const response = await fetch(`${backend?.url}/api/tools/${tool}`, asked);
      const body = (await response.json()) as { result?: { memory_id: number }; error?: { code: string } };
      if (body.error && body.error.code !== "UNAVAILABLE") throw new Refused(body.error.code);
      return body.result;
    } catch (error) {
      if (error instanceof Refused) throw error;
      return undefined;
    }
  }

  /** Writes under a key of its own until some backend acknowledges it. */
  async function remember(nth: number): Promise<number> {
    const until = Date.now() + PATIENCE_MS;
    for (let at = nth; Date.now() < until; at++) {
      const fact = {
        entity_name: `acme ${nth % 3}`,
        entity_kind: "project",
        layer: "learning",
        content: `fact ${nth} of many`,
      };
      const answer = await ask(backends[at % backends.length], "chest_remember", fact, `key-${nth}`);
      if (answer) return answer.memory_id;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`write ${nth} was never acknowledged`);
  }

  /** All writes, by a few writers, with something that goes wrong in the middle of them. */
  async function writeThrough(trouble: () => Promise<void>): Promise<ReadonlyMap<number, number>> {
    const ids = new Map<number, number>();
    let next = 0;
    let troubled: Promise<void> | undefined;
    const writer = async () => {
      for (let nth = next++; nth < WRITES; nth = next++) {
        ids.set(nth, await remember(nth));
        if (ids.size === WRITES / 3) troubled = trouble();
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    await troubled;
    return ids;
  }

  async function expectEachOnce(ids: ReadonlyMap<number, number>): Promise<void> {
    expect(new Set(ids.values()).size).toBe(WRITES);
    const response = await fetch(`${backends[0]?.url}/diagnostics/db`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(response.status).toBe(200);
    const listed = await ask(backends[0], "chest_list_entities", {});
    const { entities } = listed as unknown as { entities: { memory_count: number }[] };
    expect(entities.reduce((sum, { memory_count }) => sum + memory_count, 0)).toBe(WRITES);
  }

  it("lose and double nothing that was acknowledged when one of them is killed", async () => {
    await startBoth();
    const ids = await writeThrough(async () => {
      const [killed] = backends;
      await killed?.kill9();
      backends[0] = await start();
    });
    await expectEachOnce(ids);
  }, 180_000);

  it("go on by themselves when the database crashes and comes back, and lose nothing", async () => {
    await startBoth();
    const ids = await writeThrough(() => server.restart());
    await expectEachOnce(ids);
    expect(backends.map(({ process }) => process.exitCode)).toEqual([null, null]);
  }, 180_000);

  it("say why a database cannot be opened, and never its password", async () => {
    const folder = mkdtempSync(join(tmpdir(), "chest-e2e-"));
    const output = async (asked: string) => {
      const { exitCode, output: printed } = await failToStart(folder, { CHEST_DATABASE_URL: asked });
      expect(exitCode).toBe(1);
      expect(printed).not.toContain("hunter2");
      return printed;
    };
    expect(await output("postgres://me:hunter2@127.0.0.1:1/chest")).toMatch(
      /postgres:\/\/me@127\.0\.0\.1:1\/chest does not answer/,
    );
    const missing = (await server.database()).replace(/\/[^/]*$/, "/nowhere").replace("chest@", "chest:hunter2@");
    expect(await output(missing)).toMatch(/there is no such database/);
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);
});

class Refused extends Error {}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPostgres, startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Backend, failToStart, startBackend } from "../support/backend.ts";
import { SteadyWriters } from "../support/deployment/steady-writers.ts";
import { startTcpProxy } from "../support/deployment/tcp-proxy.ts";

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

  /** Runs all writes with several writers, and causes a fault in the middle. */
  async function expectEachOnceThrough(trouble: () => Promise<void>): Promise<void> {
    const addresses = () => backends.map((backend) => backend.url);
    const writers = new SteadyWriters({ addresses, token: TOKEN, writers: WRITERS, most: WRITES });
    await expect.poll(() => writers.acknowledged.size, { timeout: PATIENCE_MS }).toBeGreaterThan(WRITES / 3);
    await trouble();
    await writers.done;
    expect(writers.acknowledged.size).toBe(WRITES);
    expect(await writers.tally(url)).toEqual({ lost: 0, doubled: 0 });
    expect([...writers.refused]).toEqual([]);
  }

  it("neither lose nor double an acknowledged write when one of them is killed", async () => {
    await startBoth();
    await expectEachOnceThrough(async () => {
      const [killed] = backends;
      await killed?.kill9();
      backends[0] = await start();
    });
  }, 180_000);

  it("resume by themselves when the database crashes and comes back, and lose nothing", async () => {
    await startBoth();
    await expectEachOnceThrough(() => server.restart());
    expect(backends.map(({ process }) => process.exitCode)).toEqual([null, null]);
  }, 180_000);

  it("resume by themselves when a standby takes over, and lose nothing", async () => {
    const primary = await startPostgres({ isDurable: true });
    const address = await startTcpProxy(primary.port);
    const standby = await primary.standby();
    try {
      url = (await primary.database()).replace(`:${primary.port}/`, `:${address.port}/`);
      backends = await Promise.all([start(), start()]);
      await expectEachOnceThrough(async () => {
        await primary.crash();
        await standby.promote();
        address.aim(standby.port);
      });
    } finally {
      await Promise.all(backends.splice(0).map((backend) => backend.stop()));
      await address.close();
      await standby.stop();
      await primary.stop();
    }
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

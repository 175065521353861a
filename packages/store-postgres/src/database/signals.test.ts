import { localCaller, SHARED } from "@chest/core/access";
import { CHANGED, type Engine } from "@chest/core/ports";
import { aCall, fixedClock, TINY_IDENTITY } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresEngine } from "../index.ts";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";

const ENTITY = { name: "acme", kind: "project", key: undefined, visibility: "team", projectKey: undefined } as const;
const WITHIN = { timeout: 20_000, interval: 50 };

describe.skipIf(!hasPostgres())("a signal", () => {
  let server: TestServer;
  let url: string;
  let engines: Engine[] = [];
  const heard: string[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
    const open = () => openPostgresEngine({ url, clock: fixedClock(), active: TINY_IDENTITY, pool: 4 });
    engines = [await open(), await open()];
    engines[1]?.signals?.hear((text) => heard.push(text));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await server.stop();
  }, 60_000);

  /** Messages sent before it listens are lost. */
  const arrives = async (text: string) => {
    await engines[0]?.signals?.send(text);
    return heard.includes(text);
  };

  it("of one engine is heard by another one", async () => {
    await expect.poll(() => arrives("first"), WITHIN).toBe(true);
  });

  it("is heard again after the connection was lost", async () => {
    const others = "pid <> pg_backend_pid() AND datname = current_database()";
    await onceOn(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
    await expect.poll(() => arrives("second").catch(() => false), WITHIN).toBe(true);
  });

  it("tells other engines of a write", async () => {
    const call = aCall({ caller: { ...localCaller("host/org/apple"), member: SHARED } });
    await engines[0]?.as(call).write((tx) => tx.entities.findOrAdd(ENTITY));
    await expect.poll(() => heard, WITHIN).toContain(CHANGED);
  });

  it("is refused where it is longer than the database takes", async () => {
    await expect(engines[0]?.signals?.send("x".repeat(8000))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });
});

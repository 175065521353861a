import { localCaller, SHARED } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { openPostgresEngine } from "@chest/store-postgres";
import { hasPostgres, startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { aCall, aMemory, fixedClock, TINY_IDENTITY } from "@chest/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "../support/deployment/tcp-proxy.ts";

const PATIENCE = { timeout: 60_000, interval: 250 };
const CALL = aCall({ caller: { ...localCaller(undefined), member: SHARED } });
const doing = () => ({ signal: new AbortController().signal, op: "maintenance" });

describe.skipIf(!hasPostgres())("a backend that is cut off from the database", () => {
  let server: TestServer;
  let between: TcpProxy;
  const engines: Engine[] = [];
  const clock = fixedClock();
  beforeAll(async () => {
    server = await startPostgres();
    between = await startTcpProxy(server.port);
  }, 60_000);
  afterEach(async () => {
    between.set({ kind: "none" });
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  }, 60_000);
  afterAll(async () => {
    await between.close();
    await server.stop();
  }, 60_000);

  const open = async (url: string) => {
    const engine = await openPostgresEngine({ url, clock, active: TINY_IDENTITY, pool: 4 });
    engines.push(engine);
    return engine;
  };

  it("loses its lease to another one, and changes nothing when it comes back", async () => {
    const url = await server.database();
    const cutOff = await open(url.replace(`:${server.port}/`, `:${between.port}/`));
    const other = await open(url);
    const id = await expiring(cutOff);
    clock.advance(2 * 86_400_000);
    const lease = await cutOff.lifecycle.lease();
    expect(lease).toBeDefined();
    expect(await other.lifecycle.lease()).toBeUndefined();
    const plan = await cutOff.lifecycle.sweeps.expiry({ cap: 10 });
    expect(plan.archives).toEqual([id]);

    between.set({ kind: "stall" });
    await expect.poll(() => other.lifecycle.lease(), PATIENCE).toBeDefined();
    between.set({ kind: "none" });

    await expect(plan.apply(doing())).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(/another backend runs maintenance now/),
    });
    expect(lease?.lost.aborted).toBe(true);
    expect(await other.as(CALL).memories.byId(id)).toMatchObject({ archivedAt: undefined });
    // Only the process that holds the lease may do this.
    await (await other.lifecycle.sweeps.expiry({ cap: 10 })).apply(doing());
    expect(await other.as(CALL).memories.byId(id)).toMatchObject({ archivedReason: "expired" });
  }, 180_000);

  /** Stores a memory that expires after a day. */
  const expiring = (engine: Engine) =>
    engine.as(CALL).write(async (tx) => {
      const place = { visibility: "team", projectKey: undefined } as const;
      const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
      const expiresAt = new Date(clock.now().getTime() + 86_400_000);
      const text = canonical("over in a day");
      return (
        await tx.memories.add({ ...aMemory(), layer: "context", importance: 0.2, ...place, entity, text, expiresAt })
      ).id;
    });
});

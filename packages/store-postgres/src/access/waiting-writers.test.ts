import type { Caller } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { aCall, aCaller, TINY_IDENTITY } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgresEngine } from "../open.ts";
import { begunOn, hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";

const PATIENCE_MS = 60_000;
const KEY = "host/org/heron";
const ALICE = aCaller({ member: { id: 7, name: "alice" } });
const BOB = aCaller({ member: { id: 8, name: "bob" } });
const CLOSED = `SELECT 1 FROM projects WHERE key = '${KEY}' FOR UPDATE; UPDATE projects SET access = 'members' WHERE key = '${KEY}'`;

describe.skipIf(!hasPostgres())("a writer into a project that is being changed", () => {
  let server: TestServer;
  let engine: Engine;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  beforeEach(async () => {
    url = await server.database();
    engine = await openPostgresEngine({ url, active: TINY_IDENTITY, pool: 8 });
    for (const caller of [ALICE, BOB]) await write(caller, "written before");
  }, PATIENCE_MS);
  afterEach(() => engine.close(), PATIENCE_MS);

  /** @returns key of the project that it lies in */
  async function write(caller: Caller, content: string, projectKey = KEY): Promise<string> {
    const place = { visibility: "project", projectKey } as const;
    const { projectId } = await engine.as(aCall({ caller })).write(async (tx) => {
      const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
      const more = { tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false } as const;
      return tx.memories.add({ entity, layer: "learning", text: canonical(content), ...place, ...more });
    });
    const [project] = await onceOn(url, `SELECT key FROM projects WHERE id = ${projectId}`);
    return String(project?.key);
  }

  /** Makes writers wait for a transaction that changes the project, and commits it. */
  async function behind<T>(change: string, work: () => Promise<T>): Promise<PromiseSettledResult<T>> {
    const changing = await begunOn(url, change);
    const settled = Promise.allSettled([work()]);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => onceOn(url, waiting), { timeout: 20_000 }).toHaveLength(1);
    await changing.commit();
    return (await settled)[0];
  }

  it("is refused where it is closed meanwhile", async () => {
    const refused = await behind(CLOSED, () => write(ALICE, "written after"));
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
  });

  it("goes on as one whom it lets in meanwhile", async () => {
    const joined = `${CLOSED}; INSERT INTO project_members SELECT id, 7 FROM projects WHERE key = '${KEY}'`;
    expect(await behind(joined, () => write(ALICE, "written after"))).toMatchObject({ value: KEY });
    await expect(write(BOB, "written by another")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("writes into it where it is renamed meanwhile", async () => {
    const renamed = `SELECT 1 FROM projects WHERE key = '${KEY}' FOR UPDATE;
      UPDATE projects SET key = 'host/org/egret' WHERE key = '${KEY}';
      INSERT INTO project_aliases (key, project_id) SELECT '${KEY}', id FROM projects WHERE key = 'host/org/egret'`;
    expect(await behind(renamed, () => write(ALICE, "written after"))).toMatchObject({ value: "host/org/egret" });
  });

  it("writes into the other where it is merged meanwhile", async () => {
    await engine.access.change(ALICE, async (tx) => {
      await tx.project("host/org/egret");
    });
    const merged = `SELECT 1 FROM projects WHERE key = 'host/org/egret' FOR UPDATE;
      DELETE FROM projects WHERE key = 'host/org/egret';
      INSERT INTO project_aliases (key, project_id) SELECT 'host/org/egret', id FROM projects WHERE key = '${KEY}'`;
    expect(await behind(merged, () => write(ALICE, "written after", "host/org/egret"))).toMatchObject({ value: KEY });
  });

  it("is refused by a token that is limited to other projects", async () => {
    const limited: Caller = { ...ALICE, token: { id: 1, projectIds: [999], expiresAt: undefined } };
    await expect(write(limited, "written elsewhere")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

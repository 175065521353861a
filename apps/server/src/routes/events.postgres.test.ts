import { setTimeout as sleep } from "node:timers/promises";
import { begunOn, hasPostgres, openFresh, startPostgres } from "@chest/store-postgres/testing";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openSqliteApp, overEngine, type SqliteApp } from "../testing/sqlite-app.ts";

const PATIENCE = { timeout: 20_000 };

describe.skipIf(!hasPostgres())("over PostgreSQL", async () => {
  if (!hasPostgres()) return;
  const server = startPostgres();
  let url = "";
  overEngine({
    async open({ embedding }, clock) {
      const started = await server;
      const noted = { ...started, database: async () => (url = await started.database()) };
      return openFresh(noted, { clock, active: embedding.choice.identity });
    },
    beginIdsAt: () => Promise.reject(new Error("these tests begin at one")),
  });
  afterAll(async () => (await server).stop(), 60_000);
  await import("./events.test.ts");

  let backend: SqliteApp | undefined;
  afterEach(() => backend?.close());

  /** Begins a write of another backend that has its sequence number, and waits before its commit. */
  const begunWrite = (memoryId: number) =>
    begunOn(
      url,
      `INSERT INTO audit_log (at, member_id, op, outcome, memory_ids) VALUES (0, 1, 'chest_remember', 'ok', ARRAY[${memoryId}])`,
    );
  const idsAfter = async (after: number | string) => {
    const { body } = await (backend as SqliteApp).get(`/events?after=${after}`);
    return {
      last: body.last as string,
      ids: body.events.flatMap(({ memory_ids }: { memory_ids: number[] }) => memory_ids),
    };
  };

  it("skips no number that commits after a higher one", async () => {
    backend = await openSqliteApp();
    const first = await backend.store("written before");
    const { last } = await idsAfter(0);
    const late = await begunWrite(first);
    const second = await backend.store("took the higher number, and committed first");

    const asked = idsAfter(last);
    // Other writers are not blocked while a request waits.
    const third = await backend.store("written while it is waited for");
    await late.commit();
    const early = await asked;
    const rest = await idsAfter(early.last);

    expect([...early.ids, ...rest.ids]).toEqual([first, second, third]);
  });

  it("sends a change on a stream at once, and one that commits late", async () => {
    backend = await openSqliteApp();
    const first = await backend.store("written before");
    const address = await backend.app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { authorization: `Bearer ${await backend.tokenOf({})}`, accept: "text/event-stream" };
    const response = await fetch(`${address}/events`, { headers });
    let text = "";
    void (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    const told = () =>
      [...text.matchAll(/event: change\ndata: (.*)/g)].flatMap(
        ([, data = ""]) => (JSON.parse(data) as { memory_ids: number[] }).memory_ids,
      );

    const late = await begunWrite(first);
    const second = await backend.store("took the higher number, and committed first");
    // Gives the stream time to look for events.
    await sleep(1500);
    await late.commit();

    await expect.poll(told, PATIENCE).toEqual([first, second]);
  });
});

import { hasPostgres, openFresh, startPostgres, startRelay } from "@chest/store-postgres/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openSqliteApp, overEngine } from "./testing/sqlite-app.ts";
import { TIMEOUTS } from "./timeouts.ts";

describe.skipIf(!hasPostgres())("over PostgreSQL", async () => {
  if (!hasPostgres()) return;
  const server = startPostgres();
  const relays: Awaited<ReturnType<typeof startRelay>>[] = [];
  overEngine({
    async open({ embedding }, clock) {
      const started = await server;
      const through = {
        ...started,
        database: async () => {
          const relay = await startRelay(await started.database());
          relays.push(relay);
          return relay.url;
        },
      };
      return openFresh(through, { clock, active: embedding.choice.identity });
    },
    beginIdsAt: () => Promise.reject(new Error("these tests begin at one")),
  });
  afterAll(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await (await server).stop();
  }, 60_000);
  await import("./nul.test.ts");

  it("answers 503 with the envelope within its limit while the database is frozen, and works once it is not", async () => {
    const backend = await openSqliteApp({}, { timeouts: { ...TIMEOUTS, answerMs: 1000, checkMs: 50 } });
    const relay = relays.at(-1);
    try {
      await backend.store("written before");
      relay?.freeze();
      const late = await Promise.all([
        backend.get("/api/memories"),
        backend.post("/api/tools/chest_recall", { query: "written" }),
        backend.post("/api/tools/chest_remember", {
          ...{ entity_name: "acme", entity_kind: "project", layer: "learning" },
          content: "written meanwhile",
        }),
      ]);
      expect(late.map(({ status, body }) => [status, body.error?.code])).toEqual(late.map(() => [503, "UNAVAILABLE"]));
      relay?.thaw();
      expect((await backend.get("/api/memories")).status).toBe(200);
    } finally {
      relay?.thaw();
      await backend.close();
    }
  });
});

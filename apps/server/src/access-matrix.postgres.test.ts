import { beginIdsAt, hasPostgres, openFresh, startPostgres } from "@chest/store-postgres/testing";
import { afterAll, describe } from "vitest";
import { overEngine } from "./testing/sqlite-app.ts";

describe.skipIf(!hasPostgres())("over PostgreSQL", async () => {
  if (!hasPostgres()) return;
  const server = startPostgres();
  afterAll(async () => (await server).stop(), 60_000);
  overEngine({
    open: async ({ embedding }, clock) => openFresh(await server, { clock, active: embedding.choice.identity }),
    beginIdsAt: (engine, _config, id) => beginIdsAt(engine, id),
  });
  await import("./access-matrix.test.ts");
});

import { hasPostgres, openFresh, startPostgres } from "@chest/store-postgres/testing";
import { afterAll, describe } from "vitest";
import { overEngine } from "./testing/sqlite-app.ts";

describe.skipIf(!hasPostgres())("over PostgreSQL", async () => {
  if (!hasPostgres()) return;
  const server = startPostgres();
  afterAll(async () => (await server).stop(), 60_000);
  overEngine(async ({ embedding: { active } }, clock) => openFresh(await server, { clock, active }));
  await import("./access-matrix.test.ts");
});

import { toolsContract } from "@chest/testing";
import { afterAll, describe } from "vitest";
import { openFresh } from "../testing/fresh-engine.ts";
import { hasPostgres, startPostgres } from "../testing/server.ts";

describe.skipIf(!hasPostgres())("with a PostgreSQL here", () => {
  const server = hasPostgres() ? startPostgres() : undefined;
  afterAll(async () => (await server)?.stop(), 60_000);

  toolsContract("PostgreSQL", async (options) => {
    if (!server) throw new Error("there is no PostgreSQL here");
    return openFresh(await server, options);
  });
});

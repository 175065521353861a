import { fileURLToPath } from "node:url";
import { twoEnginesContract } from "@chest/testing";
import { startPeer } from "@chest/testing/peer";
import { afterAll, describe } from "vitest";
import { hasPostgres, startPostgres } from "../testing/server.ts";

const PROGRAM = fileURLToPath(new URL("../testing/peer-program.ts", import.meta.url));

describe.skipIf(!hasPostgres())("with a PostgreSQL here", () => {
  const server = hasPostgres() ? startPostgres() : undefined;
  afterAll(async () => (await server)?.stop(), 60_000);

  twoEnginesContract("PostgreSQL", async () => {
    const url = (await (await server)?.database()) ?? "";
    return Promise.all([startPeer(PROGRAM, [url]), startPeer(PROGRAM, [url])]);
  });
});

import type { DbFacts } from "@chest/contracts";
import { expect, it } from "vitest";
import { databaseServerChecks } from "./database-server.ts";
import type { InspectedServer } from "./target.ts";

const GOOD: NonNullable<DbFacts["server"]> = {
  ...{ version: "17.2", vector_version: "0.8.0", connections: 12, max_connections: 100, durable: true },
  ...{ synchronous_commit: "on", standbys: 1, synchronous_standbys: 1, lag_bytes: 0, archiving: true },
  ...{ last_archived_ago_s: 40, oldest_transaction_s: 1, clock_ahead_ms: 3, releases: ["1.5"] },
};

async function findingsOf(server: DbFacts["server"]): Promise<Record<string, string>> {
  const facts = { exists: true, server } as DbFacts;
  const inspected = { database: async () => ({ from: "backend", facts }) } as unknown as InspectedServer;
  const { signal } = new AbortController();
  const found = await Promise.all(
    databaseServerChecks.map(async ({ id, run }) => [id, await run(inspected, signal)] as const),
  );
  const amiss = found.filter(([, { status }]) => status !== "ok");
  return Object.fromEntries(
    amiss.map(([id, { status, message }]) => [id.replace("server.postgres.", ""), `${status}: ${message}`]),
  );
}

it("finds nothing wrong with a well-kept server, and skips a file", async () => {
  expect(await findingsOf(GOOD)).toEqual({});
  expect(Object.values(await findingsOf(undefined))).toEqual(
    databaseServerChecks.map(() => "skip: the store is a file"),
  );
});

it.each([
  ["durability", { durable: false }, /^fail: fsync/],
  ["durability", { synchronous_commit: "off" }, /^warn: synchronous_commit is off/],
  ["durability", { synchronous_standbys: 0 }, /waits for none/],
  ["version", { vector_version: "0.7.4" }, /every vector is compared/],
  ["replication", { lag_bytes: 2 ** 30 }, /1024 MB behind/],
  ["backup", { archiving: false }, /archive_mode is off/],
  ["backup", { last_archived_ago_s: 9000 }, /last 9000 s ago/],
  ["connections", { connections: 95 }, /95 of 100/],
  ["transactions", { oldest_transaction_s: 900 }, /900 s old/],
  ["clock", { clock_ahead_ms: -5000 }, /-5000 ms ahead/],
  ["releases", { releases: ["1.5", "1.6"] }, /rolling update/],
])("reports the %s of a server with %o", async (id, other, told) => {
  expect(await findingsOf({ ...GOOD, ...other })).toEqual({ [id]: expect.stringMatching(told) });
});

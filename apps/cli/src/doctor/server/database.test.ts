import { type DbFacts, INDEX_ALONE } from "@chest/contracts";
import { expect, it } from "vitest";
import { databaseChecks } from "./database.ts";
import type { InspectedServer } from "./target.ts";

function integrityOf(integrity_check: string) {
  const facts = { exists: true, integrity_check } as DbFacts;
  const inspected = {
    database: async () => ({ from: "file", facts }),
    container: { name: "chest-memory", isAsked: false },
    docker: async () => undefined,
    newestBackup: async () => "/var/backups/chest-1.db",
  } as unknown as InspectedServer;
  return databaseChecks.find(({ id }) => id === "server.db.integrity")?.run(inspected, new AbortController().signal);
}

it.each([
  ["is whole", "ok", { status: "ok" }],
  ["is damaged", "Tree 4 page 9: btreeInitPage() returns error code 11", { fix: expect.stringContaining("restore") }],
  ["is whole but for its text index", `${INDEX_ALONE}: fts5`, { status: "fail", fix: "chest-index fts rebuild" }],
])("names the fix for a store that %s", async (_, found, told) => {
  expect(await integrityOf(found)).toMatchObject(told);
});

it("reports a store that this account may not read first and alone, without a word of a backup", async () => {
  const unreadable = { from: "unreadable", path: "/srv/chest/chest.db", ownerUid: 4242 };
  const inspected = { database: async () => unreadable } as unknown as InspectedServer;
  const { signal } = new AbortController();
  const found = await Promise.all(
    databaseChecks.map(async ({ id, run }) => ({ id, ...(await run(inspected, signal)) })),
  );
  const amiss = found.filter(({ status }) => status !== "skip");
  expect(amiss).toEqual([
    {
      id: "server.db.exists",
      status: "fail",
      message: expect.stringContaining("cannot be read by this account"),
      fix: "sudo -u '#4242' env CHEST_DB_PATH='/srv/chest/chest.db' chest-index doctor server",
    },
  ]);
  expect(JSON.stringify(found)).not.toContain("restore");
});

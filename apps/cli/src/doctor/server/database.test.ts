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
])("of a store that %s says what mends it", async (_, found, told) => {
  expect(await integrityOf(found)).toMatchObject(told);
});

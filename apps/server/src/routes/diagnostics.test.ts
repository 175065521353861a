import { endpoints } from "@chest/contracts";
import { expect, it } from "vitest";
import { openSqliteApp } from "../testing/sqlite-app.ts";

it("checks the file over a separate connection, and finds it intact", async () => {
  const backend = await openSqliteApp();
  await backend.store("something");
  const { status, body } = await backend.get("/diagnostics/db");
  await backend.close();

  expect(status).toBe(200);
  expect(endpoints.diagnoseDb.response.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({
    exists: true,
    integrity_check: "ok",
    journal_mode: "wal",
    missing_tables: [],
    writable: true,
  });
  expect(body.db_path).toBe(backend.config.store.dbPath);
  expect(body.size_bytes).toBeGreaterThan(10_000);
  expect(body.tables_present).toEqual(expect.arrayContaining(["memories", "memory_fts", "vectors"]));
  expect(body).not.toHaveProperty("error");
});

it("compares the schema, and reports the result", async () => {
  const backend = await openSqliteApp({}, { hasSchemaCheck: true });
  await backend.store("something");
  const { body } = await backend.get("/diagnostics/db");
  await backend.close();

  expect(endpoints.diagnoseDb.response.safeParse(body).success).toBe(true);
  expect(body.schema).toMatchObject({ state: "made", missing_columns: [], foreign_tables: [] });
  expect(body.schema.tables).toContainEqual({ name: "memories", rows: 1 });
  expect(JSON.stringify(body)).not.toContain("something");
  expect(body.findings).toEqual([{ id: "db.schema", status: "ok", message: expect.stringContaining("memory_fts") }]);
});

it("gives the other diagnoses where the schema cannot be compared", async () => {
  const backend = await openSqliteApp();
  const { body } = await backend.get("/diagnostics/db");
  await backend.close();
  expect(body).toMatchObject({ integrity_check: "ok", findings: [{ id: "db.schema", status: "skip" }] });
});

it("requires the scope of an operator", async () => {
  const backend = await openSqliteApp({ CHEST_API_TOKEN_SCOPES: "read,write" });
  expect(await backend.get("/diagnostics/db")).toMatchObject({
    status: 403,
    body: { error: { details: { scope: "operate" } } },
  });
  await backend.close();
});

it("loses no write that runs at the same time", async () => {
  const backend = await openSqliteApp();
  let isWriting = true;
  const looking = (async () => {
    while (isWriting) expect(await backend.get("/diagnostics/db")).toMatchObject({ status: 200 });
  })();
  const ids = [];
  // On a busy machine, a thousand writes at once would exceed the backend's waiting time.
  for (let from = 0; from < 1000; from += 50)
    ids.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => backend.store(`fact number ${from + i}`)))));
  isWriting = false;
  await looking;
  const { body } = await backend.get("/api/resources?uri=memory://stats");
  await backend.close();
  expect(new Set(ids).size).toBe(1000);
  expect(body.memory_count).toBe(1000);
});

import { readFileSync } from "node:fs";
import { hasPostgres, openFresh, startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSqliteApp, overEngine, type SqliteApp } from "../testing/sqlite-app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

const PATIENCE_MS = 60_000;
const dashboard = JSON.parse(
  readFileSync(new URL("../../../../deploy/grafana/chest-postgres.json", import.meta.url), "utf8"),
) as { readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] };

describe.skipIf(!hasPostgres())("a backend over PostgreSQL", () => {
  let server: TestServer;
  let backend: SqliteApp;
  beforeAll(async () => {
    server = await startPostgres();
    overEngine({
      open: ({ embedding }, clock) => openFresh(server, { clock, active: embedding.choice.identity }),
      beginIdsAt: async () => undefined,
    });
    backend = await openSqliteApp();
  }, PATIENCE_MS);
  afterAll(async () => {
    await backend?.close();
    await server?.stop();
  }, PATIENCE_MS);

  it("exports every series that its dashboard uses", async () => {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "the eel swims upstream" };
    await vi.waitFor(
      async () => expect(await backend.tool("chest_remember", fact)).toMatchObject({ ok: true }),
      PATIENCE_MS,
    );
    const text = (await backend.app.inject({ url: "/metrics", headers: AUTHORIZATION })).body;
    const asked = dashboard.panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/chest_[a-z_]+/g)),
    );
    for (const name of asked) expect(text).toMatch(new RegExp(`^${name}(?:\\{.*\\})? [0-9]`, "m"));
    expect(text).toMatch(/^chest_memories\{state="live"\} 1$/m);
    expect(text).toMatch(/^chest_counted_age_seconds \d/m);
    expect(text).toMatch(/^chest_pool_connections\{state="(?:idle|busy)"\} [1-9]/m);
  });

  it("tells the doctor how durable an acknowledged write is", async () => {
    const { body } = await backend.get("/diagnostics/db");
    expect(body).toMatchObject({
      writable: true,
      server: { durable: false, standbys: 0, archiving: false, releases: [expect.stringMatching(/^\d/)] },
    });
  });
});

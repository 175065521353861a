import { openPostgresEngine } from "@chest/store-postgres";
import { type CountedWay, countTrips, hasPostgres, startPostgres } from "@chest/store-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteApp, overEngine, type SqliteApp } from "./testing/sqlite-app.ts";

/** Most round trips to the database for a write and for a recall, including the check of the token. */
const MOST = 5;
const PATIENCE_MS = 60_000;

describe.skipIf(!hasPostgres())("over a PostgreSQL far away", () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let way: CountedWay;
  let backend: SqliteApp;
  beforeAll(async () => {
    server = await startPostgres();
    way = await countTrips(await server.database());
    overEngine({
      open: ({ embedding }, clock) =>
        openPostgresEngine({ url: way.url, clock, active: embedding.choice.identity, accessFlushMs: PATIENCE_MS }),
      beginIdsAt: () => Promise.reject(new Error("these tests begin at one")),
    });
    backend = await openSqliteApp({ CHEST_RATE_LIMIT_WRITES: "0" });
    for (const about of ["acme", "otters"]) await remember(`The first of ${about}.`, about);
    await backend.tool("chest_recall", { query: "first" }, BY);
  }, PATIENCE_MS);
  afterAll(async () => {
    await backend?.close();
    await way?.stop();
    await server?.stop();
  }, PATIENCE_MS);

  const BY = { member: "ann", project: "acme/otter" };
  let nth = 0;
  /** Sent with an idempotency key, as clients do. */
  const remember = (content: string, entity_name: string, headers: Record<string, string> = {}) => {
    nth += 1;
    const fact = { entity_name, entity_kind: "project", layer: "learning", content };
    return backend.tool("chest_remember", fact, { ...BY, headers: { "idempotency-key": `write-${nth}`, ...headers } });
  };

  async function expectFew(work: () => Promise<unknown>, action: object): Promise<void> {
    let answer: unknown;
    const all = await way.during(async () => {
      answer = await work();
    });
    // Notifications to other backends use a separate connection that no call waits for.
    const trips = all.filter((statements) => statements.some((statement) => !statement.startsWith("SELECT pg_notify")));
    expect(answer).toMatchObject(action);
    expect(trips.length, trips.map((statements) => statements.join("\n")).join("\n\n")).toBeLessThanOrEqual(MOST);
  }

  const created = { ok: true, action: "created" };

  it("stores a memory of a known subject in five round trips, including the token's and the commit's", async () => {
    for (const topic of ["ponds", "rivers", "lakes"])
      await expectFew(() => remember(`Otters sleep beside ${topic} at noon.`, "otters"), created);
  });

  it("stores a memory of a new subject in five", async () => {
    await expectFew(() => remember("Smews dive at noon.", "smews"), created);
  });

  it("does so for a client that names its session", async () => {
    const headers = { "x-chest-session": "session-of-ann" };
    await remember("The first of a session.", "otters", headers);
    await expectFew(() => remember("Otters of a session swim.", "otters", headers), created);
  });

  it("recalls in five, including contradictions, links and counts of use", async () => {
    await expectFew(() => backend.tool("chest_recall", { query: "where do otters sleep" }, BY), { ok: true });
    await expectFew(() => backend.tool("chest_recall", { query: "where do otters sleep", explain: false }, BY), {
      ok: true,
    });
  });
});

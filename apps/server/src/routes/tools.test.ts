import { TOOLS } from "@chest/core/tools";
import { describe, expect, it, vi } from "vitest";
import { A_FACT, openApp } from "../testing/app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

const to = (tool: string, payload: object, headers: Record<string, string> = {}) =>
  ({ method: "POST", url: `/api/tools/${tool}`, headers: { ...AUTHORIZATION, ...headers }, payload }) as const;

it("remembers and recalls", async () => {
  const { app } = await openApp();
  const stored = await app.inject(to("chest_remember", A_FACT));
  const found = await app.inject(to("chest_recall", { query: "autumn outage" }));

  expect(stored.json()).toMatchObject({ ok: true, result: { ok: true, layer: "learning" } });
  expect(found.json()).toMatchObject({ ok: true, result: { count: 1, memories: [{ content: A_FACT.content }] } });
});

it("has a route for every tool of the catalogue", async () => {
  const { app } = await openApp();
  for (const { name } of TOOLS) {
    expect(app.hasRoute({ method: "POST", url: `/api/tools/${name}` })).toBe(true);
  }
});

it("lists the tools when an unknown one is called", async () => {
  const { app } = await openApp();
  const { error } = (await app.inject(to("chest_nothing", {}))).json();

  expect(error).toMatchObject({ code: "UNKNOWN_TOOL", details: { known: TOOLS.map(({ name }) => name) } });
});

it.each([
  ["a near miss of an argument", { ...A_FACT, importence: 0.5 }, 400, "VALIDATION_ERROR"],
  ["a wrong type", { ...A_FACT, importance: "huge" }, 400, "VALIDATION_ERROR"],
  ["a number out of range", { ...A_FACT, importance: 2 }, 400, "VALIDATION_ERROR"],
  ["names for ids", { ...A_FACT, supersedes: ["one"] }, 400, "VALIDATION_ERROR"],
  ["an unknown layer", { ...A_FACT, layer: "nonsense" }, 400, "INVALID_INPUT"],
  ["content that is too long", { ...A_FACT, content: "x".repeat(8001) }, 400, "VALIDATION_ERROR"],
  ["blank content", { ...A_FACT, content: " \n" }, 400, "VALIDATION_ERROR"],
])("refuses %s", async (_what, payload, status, code) => {
  const { app } = await openApp();
  const response = await app.inject(to("chest_remember", payload));

  expect(response.statusCode).toBe(status);
  expect(response.json()).toMatchObject({ ok: false, error: { code } });
});

it("explains a recall by default, as 1.5 did", async () => {
  const { app } = await openApp();
  await app.inject(to("chest_remember", { ...A_FACT, importance: "0.6", tags: "", entity_key: null }));
  const recall = async (how: object) =>
    (await app.inject(to("chest_recall", { query: "outage", ...how }))).json().result;

  for (const how of [{}, { explain: null }, { explain: "true" }, { explain: false, format: "raw" }])
    expect(await recall(how)).toMatchObject({
      offset: 0,
      stopped_by: "end",
      resolved_layer: null,
      memories: [
        {
          importance: 0.6,
          pinned: false,
          entity: { kind: "project" },
          score_breakdown: { relevance: expect.any(Number) },
        },
      ],
    });
  expect(Object.keys((await recall({ explain: false })).memories[0])).toEqual([
    "id",
    "entity",
    "layer",
    "match",
    "content",
    "created_at",
  ]);
});

describe("an idempotency key", () => {
  it("gives the first answer again, and says so", async () => {
    const { app } = await openApp();
    const key = { "idempotency-key": "0b7c5c1e-write-1" };
    const first = await app.inject(to("chest_remember", { ...A_FACT, force: true }, key));
    const again = await app.inject(to("chest_remember", { ...A_FACT, force: true }, key));

    expect(first.headers).not.toHaveProperty("idempotency-replayed");
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(again.json()).toEqual(first.json());
  });

  it("is refused for another request", async () => {
    const { app } = await openApp();
    const key = { "idempotency-key": "0b7c5c1e-write-1" };
    await app.inject(to("chest_remember", A_FACT, key));
    const other = await app.inject(to("chest_remember", { ...A_FACT, importance: 0.9 }, key));

    expect(other.statusCode).toBe(409);
    expect(other.json()).toMatchObject({ error: { code: "IDEMPOTENCY_MISMATCH" } });
  });

  it.each(["", "with space", "x".repeat(256), "ä"])("`%.12s` is refused", async (key) => {
    const { app } = await openApp();
    const header = { "idempotency-key": Buffer.from(key).toString("latin1") };
    const response = await app.inject(to("chest_remember", A_FACT, header));

    expect(response.json()).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
  });
});

it("identifies the caller by its token, and only records what its headers state", async () => {
  const execute = vi.fn().mockResolvedValue({ ok: true });
  const { app } = await openApp({}, { executor: { execute } });
  await app.inject(
    to("chest_remember", A_FACT, {
      "x-chest-client": "chest-memory/0.4.0; wire=1.6.0; machine=m-1; agent=claude",
      "x-chest-session": "s-1",
      "x-chest-time-zone": "asia/tokyo",
      "x-chest-project": "github.com%2Facme%2Fapi",
      "idempotency-key": "k-1",
      "x-request-id": "r-1",
    }),
  );

  expect(execute).toHaveBeenCalledWith(
    "chest_remember",
    A_FACT,
    expect.objectContaining({
      requestId: "r-1",
      idempotencyKey: "k-1",
      caller: {
        member: { id: 1, name: "shared" },
        timeZone: "Asia/Tokyo",
        scopes: new Set(["read", "write", "operate"]),
        project: "github.com/acme/api",
        client: { name: "chest-memory", version: "0.4.0", machine: "m-1", agent: "claude", session: "s-1" },
      },
    }),
  );
});

it("names a client without a header of its own by its user agent", async () => {
  const execute = vi.fn().mockResolvedValue({ ok: true });
  const { app } = await openApp({}, { executor: { execute } });
  for (const agent of ["claude-code/2.1.332 (cli)", "curl/8.5.0", "spaces and no version", "evil\u202e/1"])
    await app.inject(to("chest_remember", A_FACT, { "user-agent": agent }));

  expect(execute.mock.calls.map(([, , { caller }]) => `${caller.client.name} ${caller.client.version}`)).toEqual([
    ...["claude-code 2.1.332", "curl 8.5.0", "unstated 1.5.0", "unstated 1.5.0"],
  ]);
});

it("treats a caller that states nothing as a 1.5 client", async () => {
  const execute = vi.fn().mockResolvedValue({ ok: true });
  const { app } = await openApp({}, { executor: { execute } });
  await app.inject(to("chest_remember", A_FACT, { "x-chest-session": "", "x-chest-client": "unreadable" }));

  expect(execute.mock.calls[0]?.[2].caller).toMatchObject({
    project: undefined,
    client: { name: "unstated", version: "1.5.0", session: undefined },
  });
});

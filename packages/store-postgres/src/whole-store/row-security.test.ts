import { localCaller, SHARED } from "@chest/core/access";
import { aCall, engineContract, fixedClock, TINY_IDENTITY, toolsContract } from "@chest/testing";
import { afterAll, describe, expect, it } from "vitest";
import { inShort } from "../../../../deploy/local/test-extent.ts";
import { Connections } from "../database/connection.ts";
import { boundReader } from "../database/row-security.ts";
import { openFresh } from "../testing/fresh-engine.ts";
import { BOUND_ROLE } from "../testing/row-security.ts";
import { hasPostgres, startPostgres } from "../testing/server.ts";

// `tools.test.ts` runs every subject without policies. These read and write every table that has one.
const EACH_TIME = [
  ...(["remember", "update", "forget, for good", "recall by words", "recall by words and vectors"] as const),
  ...(["an entity in several spaces", "a briefing", "inspect", "sources", "notes of the inbox"] as const),
];

describe.skipIf(!hasPostgres())("with a PostgreSQL here", () => {
  const server = hasPostgres() ? startPostgres() : undefined;
  afterAll(async () => (await server)?.stop(), 60_000);
  const open = async (options: Parameters<typeof openFresh>[1]) => {
    if (!server) throw new Error("there is no PostgreSQL here");
    return openFresh(await server, options, BOUND_ROLE);
  };

  engineContract("PostgreSQL with row-level security", open);
  toolsContract("PostgreSQL with row-level security", open, inShort(EACH_TIME, undefined));

  it("a statement that forgot its spaces sees those of its caller alone, and without one none", async () => {
    const started = await server;
    if (!started) throw new Error("there is no PostgreSQL here");
    let url = "";
    const noted = { ...started, database: async () => (url = await started.database()) };
    const engine = await openFresh(noted, { clock: fixedClock(), active: TINY_IDENTITY }, BOUND_ROLE);
    for (const member of [SHARED, { id: 11, name: "alice" }]) {
      const call = aCall({ caller: { ...localCaller(undefined), member } });
      const place = { visibility: "private", projectKey: undefined } as const;
      await engine
        .as(call)
        .write((tx) => tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place }));
    }
    const connections = new Connections({ url, name: "bound", most: 2, statementTimeoutMs: 5000, role: BOUND_ROLE });
    const all = "SELECT space FROM entities ORDER BY space";
    const seenBy = (...spaces: string[]) => boundReader(connections, async () => spaces as never).all(all);
    expect(await connections.all(all)).toHaveLength(2);
    expect(await seenBy("m11")).toEqual([{ space: "m11" }]);
    expect(await seenBy()).toEqual([]);
    await connections.close();
    await engine.close();
  });
});

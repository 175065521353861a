import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { aCall, TINY_IDENTITY, testPorts } from "@chest/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openPostgresEngine } from "./open.ts";
import { hasPooler, type Pooler, poolerKeepsStatements, startPooler } from "./testing/pooler.ts";
import { hasPostgres, startPostgres, type TestServer } from "./testing/server.ts";

const PATIENCE_MS = 60_000;
const IGNORED = "options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout";

// Releases before 1.21 know of no other way, and not of this setting.
const FORGETS: Readonly<Record<string, string>> = poolerKeepsStatements() ? { max_prepared_statements: "0" } : {};

describe.skipIf(!hasPostgres() || !hasPooler())("a database behind PgBouncer", () => {
  let server: TestServer;
  let pooler: Pooler | undefined;
  const warnings: string[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  afterEach(async () => {
    await pooler?.stop();
    warnings.length = 0;
  });

  const open = async (settings: Readonly<Record<string, string>>) => {
    pooler = await startPooler(await server.database(), settings);
    const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
    return openPostgresEngine({ url: pooler.url, active: TINY_IDENTITY, pool: 4, log });
  };

  it(
    "is written to and found in in session mode, with a word about the limits that are dropped",
    async () => {
      const engine = await open({ pool_mode: "session", ignore_startup_parameters: IGNORED });
      const heard = new Promise<string>((resolve) => engine.signals?.hear(resolve));
      const executor = localExecutor(TOOLS, engine, testPorts());
      const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "the otter sleeps" };
      const { memory_id } = await executor.execute("chest_remember", fact, aCall());
      const { memories } = await executor.execute("chest_recall", { query: "otter" }, aCall());
      expect(memories).toMatchObject([{ id: memory_id }]);
      // The first may have been sent before the connection listened.
      await expect
        .poll(() => Promise.race([engine.signals?.send("hello").then(() => ""), heard]), { timeout: PATIENCE_MS })
        .not.toBe("");
      expect(warnings).toEqual([expect.stringMatching(/set statement_timeout.*ALTER ROLE/)]);
      await engine.close();
    },
    PATIENCE_MS,
  );

  it.each([
    ["forgets prepared statements", { pool_mode: "transaction", ignore_startup_parameters: IGNORED, ...FORGETS }],
    ["a pooler in statement mode", { pool_mode: "statement", ignore_startup_parameters: IGNORED }],
    ["refuses the settings of a session", { pool_mode: "session" }],
  ])(
    "is refused where it cannot work: %s",
    async (why, settings) => {
      await expect(open(settings)).rejects.toMatchObject({ name: "CannotOpen", message: expect.stringContaining(why) });
    },
    PATIENCE_MS,
  );
});

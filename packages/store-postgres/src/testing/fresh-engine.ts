import type { Clock, EmbeddingIdentity, Engine } from "@chest/core";
import { openPostgresEngine } from "../index.ts";
import type { TestServer } from "./server.ts";

/** Opens an engine over a fresh database, which is given back when the engine is closed. */
export async function openFresh(
  server: TestServer,
  { clock, active }: { readonly clock: Clock; readonly active: EmbeddingIdentity },
): Promise<Engine> {
  const url = await server.database();
  // A busy machine is no failure of the engine.
  const patience = { searchTimeoutMs: 30_000, writePatienceMs: 100_000 };
  const engine = await openPostgresEngine({ url, clock, active, accessFlushMs: 20, ...patience, pool: 8 });
  return {
    ...engine,
    async close() {
      await engine.close();
      server.giveBack(url);
    },
  };
}

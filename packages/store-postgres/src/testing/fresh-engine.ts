import type { Clock, EmbeddingIdentity, Engine } from "@chest/core";
import { openPostgresEngine } from "../index.ts";
import { onceOn, type TestServer } from "./server.ts";

/** Opens an engine over a fresh database, which is given back when the engine is closed. */
export async function openFresh(
  server: TestServer,
  { clock, active }: { readonly clock: Clock; readonly active: EmbeddingIdentity },
): Promise<Engine> {
  const url = await server.database();
  // A busy machine is no failure of the engine.
  const patience = { searchTimeoutMs: 30_000, writePatienceMs: 100_000 };
  const engine = await openPostgresEngine({ url, clock, active, accessFlushMs: 20, ...patience, pool: 8 });
  const fresh = {
    ...engine,
    async close() {
      await engine.close();
      urls.delete(fresh);
      server.giveBack(url);
    },
  };
  urls.set(fresh, url);
  return fresh;
}

const urls = new Map<Engine, string>();

/** Gives the next memory of an engine that `openFresh` opened an id beyond this one. */
export async function beginIdsAt(engine: Engine, id: number): Promise<void> {
  const url = urls.get(engine);
  if (url === undefined) throw new Error("this engine is not over a fresh database");
  await onceOn(url, `ALTER TABLE memories ALTER id RESTART WITH ${id + 1}`);
}

import type { Clock, EmbeddingIdentity, Engine } from "@chest/core/ports";
import { openOver, openPools, openPostgresEngine, type Pools } from "../open.ts";
import { secureRows } from "./row-security.ts";
import { againOn, onceOn, type TestServer } from "./server.ts";

/** Opens an engine over an empty database, which is returned when the engine is closed. */
export async function openFresh(
  server: TestServer,
  { clock, active, rankedRows }: FreshOptions,
  boundRole?: string,
): Promise<Engine> {
  const url = await server.database();
  if (boundRole !== undefined && !kept.has(url)) await secured({ url, clock, active });
  // Generous limits, so that a busy machine fails no test.
  const patience = { searchTimeoutMs: 30_000, writePatienceMs: 100_000 };
  const options = { url, clock, active, boundRole, rankedRows, accessFlushMs: 20, ...patience, pool: 8 };
  const engine = await openOver(poolsOf(options), options);
  const fresh = {
    ...engine,
    async close() {
      await engine.close();
      urls.delete(fresh);
      if ((await wrongCodes(url)).length > 0) throw new Error("codes of vectors are not those of the live memories");
      // A cancelled test may still use its database, so that one is not reused.
      if (isIdle(url)) server.giveBack(url);
      else await endPools(url);
    },
  };
  urls.set(fresh, url);
  return fresh;
}

export interface FreshOptions {
  readonly clock: Clock;
  readonly active: EmbeddingIdentity;
  readonly rankedRows?: number | undefined;
}

const CODES = "SELECT memory_id, identity_id, space, code FROM coarse_vectors";
const CODES_MEANT = `SELECT v.memory_id, v.identity_id, m.space, coarse_code(v.vector) FROM vectors v
  JOIN memories m ON m.id = v.memory_id WHERE m.archived_at IS NULL`;

/** Lists missing and wrong vector codes. */
export const wrongCodes = (url: string) =>
  againOn(url, `(${CODES} EXCEPT ${CODES_MEANT}) UNION ALL (${CODES_MEANT} EXCEPT ${CODES})`);

/** Creates the tables as their owner, then the policies on them. */
async function secured(options: FreshOptions & { readonly url: string }): Promise<void> {
  await (await openPostgresEngine(options)).close();
  await secureRows(options.url);
}

/** Pools by database, reused because a new connection reads the catalogue again, which takes longer than most tests. */
const kept = new Map<string, Pools>();

function poolsOf(options: Parameters<typeof openPools>[0]): Pools {
  const pools = kept.get(options.url) ?? openPools(options);
  kept.set(options.url, pools);
  return { ...pools, close: async () => undefined };
}

const isIdle = (url: string): boolean =>
  [kept.get(url)?.reader, kept.get(url)?.searcher].every((each) => each && each.use.open === each.use.idle);

async function endPools(url: string): Promise<void> {
  const pools = kept.get(url);
  kept.delete(url);
  await pools?.close();
}

const urls = new Map<Engine, string>();

/** Makes the next memory's id larger than this. */
export async function beginIdsAt(engine: Engine, id: number): Promise<void> {
  const url = urls.get(engine);
  if (url === undefined) throw new Error("this engine is not over a fresh database");
  await onceOn(url, `ALTER TABLE memories ALTER id RESTART WITH ${id + 1}`);
}

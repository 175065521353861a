import { BUILTIN_IDENTITY, pushVectors, TABLE_IDENTITY } from "@chest/core/embedding";
import { localExecutor } from "@chest/core/pipeline";
import type { EmbeddingIdentity } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { aCall, fixedClock, testPorts } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresEngine } from "../index.ts";
import { hasPostgres, startPostgres, type TestServer } from "../testing/server.ts";

const EARLIER = { ...TABLE_IDENTITY, revision: "1" };
const LATER = { ...TABLE_IDENTITY, revision: "99" };
const MODEL = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
const A_FACT = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  visibility: "team",
  content: "The weather of the region is shown in the sidebar.",
};

describe.skipIf(!hasPostgres())("a store with vectors, opened by a backend with the table", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop(), 60_000);

  const open = (url: string, active: EmbeddingIdentity | undefined) =>
    openPostgresEngine({ url, clock: fixedClock(), active, pool: 4 });

  /** The database of a store that goes by these vectors and, where a change was under way, is to go by the next ones. */
  async function storeOf(identity: EmbeddingIdentity, next?: EmbeddingIdentity): Promise<string> {
    const url = await server.database();
    const engine = await open(url, identity);
    const remembered = await localExecutor(TOOLS, engine, testPorts()).execute("chest_remember", A_FACT, aCall());
    const vector = new Float32Array(identity.dimensions).fill(1);
    await pushVectors(engine.as(aCall()), identity, [
      { id: remembered.memory_id as number, contentSha1: undefined, vector },
    ]);
    if (next) await engine.identities.begin(next);
    await engine.close();
    return url;
  }

  async function identitiesOf(url: string, active: EmbeddingIdentity | undefined) {
    const engine = await open(url, active);
    const [identities, { pending }] = [await engine.identities.current(), await engine.inspect.summary()];
    await engine.close();
    return { ...identities, pending };
  }

  it.each([
    ["an earlier table's go over to this one's", EARLIER, BUILTIN_IDENTITY],
    ["a later table's stay", LATER, LATER],
    ["a model's stay", MODEL, MODEL],
  ])("%s", async (_, before, after) => {
    const url = await storeOf(before);
    for (const opener of [undefined, BUILTIN_IDENTITY]) {
      const { active, next, pending } = await identitiesOf(url, opener);
      expect({ active, next }).toEqual({ active: after, next: undefined });
      expect(pending).toBe(before === after ? 0 : 1);
    }
  });

  it("a change to a model that was under way goes on", async () => {
    const url = await storeOf(EARLIER, MODEL);
    expect(await identitiesOf(url, BUILTIN_IDENTITY)).toMatchObject({ active: BUILTIN_IDENTITY, next: MODEL });
  });
});

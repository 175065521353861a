import { localCaller, SHARED } from "@chest/core/access";
import { canonical, type Memory } from "@chest/core/memory";
import type { Engine } from "@chest/core/ports";
import { aCall, aMemory, TINY_IDENTITY } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Connections } from "../database/connection.ts";
import { migrate, readEarlier } from "../database/migrations.ts";
import { openPostgresEngine } from "../index.ts";
import { wrongCodes } from "../testing/fresh-engine.ts";
import { begunOn, hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";

const PATIENCE_MS = 60_000;
const CALL = aCall({ caller: { ...localCaller("host/org/apple"), member: SHARED } });
const PLACE = { visibility: "team", projectKey: undefined } as const;
const WHERE = { reach: "everywhere", withArchived: false, withSuperseded: false } as const;
const ASKED = Float32Array.of(1, 0, 0, 0);

describe.skipIf(!hasPostgres())("codes of vectors", () => {
  let server: TestServer;
  let engine: Engine;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  beforeEach(async () => {
    url = await server.database();
    engine = await openPostgresEngine({ url, active: TINY_IDENTITY, pool: 4, searchTimeoutMs: PATIENCE_MS });
  }, PATIENCE_MS);
  afterEach(() => engine.close(), PATIENCE_MS);

  const add = (vectors: readonly Float32Array[]): Promise<Memory[]> =>
    engine.as(CALL).write(async (tx) => {
      const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...PLACE });
      const added: Memory[] = [];
      for (const [nth, vector] of vectors.entries()) {
        const tags = nth === 0 ? ["first"] : [];
        const text = canonical(`fact ${nth}`);
        const memory = await tx.memories.add({ ...aMemory({ tags }), ...PLACE, entity, text });
        await tx.vectors.put(memory, TINY_IDENTITY, vector);
        added.push(memory);
      }
      return added;
    });
  const find = async (where: object = {}, limit = 10) =>
    (await engine.as(CALL).search.matchVector(ASKED, TINY_IDENTITY, { ...WHERE, ...where }, limit))?.map(
      ({ id }) => id,
    );
  const codes = () => onceOn(url, "SELECT memory_id FROM coarse_vectors ORDER BY memory_id");

  it(
    "lead to the nearest of more than are compared, whatever a filter leaves of them",
    async () => {
      const vectors = Array.from({ length: 900 }, (_, nth) => turnedBy((900 - nth) / 600));
      const ids = (await add(vectors)).map(({ id }) => id);
      const nearest = ids.slice(-10).reverse();
      expect(await find()).toEqual(nearest);
      // The farthest is the only one with the tag, and none of the nearest is of another category.
      expect(await find({ tags: ["first"] })).toEqual([ids[0]]);
      await onceOn(url, `UPDATE memories SET category = 'conversation' WHERE id > ${ids[100]}`);
      expect(await find({ withoutCategory: "conversation" })).toEqual(ids.slice(91, 101).reverse());
    },
    PATIENCE_MS,
  );

  it("are of memories that are not archived, in the space in which they lie", async () => {
    const [moved, archived] = await add([ASKED, ASKED]);
    if (!moved || !archived) throw new Error("nothing was stored");
    await engine.as(CALL).write(async (tx) => {
      await tx.memories.archive(archived, "forget");
    });
    expect(await codes()).toEqual([{ memory_id: String(moved.id) }]);
    expect(await find({ withArchived: true })).toEqual([moved.id, archived.id]);
    await onceOn(url, `UPDATE memories SET space = 'm1' WHERE id = ${moved.id}`);
    await onceOn(url, `UPDATE memories SET archived_at = NULL WHERE id = ${archived.id}`);
    expect(await codes()).toHaveLength(2);
    expect(await wrongCodes(url)).toEqual([]);
    await onceOn(url, `DELETE FROM memories WHERE id IN (${moved.id}, ${archived.id})`);
    expect(await codes()).toEqual([]);
  });

  it.each([
    ["moved", "space = 'm1'"],
    ["archived", "archived_at = 1"],
  ])("are right of a memory that is being %s while its vector comes", async (_, change) => {
    const [memory] = await add([ASKED]);
    if (!memory) throw new Error("nothing was stored");
    await onceOn(url, "DELETE FROM vectors");
    const changing = await begunOn(url, `UPDATE memories SET ${change} WHERE id = ${memory.id}`);
    const put = engine.as(CALL).write((tx) => tx.vectors.put(memory, TINY_IDENTITY, ASKED));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => onceOn(url, waiting), { timeout: 20_000 }).toHaveLength(1);
    await changing.commit();
    await put;
    expect(await wrongCodes(url)).toEqual([]);
  });

  it("are made of the vectors of the release before", async () => {
    const older = await server.database();
    const connections = new Connections({ url: older, name: "older", most: 2, statementTimeoutMs: 0 });
    try {
      await migrate(
        connections,
        readEarlier().filter(({ name }) => name < "0005"),
      );
      await onceOn(older, FILLED);
      expect(await migrate(connections)).toContain("1000_init");
    } finally {
      await connections.close();
    }
    expect(await onceOn(older, "SELECT memory_id, space FROM coarse_vectors")).toEqual([
      { memory_id: "1", space: "team" },
    ]);
    expect(await wrongCodes(older)).toEqual([]);
    // Its compared memories are not compared again.
    expect(await onceOn(older, "SELECT 1 FROM vectors_uncompared")).toEqual([]);
  });
});

const turnedBy = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle), 0, 0);

const FILLED = `
  INSERT INTO embedding_identities (id, model, revision, dimensions, pooling) VALUES (1, 'tiny', '1', 4, 'mean');
  INSERT INTO entities (id, uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
    VALUES (1, 'e', 'team', 'project', 'acme', 'acme', 'acme', 1, 1);
  INSERT INTO memories (id, uid, entity_id, author_id, visibility, space, content, content_hash, content_sha1, layer,
      segmenter_version, created_at, updated_at, archived_at)
    VALUES (1, 'a', 1, 1, 'team', 'team', 'a', 'a', 'a', 'learning', '1', 1, 1, NULL),
      (2, 'b', 1, 1, 'team', 'team', 'b', 'b', 'b', 'learning', '1', 1, 1, 1);
  INSERT INTO vectors (memory_id, identity_id, vector, content_hash, made_by, member_id, created_at)
    SELECT id, 1, '[1,0,0,0]', content_hash, 'test', 1, 1 FROM memories;
  DELETE FROM vectors_uncompared`;

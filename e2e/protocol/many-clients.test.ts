import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, type Door, mcpDoor, restDoor } from "../support/clients/doors.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";
import { inParallel } from "../support/in-parallel.ts";
import { report } from "../support/report.ts";

const OF_EACH_KIND = 16;
const MEMORIES = 200;
const ROWS = 2 * OF_EACH_KIND * MEMORIES;

const COLOURS = ["amber", "blue", "coral", "dune", "ebony", "fern", "green", "hazel"];
const PLACES = ["harbour", "island", "junction", "kitchen", "lagoon"];
const ENTITIES = COLOURS.flatMap((colour) => PLACES.map((place) => [colour, place] as const));
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const SPELLINGS: readonly ((colour: string, place: string) => string)[] = [
  (colour, place) => `${capital(colour)} ${capital(place)}`,
  (colour, place) => `${colour}-${place}`,
  (colour, place) => capital(colour) + capital(place),
  (colour, place) => `${colour}_${place}`,
];

interface Stored {
  readonly id: number;
  readonly content: string;
}

describe("32 clients that store 200 memories each at once", () => {
  let dir: string;
  let backend: Backend;
  let programs: StdioClient[];
  let stored: Stored[];
  let rest: Door;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-many-"));
    backend = await startBackend({ env: { CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0" } });
    rest = restDoor(backend);
    programs = await inParallel([...Array(OF_EACH_KIND).keys()], 4, (index) =>
      connectStdioClient({
        env: {
          CHEST_MODE: "remote",
          CHEST_REMOTE_URL: backend.url,
          CHEST_API_TOKEN: backend.token,
          CHEST_DATA_DIR: join(dir, `client-${index}`),
          CHEST_PROJECT: "chest-e2e",
          CHEST_LOG_LEVEL: "warn",
        },
      }),
    );
    const doors = [...programs.map(({ client }) => mcpDoor(client)), ...programs.map(() => restDoor(backend))];
    const startedAt = performance.now();
    stored = (await inParallel(doors, doors.length, storeAll)).flat();
    const seconds = (performance.now() - startedAt) / 1000;
    report("32 clients", { rows: stored.length, seconds: seconds.toFixed(1), "rows/s": Math.round(ROWS / seconds) });
  }, 180_000);
  afterAll(async () => {
    await Promise.all(programs.map(({ stop }) => stop()));
    await backend.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("get a different id for every memory", () => {
    expect(stored).toHaveLength(ROWS);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(ROWS);
  });

  it("find under every returned id what they stored", async () => {
    const pages = Array.from({ length: ROWS / 200 }, (_, page) => stored.slice(page * 200, (page + 1) * 200));
    const wrong = await inParallel(pages, 4, async (page) => {
      const ids = page.map(({ id }) => id);
      const { memories } = await ask(rest, "chest_recall", { ids, mark_accessed: false });
      const contents = new Map((memories as Stored[]).map(({ id, content }) => [id, content]));
      return page.filter(({ id, content }) => contents.get(id) !== content);
    });
    expect(wrong.flat()).toEqual([]);
  });

  it("make one entity of all spellings of a name, without extra rows", async () => {
    const { total, entities } = await ask(rest, "chest_list_entities", { limit: 200 });
    const counts = (entities as { memory_count: number }[]).map(({ memory_count }) => memory_count);
    expect({ total, rows: counts.reduce((sum, count) => sum + count, 0) }).toEqual({ total: 40, rows: ROWS });
  });
});

/** Stores one client's memories in order, about all entities in all spellings. */
async function storeAll(door: Door, client: number): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (let index = 0; index < MEMORIES; index++) {
    const [colour, place] = ENTITIES[(client * 7 + index) % ENTITIES.length] ?? ["amber", "harbour"];
    const spell = SPELLINGS[(client + index) % SPELLINGS.length] ?? SPELLINGS[0];
    const content = `client ${client} noted as its number ${index} that the ${place} door is painted ${colour}`;
    const { memory_id } = await ask(door, "chest_remember", {
      entity_name: spell?.(colour, place),
      entity_kind: "project",
      layer: "learning",
      content,
    });
    stored.push({ id: memory_id as number, content });
  }
  return stored;
}

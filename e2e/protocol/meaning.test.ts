import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, connectHttpClient, type Door, mcpDoor, restDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";

const BUILTIN = { CHEST_EMBED_MODEL: "builtin" };
const aFact = (content: string) => ({
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  visibility: "team",
  content,
});
const ENGLISH = aFact("The weather of the region is shown in the sidebar.");
const OTHERS = [
  aFact("Lunch is at noon on Mondays."),
  aFact("The logo on the landing page has rounded corners."),
  aFact("Interviews are held in the small room."),
];
const QUESTIONS = {
  Chinese: "侧栏显示什么天气",
  Japanese: "該当地域の天気はどこに表示されますか",
  Korean: "사이드바에 표시되는 날씨",
};

describe("a new store, without a download", () => {
  let backend: Backend;
  let folder: string;
  const doors = {} as Record<"REST" | "/mcp" | "stdio, remote" | "stdio, local", Door>;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "chest-meaning-"));
    backend = await startBackend({ env: BUILTIN });
    doors.REST = restDoor(backend);
    const http = await connectHttpClient(backend);
    doors["/mcp"] = mcpDoor(http);
    const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
    for (const [name, env] of [
      ["remote", remote],
      ["local", { CHEST_MODE: "local" }],
    ] as const) {
      const client = await connectStdioClient({ env: { ...BUILTIN, CHEST_DATA_DIR: join(folder, name), ...env } });
      doors[`stdio, ${name}`] = mcpDoor(client.client);
      ends.push(() => client.stop());
    }
    ends.push(() => http.close());
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await backend.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(["REST", "/mcp", "stdio, remote", "stdio, local"] as const)(
    "answers a question in another language with the English memory, a moment after that is stored: %s",
    async (name) => {
      const door = doors[name];
      for (const other of OTHERS) await ask(door, "chest_remember", other);
      const { memory_id } = await ask(door, "chest_remember", ENGLISH);
      for (const query of Object.values(QUESTIONS)) {
        const first = async () => {
          const { memories, search } = await ask(door, "chest_recall", { query, mark_accessed: false });
          return [search, (memories as { id: number }[])[0]?.id];
        };
        await expect.poll(first, { timeout: 30_000 }).toEqual(["fts5+vector", memory_id]);
      }
    },
  );

  it("reports in health and capabilities that it embeds", async () => {
    const [health, capabilities] = await Promise.all(
      ["/healthz", "/capabilities"].map(async (path) => {
        const response = await fetch(backend.url + path, { headers: { authorization: `Bearer ${backend.token}` } });
        return (await response.json()) as Record<string, unknown>;
      }),
    );
    expect(health?.embedding).toEqual({ provider: "sentences", model: "builtin/sentences", dim: 512, state: "ok" });
    expect(capabilities).toMatchObject({
      server_has_embedder: true,
      embedding: { active: { model: "builtin/sentences" } },
    });
  });
});

it("is embedded and queried by the client, where the backend does neither", async () => {
  const backend = await startBackend({ env: { ...BUILTIN, CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" } });
  const dataDir = await mkdtemp(join(tmpdir(), "chest-meaning-"));
  const env = {
    ...BUILTIN,
    CHEST_DATA_DIR: dataDir,
    CHEST_MODE: "remote",
    CHEST_REMOTE_URL: backend.url,
    CHEST_API_TOKEN: backend.token,
  };
  const { client, stop } = await connectStdioClient({ env });
  try {
    const door = mcpDoor(client);
    const { memory_id } = await ask(door, "chest_remember", ENGLISH);
    await expect
      .poll(async () => (await ask(door, "chest_recall", { query: QUESTIONS.Chinese })).memories, { timeout: 30_000 })
      .toMatchObject([{ id: memory_id }]);
    expect((await ask(restDoor(backend), "chest_recall", { query: QUESTIONS.Chinese })).count).toBe(0);
  } finally {
    await stop();
    await backend.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Backend, startBackend } from "../support/backend.ts";
import { OldClient } from "../support/compatibility/client.ts";
import { ENDPOINT_EXCHANGES } from "../support/compatibility/endpoints.ts";
import { storedBy, TOOL_EXCHANGES } from "../support/compatibility/tools.ts";

/** Tools that release 1.5 offered. */
const OFFERED_BY_1_5 = [
  "chest_remember",
  "chest_recall",
  "chest_recall_file",
  "chest_update_memory",
  "chest_list_entities",
  "chest_forget",
  "chest_forget without an id",
  "chest_consolidate",
  "chest_read_smart",
  "GET /healthz",
  "GET /capabilities",
  "GET /diagnostics/db",
  "GET /memories/pending",
  "POST /memories/:id/embedding",
  "POST /api/tools/_snapshot_get",
  "POST /api/tools/_snapshot_put",
  "POST /api/tools/_snapshot_touch",
  "POST /api/hooks/sync-session",
  "POST /api/hooks/precompact",
  "GET /api/hooks/snapshot/:sessionId",
  "POST /api/hooks/recall",
];

/** All layer names that 1.5 accepts. */
const LAYER_WORDS = {
  goal: ["goal", "goals", "why", "target", "targets", "intent"],
  realize: ["realize", "warning", "warnings", "pain", "rule", "rules", "pitfall", "pitfalls", "dont"],
  learning: ["learning", "learned", "decision", "decisions", "insight", "insights", "growth"],
  implementation: ["implementation", "impl", "success", "failure", "how", "tried", "attempts"],
  context: ["context", "background", "reason", "situation", "timing"],
  emotion: ["emotion", "tone", "feelings", "mood"],
};

/** Variables that an installation of 1.5 may have set. */
const SETTINGS_OF_1_5 = {
  CHEST_MODE: "local",
  CHEST_SERVER: "1",
  CHEST_TELEMETRY: "0",
  CHEST_AUTO_MAINTENANCE: "1",
  CHEST_SYNC_EMBED: "0",
  CHEST_MAINTENANCE_INTERVAL_SEC: "600",
  CHEST_FORGET_SWEEP_CAP: "200",
  CHEST_SWEEP_LIMIT: "500",
  CHEST_RECALL_VECTOR_ENABLED: "1",
  CHEST_RERANK_ENABLED: "0",
  CHEST_FTS_TOKENIZE: "1",
  CHEST_CLIENT_EMBED: "auto",
};

const TABLE = { ...TOOL_EXCHANGES, ...ENDPOINT_EXCHANGES };

let backend: Backend;
let client: OldClient;
beforeAll(async () => {
  backend = await startBackend({ env: SETTINGS_OF_1_5 });
  client = new OldClient(backend);
});
afterAll(() => backend?.stop());

describe("a 1.5 client", () => {
  it.each(Object.keys(TABLE))("is served as it expects: %s", async (name) => {
    await TABLE[name]?.(client);
  });

  it.each(Object.entries(LAYER_WORDS))("accepts %s in each of its words", async (layer, words) => {
    for (const [at, word] of words.entries()) {
      const spelled = at % 2 === 0 ? ` ${word.toUpperCase()} ` : word;
      const id = await storedBy(client, `${layer} said as ${word}`, { layer: spelled });
      const { memories } = await client.tool(
        z.object({ memories: z.array(z.object({ layer: z.string() })) }),
        ...(["chest_recall", { ids: [id], layer: word }] as const),
      );
      expect(memories, word).toEqual([{ layer }]);
    }
  });

  it("is refused without its token, and at an unknown route, with one envelope", async () => {
    const stranger = new OldClient({ url: backend.url, token: "x".repeat(40) });
    expect(await stranger.send("GET", "/capabilities")).toMatchObject({
      status: 401,
      body: { ok: false, error: { code: "UNAUTHORIZED" } },
    });
    expect(await client.send("POST", "/api/tools/chest_sing", {})).toMatchObject({
      status: 404,
      body: { ok: false, error: { code: "UNKNOWN_TOOL" } },
    });
  });
});

describe("the table", () => {
  it("has everything that 1.5 offers, and nothing else", () => {
    expect(Object.keys(TABLE).sort()).toEqual([...OFFERED_BY_1_5].sort());
  });
});

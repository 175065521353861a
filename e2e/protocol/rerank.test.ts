import { FIXTURE_RERANKER_ENV, fixtureModels } from "@chest/models/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, type Door, restDoor } from "../support/clients/doors.ts";

const QUESTION = "when is the budget meeting of the quokka team";
const MISLEADING = "the quokka team, and when the quokka team has lunch";
const ANSWER = "予算会議は火曜日, says the quokka";

describe("a backend that reranks the best results", () => {
  let backend: Backend;
  let door: Door;

  beforeAll(async () => {
    const env = { ...FIXTURE_RERANKER_ENV, CHEST_MODELS_DIR: await fixtureModels(), CHEST_SYNC_EMBED: "0" };
    backend = await startBackend({ env: { ...env, CHEST_RERANK_ENABLED: "1", CHEST_AUTO_MAINTENANCE: "0" } });
    door = restDoor(backend);
  });
  afterAll(() => backend.stop());

  it("puts the answer above a memory with more of the question's words", async () => {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning" };
    for (const content of [MISLEADING, ANSWER]) {
      // A backend that has just started on a busy machine may ask the client to wait.
      const stored = async () => (await door.call("chest_remember", { ...fact, content })).result;
      await expect.poll(stored, { timeout: 30_000 }).toBeDefined();
    }
    const recalled = async () => (await door.call("chest_recall", { query: QUESTION })).result;
    await expect.poll(recalled, { timeout: 30_000 }).toBeDefined();
    const { memories, degraded = [] } = await ask(door, "chest_recall", { query: QUESTION });
    const [first, second] = memories as { content: string; composite: number }[];
    expect([first?.content, second?.content]).toEqual([ANSWER, MISLEADING]);
    expect(first?.composite).toBeLessThan(second?.composite as number);
    expect(degraded).not.toContainEqual(expect.objectContaining({ leg: "rerank" }));
  });
});

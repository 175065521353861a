import { fixtureModels } from "@chest/models/testing";
import { openLogger } from "@chest/runtime/logger";
import { expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { tellOfReranker } from "./reranking.ts";

const TOKEN = { CHEST_API_TOKEN: "t".repeat(32) };

async function told(env: Readonly<Record<string, string>>): Promise<string> {
  const lines: string[] = [];
  const log = openLogger({ name: "t", level: "info", to: { write: (line) => void lines.push(line) } });
  await tellOfReranker(readConfig({ ...TOKEN, ...env }).config, log);
  return lines.join("");
}

it("says at the start that a reranker which is switched on is not there, and how it comes", async () => {
  const env = { CHEST_MODELS_DIR: await fixtureModels(), CHEST_RERANK_MODEL: "acme/none" };
  expect(await told(env)).toBe("");
  const line = JSON.parse(await told({ ...env, CHEST_RERANK_ENABLED: "1" }));
  expect(line).toMatchObject({ level: 40, model: "acme/none", hint: expect.stringContaining("--reranker") });
});

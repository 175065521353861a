import type { Env } from "@chest/runtime";
import { type LlmStandIn, openLlmStandIn } from "@chest/testing";
import { openSqliteApp, type SqliteApp } from "./sqlite-app.ts";

/** Opens a backend with a stand-in for a language model, whose replies a test sets. */
export async function openLlmApp(
  env: Env = {},
): Promise<{ server: LlmStandIn; backend: SqliteApp; close(): Promise<void> }> {
  const server = await openLlmStandIn();
  const backend = await openSqliteApp({
    ...{ CHEST_LLM_PROVIDER: "openai", CHEST_LLM_URL: server.url, CHEST_LLM_MODEL: "stand-in" },
    ...env,
  });
  return {
    server,
    backend,
    async close() {
      await backend.close();
      await server.close();
    },
  };
}

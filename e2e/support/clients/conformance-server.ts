import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { openPipeline } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { buildApp, readConfig } from "@chest/server";
import { testEngine, testPorts } from "@chest/testing";
import { freePort } from "../free-port.ts";
import { conformanceFixtures } from "./conformance-fixtures.ts";

const TOKEN = "the-token-of-the-conformance-suite-0000";

/**
 * Starts the real app with its `/mcp`: with the suite's fixtures for clients with sessions, and with Chest's tools for
 * requests without.
 */
export async function startConformanceServer(): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort();
  const { config } = readConfig({
    CHEST_API_TOKEN: TOKEN,
    CHEST_DATA_DIR: tmpdir(),
    CHEST_RATE_LIMIT: "0",
    // An origin must be listed, even one on this machine.
    CHEST_MCP_ORIGINS: `http://127.0.0.1:${port}`,
  });
  const engine = await testEngine();
  const ports = testPorts();
  const app = await buildApp({
    config,
    tools: TOOLS,
    engine,
    ports,
    deliveries: { ping: () => Promise.reject(new Error("the fixtures have no webhook")) },
    models: { list: async () => ({ can_run: false, models: [] }), fetch: async (model) => ({ model }) },
    // The fixtures use no tool of ours.
    pipeline: openPipeline([], engine, ports),
    log: { info: () => {}, error: () => {} },
    serverFor: conformanceFixtures,
    // A busy machine must not refuse the suite's requests.
    maxEventLoopDelayMs: 0,
  });
  // The suite cannot send a token.
  app.server.prependListener("request", ({ headers }: IncomingMessage) => {
    headers.authorization = `Bearer ${TOKEN}`;
  });
  await app.listen({ port, host: "127.0.0.1" });
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => app.close() };
}

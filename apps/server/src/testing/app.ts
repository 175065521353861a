import { tmpdir } from "node:os";
import { ChestError } from "@chest/contracts";
import type { Executor } from "@chest/core/executor";
import { TOOLS } from "@chest/core/tools";
import type { Env } from "@chest/runtime";
import { testEngine, testPorts } from "@chest/testing";
import { vi } from "vitest";
import { type AppParts, buildApp } from "../app.ts";
import { pipelineOver } from "../compose.ts";
import { readConfig } from "../config.ts";
import { openModelFiles } from "../model-files.ts";
import { openDeliveries } from "../webhooks/deliveries.ts";
import { TOKEN } from "./token.ts";

/** Builds the app over an engine in memory, and keeps its log. */
export async function openApp(
  env: Env = {},
  { executor, ...over }: Partial<AppParts> & { readonly executor?: Executor } = {},
) {
  const { config } = readConfig({ ...BY_WORDS, CHEST_DATA_DIR: tmpdir(), ...env });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const ports = { ...testPorts(), limits: config.limits, keepsGaps: config.keepsGaps };
  const engine = await testEngine({ clock: ports.clock });
  const pipeline = { ...pipelineOver(engine, ports, log), ...executor };
  const deliveries = openDeliveries({
    engine,
    clock: ports.clock,
    log,
    allowPrivate: config.allowsPrivate,
    keepsGaps: config.keepsGaps,
  });
  const models = openModelFiles(config, log);
  const parts = { engine, backups: NO_BACKUPS, ports, pipeline, tools: TOOLS, config, log, deliveries, models };
  const app = await buildApp({ ...parts, ...NEVER_BUSY, ...over });
  return { app, engine, executor: pipeline, log };
}

/** Embedding is off, so these tests find memories by words. */
export const BY_WORDS = { CHEST_API_TOKEN: TOKEN, CHEST_EMBED_MODEL: "none" };

/** The limit is off because a test machine may stall at any time; the limit has its own tests. */
export const NEVER_BUSY = { maxEventLoopDelayMs: 0 };

/** An engine in memory has no backups. */
const NO_BACKUPS = {
  list: async () => [],
  rotate: async () => [],
  make: async () => {
    throw new ChestError("UNAVAILABLE", "what is in memory alone has no backup");
  },
};

export const A_FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content: "deploys go through the blue cluster since the autumn outage",
};

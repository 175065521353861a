import { join } from "node:path";
import { parseArgs } from "node:util";
import { drain, openOutboxFolder } from "@chest/client";
import type { Env } from "@chest/runtime";
import { openCourier } from "./backend.ts";
import { readConfig } from "./config.ts";

const SILENT = { info: () => undefined, warn: () => undefined };
// The time limit is short because the command is done; undelivered writes stay queued.
const LIMIT_MS = 5_000;

/** Delivers queued writes to the backend that a command has just reached. @returns how many were delivered */
export async function deliverAfter(env: Env, words: readonly string[]): Promise<number> {
  const options = { "remote-url": { type: "string" }, "token-file": { type: "string" } } as const;
  const config = readConfig(
    env,
    parseArgs({ args: [...words], options, strict: false }).values as Record<string, string>,
  );
  if (!config.remote) return 0;
  const waiting = () => openOutboxFolder(join(config.dataDir, "outbox")).waiting();
  const before = (await waiting().catch(() => [])).length;
  if (before === 0) return 0;
  const courier = openCourier(config, config.remote);
  try {
    await drain({ ...courier, log: SILENT, skipped: new Set() }, AbortSignal.timeout(LIMIT_MS));
  } catch {
    return 0; // The command itself succeeded; `outbox list` shows the writes that are left.
  } finally {
    courier.close();
  }
  return Math.max(0, before - (await waiting()).length);
}

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Env, ensureFolder, onStopSignal, StartError } from "@chest/runtime";
import { openLogger } from "@chest/runtime/logger";
import { forgetAddress, noteAddress } from "@chest/runtime/noted-address";
import { readConfig } from "./config.ts";
import { welcome } from "./connections.ts";
import { exitUnstarted, outliveOutput, startServer } from "./start.ts";
import { tokenIn } from "./token-file.ts";

const PROGRAM = "chest";

outliveOutput();
try {
  const { env, tokenFile } = withDefaults(process.env);
  const { config, warnings } = readConfig(env);
  const log = openLogger({ name: PROGRAM, level: config.logLevel, to: 2 });
  for (const warning of warnings) log.warn({ warning }, "configuration");
  const { url, signInLink, stop } = await startServer(config, log, warnings);
  noteAddress(config.store.dataDir, url);
  onStopSignal(() => {
    forgetAddress(config.store.dataDir, url);
    return stop();
  });
  const client = fileURLToPath(new URL("../../mcp/dist/chest-memory.js", import.meta.url));
  // In a clone it may still be building at the first start.
  const isClone = existsSync(new URL("../../../deploy/local/run.mjs", import.meta.url));
  const connection = { url, tokenFile, client: isClone ? { node: process.execPath, file: client } : undefined };
  process.stdout.write(welcome(connection, config.store.dataDir, await signInLink()));
} catch (error) {
  exitUnstarted(PROGRAM, error);
}

/** For one machine: this machine only, a token of its own, and a quiet terminal. What is set stays. */
function withDefaults(given: Env): { readonly env: Env; readonly tokenFile: string | undefined } {
  const env = {
    ...given,
    CHEST_BIND_HOST: given.CHEST_BIND_HOST || "127.0.0.1",
    CHEST_LOG_LEVEL: given.CHEST_LOG_LEVEL || "warn",
  };
  if (given.CHEST_API_TOKEN) return { env, tokenFile: undefined };
  if (given.CHEST_API_TOKEN_FILE) return { env, tokenFile: given.CHEST_API_TOKEN_FILE };
  if (given.CHEST_DATABASE_URL)
    throw new StartError(
      "backends that share a database share a token, and CHEST_API_TOKEN is not set",
      "set CHEST_API_TOKEN to the same text of 32 characters or more on each of them",
    );
  // The rest of the configuration is checked before a folder is made.
  const { config } = readConfig({ ...env, CHEST_API_TOKEN: "-".repeat(64) });
  ensureFolder(config.store.dataDir);
  const { token, file } = tokenIn(config.store.dataDir);
  return { env: { ...env, CHEST_API_TOKEN: token }, tokenFile: file };
}

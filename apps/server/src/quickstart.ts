import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { localCaller, openSignInAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { type Env, ensureFolder, onStopSignal, StartError } from "@chest/runtime";
import { openLogger } from "@chest/runtime/logger";
import { readRunning } from "@chest/runtime/running-backend";
import { type Config, readConfig } from "./config.ts";
import { welcome } from "./connections.ts";
import { exitAfterFailedStart, ignoreOutputErrors, startServer } from "./start.ts";
import { tokenIn } from "./token-file.ts";

const PROGRAM = "chest";
const ANSWER_MS = 2_000;

ignoreOutputErrors();
try {
  const { env, tokenFile } = withDefaults(process.env);
  const { config, warnings } = readConfig(env);
  const log = openLogger({ name: PROGRAM, level: config.logLevel, to: 2 });
  for (const warning of warnings) log.warn({ warning }, "configuration");
  const running = await alreadyRunning(config, process.env);
  if (running) {
    const link = `${running}/#/sign-in?link=${(await linkBeside(config)).link}`;
    process.stdout.write(
      `the backend of this folder is running already: ${running}\nsigns a browser in, once:\n${link}\n`,
    );
    process.exit(0);
  }
  const { url, signInLink, stop } = await startServer(config, log, warnings);
  onStopSignal(stop);
  const client = fileURLToPath(new URL("../../mcp/dist/chest-memory.js", import.meta.url));
  // In a clone the client may still be building at the first start.
  const isClone = existsSync(new URL("../../../deploy/local/run.mjs", import.meta.url));
  const connection = { url, tokenFile, client: isClone ? { node: process.execPath, file: client } : undefined };
  process.stdout.write(welcome(connection, config.store.dataDir, await signInLink()));
} catch (error) {
  exitAfterFailedStart(PROGRAM, error);
}

/** Address of a backend that already answers on the same data folder, unless another port is requested. */
async function alreadyRunning({ store, http }: Config, env: Env): Promise<string | undefined> {
  const running = readRunning(store.dataDir);
  if (!running || store.database || running.db_path !== store.dbPath) return undefined;
  if (env.CHEST_PORT && new URL(running.url).port !== String(http.port)) return undefined;
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(`${running.url}/healthz`, { signal }).catch(() => undefined);
  return answer?.ok ? running.url : undefined;
}

/** Makes a sign-in link, beside the backend that has the store open. */
async function linkBeside({ store }: Config) {
  const { openSqliteEngine } = await import("@chest/store-sqlite");
  const engine = await openSqliteEngine({ path: store.dbPath, backupDir: store.backupDir });
  try {
    return await openSignInAdmin(engine.access, localCaller(undefined), systemClock).createLink({});
  } finally {
    await engine.close();
  }
}

/** Sets defaults for use on one machine: local address, generated token, few log lines. Variables that are set win. */
function withDefaults(baseEnv: Env): { readonly env: Env; readonly tokenFile: string | undefined } {
  const env = {
    ...baseEnv,
    CHEST_BIND_HOST: baseEnv.CHEST_BIND_HOST || "127.0.0.1",
    CHEST_LOG_LEVEL: baseEnv.CHEST_LOG_LEVEL || "warn",
  };
  if (baseEnv.CHEST_API_TOKEN) return { env, tokenFile: undefined };
  if (baseEnv.CHEST_API_TOKEN_FILE) return { env, tokenFile: baseEnv.CHEST_API_TOKEN_FILE };
  if (baseEnv.CHEST_DATABASE_URL)
    throw new StartError(
      "backends that share a database share a token, and CHEST_API_TOKEN is not set",
      "set CHEST_API_TOKEN to the same text of 32 characters or more on each of them",
    );
  // The other variables are checked before a folder is created.
  const { config } = readConfig({ ...env, CHEST_API_TOKEN: "-".repeat(64) });
  ensureFolder(config.store.dataDir);
  const { token, file } = tokenIn(config.store.dataDir);
  return { env: { ...env, CHEST_API_TOKEN: token }, tokenFile: file };
}

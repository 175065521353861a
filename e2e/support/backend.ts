import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import {
  CHEST_SERVER,
  cleanEnv,
  HEAP_FLAGS,
  NODE_24,
  ROOT,
  type RunningProgram,
  startProgram,
  waitUntilReady,
} from "./process.ts";

export interface Backend {
  /** Address `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Returns the log so far. */
  log(): string;
  /** Shuts the backend down, and removes the data folder if this call created it. */
  stop(): Promise<void>;
  /** Kills the backend like a power cut; the data folder stays for the next one. */
  kill9(): Promise<void>;
}

export interface BackendOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Existing data folder; without it the backend gets a new one, which `stop` deletes. */
  readonly dataDir?: string;
  readonly token?: string;
  /** Port to listen on, when clients know it already. */
  readonly port?: number;
  /** Runs the sources instead of the bundle. */
  readonly isFromSource?: boolean;
  /** Backend of another installation: its Node with flags, and its file. */
  readonly program?: Program;
  /** Pause between two checks of whether it is ready. */
  readonly pollMs?: number;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export interface FailedStart {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Starts the real backend as a process on a free port of 127.0.0.1, and waits until it is ready. */
export async function startBackend(options: BackendOptions = {}): Promise<Backend> {
  const { env = {}, dataDir, token = aToken(), isFromSource = false, pollMs } = options;
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "chest-e2e-")));
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const own = options.program ?? programOf(isFromSource ? SOURCE : CHEST_SERVER);
  const program = startOn(folder, port, { CHEST_API_TOKEN: token, ...env }, own);
  await waitUntilReady(program, () => answers(`${url}/healthz`), { pollMs });

  return {
    url,
    token,
    dataDir: folder,
    process: program.process,
    log: program.output,
    async stop() {
      await program.end("SIGTERM");
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
    kill9: () => program.end("SIGKILL"),
  };
}

/** Starts the backend on a folder that it should refuse, and waits for its end. */
export async function failToStart(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<FailedStart> {
  const program = startOn(dataDir, await freePort(), { CHEST_API_TOKEN: aToken(), ...env });
  const patience = setTimeout(() => program.process.kill("SIGKILL"), 60_000);
  await once(program.process, "close");
  clearTimeout(patience);
  return { exitCode: program.process.exitCode, output: program.output() };
}

const SOURCE = join(ROOT, "apps/server/src/main.ts");

const programOf = (file: string): Program => ({ command: NODE_24, args: [...HEAP_FLAGS, file] });

function startOn(
  dataDir: string,
  port: number,
  env: NodeJS.ProcessEnv,
  { command, args } = programOf(CHEST_SERVER),
): RunningProgram {
  const own = {
    CHEST_PORT: String(port),
    CHEST_BIND_HOST: "127.0.0.1",
    CHEST_DATA_DIR: dataDir,
    CHEST_DB_PATH: join(dataDir, "chest.db"),
    // Most tests are about words; tests about meaning name an embedding model.
    CHEST_EMBED_MODEL: "none",
  };
  return startProgram(command, args, cleanEnv({ ...own, ...env }));
}

function aToken(): string {
  return `cht_${randomBytes(24).toString("hex")}`;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // The backend is not listening yet.
  }
}

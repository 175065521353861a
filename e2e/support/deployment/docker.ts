import { type ExecFileException, execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnv, ROOT } from "../process.ts";
import { hasProgram } from "../requirements.ts";

/** For `describe.skipIf(!hasDocker)`. */
export const hasDocker = hasProgram("docker");

/** For the title of what is skipped. */
export const unlessDocker = hasDocker ? "" : " (skipped: `docker info` or `docker compose version` does not work here)";

const COMPOSE_FOLDER = join(ROOT, "deploy/docker");

export interface Ended {
  readonly code: number;
  /** Output on both streams. */
  readonly output: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs `docker` to its end; its code is for the caller to judge. */
export function tryDocker(args: readonly string[], { env = {}, input }: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) => {
      if (error && typeof error.code !== "number") return reject(error);
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` });
    };
    const options = { cwd: COMPOSE_FOLDER, env: cleanEnv({ ...buildNetwork(), ...env }), maxBuffer: 64 * 1024 * 1024 };
    const child = execFile("docker", args, options, ended);
    // A program that reads no input may be gone before it is written.
    child.stdin?.on("error", () => {}).end(input ?? "");
  });
}

/** Runs `docker` and returns its output; throws with it on failure. */
export async function docker(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await tryDocker(args, options);
  if (code !== 0) throw new Error(`docker ${args.join(" ")}: exit ${code}\n${output}`);
  return output.trim();
}

// A setting of the machine, not of Chest: a build behind some proxies needs the host's network.
function buildNetwork(): Record<string, string> {
  const { CHEST_BUILD_NETWORK } = process.env;
  return CHEST_BUILD_NETWORK === undefined ? {} : { CHEST_BUILD_NETWORK };
}

interface StackOptions {
  /** Also the prefix of its containers' names. */
  readonly project: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The compose files as they are in `deploy/docker`, under a name of their own and with an environment of their own. */
export class Stack {
  readonly #options: StackOptions;

  constructor(options: StackOptions) {
    this.#options = options;
  }

  /** The same stack with other values in its environment. */
  with(env: Readonly<Record<string, string>>): Stack {
    return new Stack({ ...this.#options, env: { ...this.#options.env, ...env } });
  }

  try(...words: readonly string[]): Promise<Ended> {
    const { project, files, env } = this.#options;
    // A developer's own `.env` or override must not count in a test.
    const which = ["--env-file", "/dev/null", "--project-name", project, ...files.flatMap((file) => ["--file", file])];
    return tryDocker(["compose", "--ansi", "never", "--progress", "plain", ...which, ...words], { env });
  }

  async run(...words: readonly string[]): Promise<string> {
    const { code, output } = await this.try(...words);
    if (code !== 0) throw new Error(`docker compose ${words.join(" ")}: exit ${code}\n${output}`);
    return output.trim();
  }

  logs(): Promise<string> {
    return this.run("logs", "--no-color");
  }

  /** Ends its containers and forgets its data. */
  async remove(): Promise<void> {
    await this.run("down", "--volumes", "--remove-orphans", "--timeout", "10");
  }
}

/** Asks until `/healthz` answers, and fails with what the stack has logged. Gives the milliseconds it took. */
export async function untilHealthy(stack: Stack, url: string, timeoutMs = 60_000): Promise<number> {
  const startedAt = performance.now();
  while (!(await answers(`${url}/healthz`))) {
    if (performance.now() - startedAt > timeoutMs) {
      throw new Error(`${url} is not healthy after ${timeoutMs} ms:\n${await stack.logs()}`);
    }
    await sleep(10);
  }
  return performance.now() - startedAt;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), headers: { connection: "close" } });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // Not there yet.
  }
}

/** One value of what the engine knows about a container or an image, by a Go template. */
export function inspect(name: string, template: string): Promise<string> {
  return docker(["inspect", "--format", template, name]);
}

/** Milliseconds from the moment the engine started the container until now. */
export async function sinceStarted(container: string): Promise<number> {
  return Date.now() - Date.parse(await inspect(container, "{{.State.StartedAt}}"));
}

export const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);

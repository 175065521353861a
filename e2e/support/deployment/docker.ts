import { type ExecFileException, execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnv, ROOT } from "../process.ts";
import { hasProgram } from "../requirements.ts";

/** For `describe.skipIf(!hasDocker)`. */
export const hasDocker = hasProgram("docker");

/** Note for the title of skipped tests. */
export const unlessDocker = hasDocker ? "" : " (skipped: `docker info` or `docker compose version` does not work here)";

const COMPOSE_FOLDER = join(ROOT, "deploy/docker");

export interface ProgramResult {
  readonly code: number;
  /** Output on both streams. */
  readonly output: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs `docker` to its end; the caller judges the exit code. */
export function tryDocker(args: readonly string[], { env = {}, input }: RunOptions = {}): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const ended = (error: ExecFileException | null, stdout: string, stderr: string) => {
      if (error && typeof error.code !== "number") return reject(error);
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` });
    };
    const options = { cwd: COMPOSE_FOLDER, env: cleanEnv({ ...buildNetwork(), ...env }), maxBuffer: 64 * 1024 * 1024 };
    const child = execFile("docker", args, options, ended);
    // A program that reads no input may end before the input is written.
    child.stdin?.on("error", () => {}).end(input ?? "");
  });
}

/** Runs `docker` and returns its output; throws on failure. */
export async function docker(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await tryDocker(args, options);
  if (code !== 0) throw new Error(`docker ${args.join(" ")}: exit ${code}\n${output}`);
  return output.trim();
}

// This setting belongs to the machine: behind some proxies a build needs the host's network.
function buildNetwork(): Record<string, string> {
  const { CHEST_BUILD_NETWORK } = process.env;
  return CHEST_BUILD_NETWORK === undefined ? {} : { CHEST_BUILD_NETWORK };
}

interface StackOptions {
  /** Project name, which is also the prefix of the containers' names. */
  readonly project: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The compose files of `deploy/docker`, under a separate project name and with a separate environment. */
export class Stack {
  readonly #options: StackOptions;

  constructor(options: StackOptions) {
    this.#options = options;
  }

  /** Returns the same stack with other environment variables. */
  with(env: Readonly<Record<string, string>>): Stack {
    return new Stack({ ...this.#options, env: { ...this.#options.env, ...env } });
  }

  try(...words: readonly string[]): Promise<ProgramResult> {
    const { project, files, env } = this.#options;
    // A developer's own `.env` or override file must not affect a test.
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

  /** Removes its containers and their data. */
  async remove(): Promise<void> {
    await this.run("down", "--volumes", "--remove-orphans", "--timeout", "10");
  }
}

/** Waits until `/healthz` answers, and fails with the stack's log. @returns the milliseconds it took. */
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
    return false; // The server is not ready yet.
  }
}

/** Reads one value that docker knows about a container or an image, by a Go template. */
export function inspect(name: string, template: string): Promise<string> {
  return docker(["inspect", "--format", template, name]);
}

/** Milliseconds since docker started the container. */
export async function sinceStarted(container: string): Promise<number> {
  return Date.now() - Date.parse(await inspect(container, "{{.State.StartedAt}}"));
}

export const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);

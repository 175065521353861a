import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "../backend.ts";
import { type ProgramResult, runCli } from "../clients/cli.ts";
import { restDoor } from "../clients/doors.ts";
import { freePort } from "../free-port.ts";
import { CHEST_INDEX, cleanEnv, NODE_24 } from "../process.ts";
import { canMount } from "./disk.ts";
import { DoctorTally, type Finding } from "./doctor-tally.ts";

const run = promisify(execFile);

export const TOKEN = `cht_${"d".repeat(40)}`;

/** Checks of `doctor server`, by the test file in `e2e/deployment/doctor` that makes them fail. */
const CHECKS = {
  container: [
    ...["docker.daemon", "docker.container", "docker.health"],
    ...["compose.override", "compose.deploy_files", "env.mode"],
  ],
  network: [
    ...["env.token", "network.health", "network.capabilities", "url"],
    ...["config", "version", "clock", "tls", "proxy"],
  ],
  store: [
    ...["db.exists", "db.integrity", "db.journal_mode", "db.tables", "db.writable"],
    ...["schema", "permissions", "wal", "text", "backup", ...(canMount ? ["disk"] : [])],
  ],
  maintenance: ["vectors", "embedder", "identity", "maintenance", "tokens"],
  // Unit tests in apps/cli/src/doctor/server cover these checks: a network disk, webhooks, sign-in, the language model.
  elsewhere: ["db.schema", "volume", "llm", "webhooks", "oauth", "sso", ...(canMount ? [] : ["disk"])],
} as const;
/** Checks of a database server are tested in apps/cli/src/doctor/server/database-server.test.ts. */
const OF_POSTGRES = "server.postgres.";

const tally = new DoctorTally();

export interface Report {
  readonly exitCode: number | null;
  readonly results: readonly Finding[];
  find(id: string): Finding;
  /** Lists findings other than `ok` and `skip`. */
  amiss(): readonly Finding[];
}

/**
 * A server's data folder, its backend once started, and a doctor that examines both. A fix is run as written, with
 * `chest-index` on the path; stand-ins for commands that would change this machine record their arguments.
 */
export class DoctoredServer {
  readonly root: string;
  readonly port: number;
  dir: string;
  #backend: Backend | undefined;

  private constructor(root: string, port: number) {
    this.root = root;
    this.port = port;
    this.dir = join(root, "data");
    mkdirSync(join(root, "bin"));
    this.program("chest-index", `exec '${NODE_24}' '${CHEST_INDEX}' "$@"`);
    this.program("docker", "exit 1");
    this.program("sudo", 'exec "$@"');
    const recordFile = join(root, "asked");
    this.program("systemctl", `[ "$1" = cat ] && exec test -e '${this.unit}'; echo "systemctl $*" >>'${recordFile}'`);
    this.program("npm", `echo "npm $*" >>'${recordFile}'`);
    writeFileSync(this.unit, "");
  }

  static async make(): Promise<DoctoredServer> {
    return new DoctoredServer(mkdtempSync(join(tmpdir(), "chest-doctor-")), await freePort());
  }

  /** Unit file that systemd has for the server. */
  get unit(): string {
    return join(this.root, "chest.service");
  }

  get store(): string {
    return join(this.dir, "chest.db");
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Puts a program on the path of the doctor and of the fixes. */
  program(name: string, script: string): void {
    writeFileSync(join(this.root, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  async start(env: NodeJS.ProcessEnv = {}, token = TOKEN): Promise<void> {
    this.#backend = await startBackend({ dataDir: this.dir, token, port: this.port, env });
  }

  async stop(): Promise<void> {
    await this.#backend?.stop();
    this.#backend = undefined;
  }

  async doctor(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Report> {
    const { exitCode, stdout } = await this.cli(["doctor", "server", "--json", "--timeout", "60", ...args], env);
    const { results, exit_code } = JSON.parse(stdout) as { results: Finding[]; exit_code: number };
    expect(exit_code).toBe(exitCode);
    tally.count(results);
    return {
      exitCode,
      results,
      find: (id) => results.find((finding) => finding.id === id) ?? expect.fail(`no ${id}`),
      amiss: () => results.filter(({ status }) => status === "warn" || status === "fail"),
    };
  }

  cli(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramResult> {
    return runCli(words, this.#environment(env));
  }

  /** Runs the command that a finding names. */
  apply({ fix_hint }: Finding, env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<{ readonly stdout: string }> {
    return run("sh", ["-ec", fix_hint], { env: this.#environment(env), cwd });
  }

  /** Reads the recorded commands that would have changed the machine. */
  machineCommands(): string {
    return readFileSync(join(this.root, "asked"), "utf8").trim();
  }

  forgetMachineCommands(): void {
    rmSync(join(this.root, "asked"), { force: true });
  }

  remember(content: string): Promise<void> {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content };
    return vi.waitFor(
      async () => expect((await restDoor(this.#running()).call("chest_remember", fact)).error).toBeUndefined(),
      { timeout: 30_000, interval: 500 },
    );
  }

  /** Makes a backup. @returns its file */
  async backup(): Promise<string> {
    return (JSON.parse((await this.cli(["backup", "--json"])).stdout) as { file: string }).file;
  }

  async remove(): Promise<void> {
    await this.#backend?.kill9();
    this.#backend = undefined;
    if (existsSync(this.root)) rmSync(this.root, { recursive: true });
  }

  #running(): Backend {
    return this.#backend ?? expect.fail("the backend is not started");
  }

  #environment(over: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return cleanEnv({
      PATH: `${join(this.root, "bin")}:${process.env.PATH}`,
      CHEST_DATA_DIR: this.dir,
      CHEST_PORT: String(this.port),
      CHEST_API_TOKEN: TOKEN,
      ...over,
    });
  }
}

interface Held {
  readonly server: DoctoredServer;
}

/** Makes a server for each test, not started yet. */
export function freshServer(): Held {
  const held = {} as { server: DoctoredServer };
  beforeEach(async () => {
    held.server = await DoctoredServer.make();
  });
  afterEach(() => held.server.remove());
  return held;
}

/** Makes one running server for all tests of the file or block, none of which changes it. */
export function sharedServer(env: NodeJS.ProcessEnv = {}): Held {
  const held = {} as { server: DoctoredServer };
  beforeAll(async () => {
    held.server = await DoctoredServer.make();
    await held.server.start(env);
  });
  beforeEach(() => held.server.forgetMachineCommands());
  afterAll(() => held.server.remove());
  return held;
}

/**
 * Adds the last test of a file: every check assigned to the file was tried, and every reported check is assigned to a
 * file.
 */
export function testsEveryCheckOf(group: Exclude<keyof typeof CHECKS, "elsewhere">): void {
  const ids = (group: keyof typeof CHECKS) => CHECKS[group].map((name) => `server.${name}`);
  it(`has every check of the ${group} broken, seen to complain, and mended by the tests above`, () => {
    tally.expectTried(ids(group));
    const assigned = (Object.keys(CHECKS) as (keyof typeof CHECKS)[]).flatMap(ids);
    expect(tally.known.filter((id) => !assigned.includes(id) && !id.startsWith(OF_POSTGRES))).toEqual([]);
  });
}

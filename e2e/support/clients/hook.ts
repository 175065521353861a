import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { cleanEnv, NODE_24, ROOT } from "../process.ts";

/** Hook program as shipped. */
export const HOOK_PROGRAM = join(ROOT, "apps/mcp/dist/chest-hook.mjs");

export interface Hooked {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Text that the agent reads; undefined when the hook printed nothing. */
  readonly context: string | undefined;
}

/** A machine with an agent: a data folder with the hook program, transcripts, and a working folder. */
export class AgentMachine {
  readonly root = mkdtempSync(join(tmpdir(), "chest-agent-"));
  readonly dataDir = join(this.root, "chest");
  readonly cwd = join(this.root, "acme");
  readonly #claude = join(this.root, "claude");
  env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}, program = HOOK_PROGRAM) {
    this.env = env;
    mkdirSync(join(this.dataDir, "bin"), { recursive: true, mode: 0o700 });
    mkdirSync(join(this.#claude, "projects", "acme"), { recursive: true });
    mkdirSync(join(this.cwd, ".git"), { recursive: true });
    writeFileSync(join(this.cwd, ".git", "config"), '[remote "origin"]\n\turl = https://git.example/acme/acme.git\n');
    copyFileSync(program, this.program);
    const table = join(dirname(program), "terms.table");
    if (existsSync(table)) copyFileSync(table, join(dirname(this.program), "terms.table"));
  }

  get program(): string {
    return join(this.dataDir, "bin", "chest-hook.mjs");
  }

  transcript = (session: string): string => join(this.#claude, "projects", "acme", `${session}.jsonl`);

  /** Plays one event, like the agent's host. */
  async hook(event: string, input: object | string): Promise<Hooked> {
    const env = cleanEnv({ HOME: this.root, CLAUDE_CONFIG_DIR: this.#claude, ...this.env });
    const startedAt = performance.now();
    const child = spawn(NODE_24, [this.program, event], { cwd: this.cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {});
    child.stdin.end(typeof input === "string" ? input : JSON.stringify({ cwd: this.cwd, ...input }));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    const ms = performance.now() - startedAt;
    const printed = stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput;
    return { exitCode: child.exitCode, stdout, stderr, ms, context: printed?.additionalContext };
  }

  /** Reads the hook log without times. */
  log(): string[] {
    return this.#logged().map((line) => line.replace(/^\S+ /, "").replace(/ ms=\d+/, ""));
  }

  /** Durations of the runs in milliseconds, as logged. */
  took(): number[] {
    return this.#logged().map((line) => Number(/ ms=(\d+)/.exec(line)?.[1]));
  }

  #logged(): string[] {
    const file = join(this.dataDir, "hook.log");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  /** Lists sessions with undelivered events. */
  waiting(): string[] {
    const folder = join(this.dataDir, "outbox", "sessions");
    return existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/\.json$/, "")) : [];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramResult, runProgram } from "../clients/cli.ts";
import { cleanEnv, NODE_24, ROOT } from "../process.ts";

/** The built release in a separate folder, as a package manager installs it. */
export interface Installation {
  /** Paths of its programs. */
  readonly dist: string;
  remove(): Promise<void>;
}

export async function install(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "chest-installed-"));
  const dist = join(folder, "dist");
  await cp(join(ROOT, "apps/mcp/dist"), dist, { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return { dist, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Empty home of a developer, with Node on the path and no variable of this machine. */
export class Home {
  readonly root: string;
  readonly dir: string;
  readonly bin: string;
  readonly #dist: string;

  private constructor(root: string, dist: string, name: string) {
    this.root = root;
    this.dir = join(root, name);
    this.bin = join(root, "bin");
    this.#dist = dist;
  }

  static async make({ dist }: Installation, name = "home"): Promise<Home> {
    const home = new Home(await mkdtemp(join(tmpdir(), "chest-home-")), dist, name);
    await Promise.all([mkdir(home.dir), mkdir(home.bin)]);
    await symlink(NODE_24, join(home.bin, "node"));
    await home.program("chest-index", `#!/bin/sh\nexec '${NODE_24}' '${dist}/chest-index.js' "$@"\n`);
    return home;
  }

  get env(): NodeJS.ProcessEnv {
    const unset = { CLAUDE_CONFIG_DIR: undefined, XDG_CONFIG_HOME: undefined, CODEX_HOME: undefined };
    return { ...cleanEnv({ HOME: this.dir, PATH: `${this.bin}:/usr/bin:/bin` }), ...unset };
  }

  /** Puts a program on the path. */
  program(name: string, text: string): Promise<void> {
    return writeFile(join(this.bin, name), text, { mode: 0o755 });
  }

  /** Runs `chest-index`. */
  index(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramResult> {
    return runProgram([join(this.#dist, "chest-index.js"), ...args], { ...this.env, ...env }, this.dir);
  }

  path(...parts: readonly string[]): string {
    return join(this.dir, ...parts);
  }

  text(...parts: readonly string[]): Promise<string> {
    return readFile(this.path(...parts), "utf8");
  }

  async json(...parts: readonly string[]) {
    return JSON.parse(await this.text(...parts));
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(join(this.path(file), ".."), { recursive: true });
    await writeFile(this.path(file), text);
  }

  /**
   * Reads every file that setup may have written: its mode, its inode (a replaced file has another) and its content.
   */
  async files(): Promise<Record<string, { readonly mode: string; readonly ino: number; readonly text: string }>> {
    const entries = await readdir(this.dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const states = await Promise.all(
      files.map(async (file) => {
        const { mode, ino } = await stat(file);
        const text = await readFile(file, "latin1");
        return [file.slice(this.dir.length + 1), { mode: (mode & 0o777).toString(8), ino, text }] as const;
      }),
    );
    return Object.fromEntries(states.filter(([name]) => !RUNNING.test(name)));
  }

  /** Saves a copy of the home. @returns a function that restores it */
  async keep(): Promise<() => Promise<void>> {
    const copy = `${this.root}${COPY}`;
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    await cp(this.root, copy, options);
    return async () => {
      await rm(this.root, { recursive: true });
      await cp(copy, this.root, options);
    };
  }

  async remove(): Promise<void> {
    // A process that an agent started may still write there for a moment.
    for (const folder of [this.root, `${this.root}${COPY}`])
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

const COPY = "-kept";

/** Files that running programs leave behind. */
const RUNNING = /^\.chest-memory\/(compiled|machine-id|chest\.db|outbox|hook\.log)/;

/**
 * Stand-in for `claude`: records its arguments, and changes the settings of the user or the folder like the real
 * program.
 */
export async function fakeClaude(home: Home, { version = "2.1.200", isBroken = false } = {}) {
  const log = join(home.root, "claude.log");
  await home.program(
    "claude",
    `#!${NODE_24}
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
if (words[0] === "--version") { console.log("${version} (Claude Code)"); process.exit(0); }
appendFileSync(${JSON.stringify(log)}, JSON.stringify(words) + "\\n");
if (${isBroken}) { console.error("please log in"); process.exit(1); }
const [, verb, ...rest] = words;
const env = {};
let scope = "local";
while (rest[0]?.startsWith("--") && rest[0] !== "--") {
  const flag = rest.shift();
  if (flag === "--scope") scope = rest.shift();
  if (flag === "--env") while (rest[0] && !rest[0].startsWith("--")) { const [k, ...v] = rest.shift().split("="); env[k] = v.join("="); }
}
const name = rest.shift();
const file = { user: process.env.HOME + "/.claude.json", project: process.cwd() + "/.mcp.json" }[scope];
if (!name || !file) { console.error("no name"); process.exit(1); }
let settings = {};
try { settings = JSON.parse(readFileSync(file, "utf8")); } catch {}
settings.mcpServers ??= {};
if (verb === "remove" && !settings.mcpServers[name]) { console.error("no such server"); process.exit(1); }
if (verb === "remove") delete settings.mcpServers[name];
if (verb === "add") { rest.shift(); settings.mcpServers[name] = { type: "stdio", command: rest[0], args: rest.slice(1), env }; }
writeFileSync(file, JSON.stringify(settings, null, 2));
`,
  );
  return {
    /** Returns the recorded arguments. */
    async words(): Promise<string[][]> {
      if (!existsSync(log)) return [];
      return (await readFile(log, "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
  };
}

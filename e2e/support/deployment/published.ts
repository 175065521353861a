import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { cleanEnv, NODE_24, ROOT } from "../process.ts";

const run = promisify(execFile);

/** Packs `chest-memory` into a folder, like the release. @returns the path of the tarball. */
export async function packPublished(into: string): Promise<string> {
  const { PNPM, pnpmEnvironment } = await import(join(ROOT, "deploy/local/registry.mjs"));
  const args = ["--yes", "--prefer-offline", PNPM, "--filter", "chest-memory", "pack", "--pack-destination", into];
  await run("npx", args, { cwd: ROOT, env: await pnpmEnvironment() });
  const tarball = (await readdir(into)).find((name) => name.endsWith(".tgz"));
  if (!tarball) throw new Error(`nothing was packed into ${into}`);
  return join(into, tarball);
}

/** Lists the files of a tarball by their paths inside the package. */
export async function filesIn(tarball: string): Promise<string[]> {
  const { stdout } = await run("tar", ["-tzf", tarball]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/^package\//, ""));
}

/** New folder in which a user has installed the package, and from which its programs are started. */
export class Installed {
  readonly dir: string;
  readonly #nodeFolder: string;

  constructor(dir: string, node = NODE_24) {
    this.dir = dir;
    this.#nodeFolder = dirname(node);
  }

  /** Returns the same installation under another Node. */
  under(node: string): Installed {
    return new Installed(this.dir, node);
  }

  /** Environment without variables of this machine, except the path of programs. */
  env(home: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const PATH = [this.#nodeFolder, process.env.PATH].join(delimiter);
    // The program chooses the folder of compiled code itself.
    const own = { PATH, HOME: home, NODE_COMPILE_CACHE: undefined, npm_config_update_notifier: "false" };
    return { ...emptied(cleanEnv({})), ...own, ...extra };
  }

  /**
   * Runs a program of the package through npx, which passes all options on. @returns its output, whatever its exit
   * code.
   */
  run(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      execFile("npx", ["--no", "--", name, ...args], { cwd: this.dir, env }, (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output: `${stdout}${stderr}` }),
      );
    });
  }
}

/** Installs a tarball with npm into an empty folder. */
export async function installPublished(tarball: string, dir: string, ...flags: string[]): Promise<Installed> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "package.json"), "{}");
  // Uses the developer's npm settings, which name the registry.
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--no-update-notifier", ...flags, tarball];
  await run("npm", args, { cwd: dir, env: cleanEnv({ PATH: [dirname(NODE_24), process.env.PATH].join(delimiter) }) });
  return new Installed(dir);
}

/** Environment in which npx has a folder of its own for what it runs, and what this machine has fetched. */
export async function npxEnvironment(cache: string): Promise<NodeJS.ProcessEnv> {
  const PATH = [dirname(NODE_24), process.env.PATH].join(delimiter);
  const setting = async (name: string) =>
    (await run("npm", ["config", "get", name], { cwd: tmpdir(), env: cleanEnv({ PATH }) })).stdout.trim();
  const [fetched, npm_config_registry] = await Promise.all(["cache", "registry"].map(setting));
  await mkdir(cache, { recursive: true });
  if (fetched) await symlink(join(fetched, "_cacache"), join(cache, "_cacache"));
  const own = { npm_config_cache: cache, npm_config_registry, npm_config_prefer_offline: "true" };
  return { ...emptied(cleanEnv({})), ...own, PATH, NODE_COMPILE_CACHE: undefined, npm_config_update_notifier: "false" };
}

const FETCHED = join(ROOT, "node_modules/.chest/other-nodes");

/** Finds a Node of this major version: the machine's own, or one that is downloaded once from npm. */
export async function findNode(major: number): Promise<string> {
  for (const folder of new Set((process.env.PATH ?? "").split(delimiter))) {
    const node = join(folder, "node");
    if (await isNode(major, node)) return realpath(node);
  }
  const cachedNode = join(FETCHED, String(major), "node");
  if (await isNode(major, cachedNode)) return cachedNode;
  const draft = await mkdtemp(join(tmpdir(), `chest-node-${major}-`));
  const name = `node-${process.platform}-${process.arch}`;
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--prefix", draft, `${name}@${major}`];
  await run("npm", args, { cwd: draft, env: cleanEnv({}) });
  await mkdir(dirname(cachedNode), { recursive: true });
  // Renamed in one step, because another test file may look for it at the same time.
  await copyFile(join(draft, "node_modules", name, "bin/node"), `${cachedNode}.${process.pid}`);
  await rename(`${cachedNode}.${process.pid}`, cachedNode);
  await rm(draft, { recursive: true, force: true });
  if (!(await isNode(major, cachedNode))) throw new Error(`npm's \`${name}@${major}\` is no Node ${major}`);
  return cachedNode;
}

const isNode = async (major: number, node: string): Promise<boolean> =>
  run(node, ["--version"]).then(
    ({ stdout }) => stdout.startsWith(`v${major}.`),
    () => false,
  );

/** Removes the variables that npm and pnpm pass to the programs they run. */
const emptied = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(npm_|pnpm_|NODE_|XDG_)/i.test(name)));

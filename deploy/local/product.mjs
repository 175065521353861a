import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitCodeOf, Interrupted, runChild } from "./child.mjs";
import { ALL_KINDS } from "./fetch/lockfile.mjs";
import { openNpm } from "./fetch/npm.mjs";
import { packagesOf } from "./fetch/packages.mjs";
import { BESIDE_DIR, BUILD_DIR, isNodeNewEnough, NODE_24, ROOT } from "./paths.mjs";
import { counter, packageCounter, runPnpm } from "./pnpm.mjs";
import { PNPM, pnpmEnvironment } from "./registry.mjs";
import { pageInputs, productInputs } from "./stamps.mjs";

const WORKSPACE = join(BUILD_DIR, "workspace");
const PNPM_DIR = join(BUILD_DIR, "pnpm");
const PNPM_FILE = join(PNPM_DIR, "node_modules/.bin/pnpm");
const NODE_DIR = join(BUILD_DIR, "node");
const NATIVE = "better-sqlite3";
/** Store and caches of the package managers in the folder that goes. */
const INSIDE = {
  npm_config_cache: join(BUILD_DIR, "npm"),
  pnpm_config_store_dir: join(BUILD_DIR, "store"),
  pnpm_config_cache_dir: join(BUILD_DIR, "cache"),
  // The developers' installation checks it, with a question to the registry for each package.
  pnpm_config_trust_lockfile: "true",
};
const DONE = { code: 0, signal: null, output: "" };

// The two halves of the product: what `npm start` runs, and what runs beside an agent. `needs`: members whose packages a
// build takes, which for a program in the browser or for agents are listed for development.
const BACKEND = {
  config: "backend",
  dist: "apps/server/dist",
  files: ["quickstart.js", "chest-server.js"],
  needs: { "deploy/bundle": { names: ["tsdown"] }, "apps/server": {} },
};
const CLIENTS = {
  config: "clients",
  dist: "apps/mcp/dist",
  files: ["chest-memory.js", "chest-index.js"],
  needs: { "deploy/bundle": {}, "apps/mcp": { kinds: ALL_KINDS }, "packages/testing": { names: [] } },
};
const PAGE = {
  dist: "apps/web/dist",
  files: ["index.html", "chat-view.html"],
  needs: { "apps/web": { kinds: ALL_KINDS } },
};

const filesOf = ({ dist, files }) => files.map((file) => join(ROOT, dist, file));
export const backendFiles = () => filesOf(BACKEND);
export const clientFiles = () => filesOf(CLIENTS);
export const pageFiles = () => filesOf(PAGE);
/** Files that the bundles need where no developers' packages are installed. */
export const filesBeside = () => [join(BESIDE_DIR, NATIVE, "package.json"), NODE_24];

/** Puts a Node at the path by which services and clients start it. */
export function linkNode(installed) {
  mkdirSync(dirname(NODE_24), { recursive: true });
  const draft = `${NODE_24}.${process.pid}`;
  // On Windows only an administrator may make links.
  if (process.platform === "win32") copyFileSync(installed, draft);
  else symlinkSync(installed, draft);
  renameSync(draft, NODE_24);
}

/** Bundled with the packages of developers. */
export const buildBackend = () => bundle(BACKEND, ROOT);
export const buildClients = () => bundle(CLIENTS, ROOT);
export const buildPage = () => buildPageIn(ROOT);

/**
 * Bundled in a folder of its own: what is needed for that is fetched into it, and goes with it.
 */
export async function makeBackend(progress) {
  const ended = await Promise.all([fetchFor(BACKEND, progress), isNodeNewEnough ? DONE : fetchNode(progress)]);
  return ended.find(hasFailed) ?? make(BACKEND, progress, "building the backend", keepNative);
}

/** After the backend, whose threads they contain. */
export async function makeClients(progress) {
  const fetched = await fetchFor(CLIENTS, progress);
  if (hasFailed(fetched)) return fetched;
  const threads = join(WORKSPACE, BACKEND.dist);
  if (!existsSync(threads)) symlinkSync(join(ROOT, BACKEND.dist), threads, "junction");
  return make(CLIENTS, progress, "building the clients");
}

/** The page that the backend serves to browsers. */
export async function makePage(progress) {
  const fetched = await fetchFor(PAGE, progress);
  return hasFailed(fetched) ? fetched : make(PAGE, progress, "building the page");
}

async function make(part, progress, says, keepMore = () => {}) {
  progress.tell(says);
  const ended = await (part === PAGE ? buildPageIn(WORKSPACE, { isPatient: true }) : bundle(part, WORKSPACE));
  if (hasFailed(ended)) return ended;
  keepMore();
  replace(join(ROOT, part.dist), join(WORKSPACE, part.dist));
  return DONE;
}

/** Removes the packages that were fetched for building. */
export function removeWorkspace() {
  workspace = undefined;
  return rm(BUILD_DIR, { recursive: true, force: true });
}

function bundle({ config }, folder) {
  const tsdown = join(folder, "deploy/bundle/node_modules/tsdown/dist/run.mjs");
  const args = [tsdown, "--config", `deploy/bundle/${config}.config.ts`];
  return runChild(NODE_24, args, { quiet: true, cwd: folder });
}

function buildPageIn(folder, { isPatient = false } = {}) {
  const web = join(folder, "apps/web");
  const args = [join(web, "node_modules/vite/bin/vite.js"), "build", web];
  return runChild(NODE_24, args, { quiet: true, isPatient, cwd: folder });
}

let workspace;

/** Fetches the packages of one build; those of the builds before it are there. */
function fetchFor({ needs }, progress) {
  workspace ??= openWorkspace(progress);
  return told(async () => (await workspace).add(needs));
}

/** Sources and lockfile in the folder that goes, and what fetches packages into it. */
async function openWorkspace(progress) {
  // A start that was killed may have left an older one.
  rmSync(BUILD_DIR, { recursive: true, force: true });
  copySources();
  const npm = await openNpm();
  if (!npm) return installedByPnpm(progress);
  const packages = packagesOf(WORKSPACE, npm);
  const count = counter(progress);
  return {
    async add(needs) {
      await packages.add(needs, count);
      return DONE;
    },
  };
}

/** All packages at once, by the package manager that wrote the lockfile. */
function installedByPnpm(progress) {
  let installed;
  const install = async () => {
    const fetched = await fetchPnpm(progress);
    if (hasFailed(fetched)) return fetched;
    const args = ["install", "--filter", "!@chest/e2e", "--filter", "!@chest/schema-check"];
    return runPnpm(PNPM_FILE, args, { cwd: WORKSPACE, env: INSIDE, onLine: packageCounter(progress) });
  };
  return {
    add() {
      installed ??= install();
      return installed;
    },
  };
}

/** The end of a step as a program would tell it. */
async function told(step) {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { ...DONE, code: 1, output: error.message };
  }
}

/** Installs the packages that run a model, which is the root's alone; only its files stay. */
export async function fetchModelRuntime(progress) {
  const fetched = await fetchPnpm(progress);
  if (hasFailed(fetched)) return fetched;
  const options = { cwd: ROOT, env: INSIDE, onLine: packageCounter(progress) };
  return runPnpm(PNPM_FILE, ["install", "--prod", "--filter", "chest"], options);
}

const hasFailed = (ended) => exitCodeOf(ended) !== 0;

/** The sources, and what says how they are built. The packages of the root are for developers: it is left without them. */
function copySources() {
  for (const file of new Set([...productInputs(), ...pageInputs()])) {
    if (REWRITTEN.has(file) || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(WORKSPACE, file)), { recursive: true });
    linkOrCopy(join(ROOT, file), join(WORKSPACE, file));
  }
  const { dependencies, devDependencies, optionalDependencies, ...root } = JSON.parse(read("package.json"));
  writeFileSync(join(WORKSPACE, "package.json"), JSON.stringify(root));
  writeFileSync(join(WORKSPACE, "pnpm-lock.yaml"), read("pnpm-lock.yaml").replace(ROOT_IN_LOCKFILE, "  .: {}\n"));
}

const REWRITTEN = new Set(["package.json", "pnpm-lock.yaml"]);

/** A build writes into no source: a second name is enough where the file system has them. */
function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

const ROOT_IN_LOCKFILE = /^ {2}\.:\n(?: {4}.*\n|\n(?= {4}))*/m;
const read = (file) => readFileSync(join(ROOT, file), "utf8");

let fetchingPnpm;

async function fetchPnpm(progress) {
  if (existsSync(PNPM_FILE)) return DONE;
  fetchingPnpm ??= installPnpm(progress).finally(() => {
    fetchingPnpm = undefined;
  });
  return fetchingPnpm;
}

async function installPnpm(progress) {
  progress.tell(`fetching ${PNPM}`);
  const args = ["install", "--prefix", PNPM_DIR, "--no-save", "--no-audit", "--no-fund", PNPM];
  const options = { quiet: true, cwd: ROOT, shell: process.platform === "win32" };
  return runChild("npm", args, { ...options, env: { ...(await pnpmEnvironment()), ...INSIDE } });
}

/** The one program of the package that is made for this platform. */
async function fetchNode(progress) {
  cpSync(join(ROOT, "deploy/local/fetched-node"), NODE_DIR, { recursive: true });
  const ended = await told(async () => {
    const npm = await openNpm();
    if (!npm) return installNode(progress);
    await packagesOf(NODE_DIR, npm).add({ ".": {} });
    return DONE;
  });
  if (hasFailed(ended)) return ended;
  const found = join(NODE_DIR, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (!existsSync(found)) return { ...ended, code: 1, output: NO_NODE };
  mkdirSync(dirname(NODE_24), { recursive: true });
  renameSync(found, NODE_24);
  return DONE;
}

async function installNode(progress) {
  const fetched = await fetchPnpm(progress);
  const options = { cwd: NODE_DIR, env: INSIDE, onLine: packageCounter(progress) };
  return hasFailed(fetched) ? fetched : runPnpm(PNPM_FILE, ["install", "--ignore-workspace"], options);
}

const NO_NODE = `there is no Node 24 for ${process.platform} on ${process.arch} to fetch
hint: install Node 24 or newer from https://nodejs.org, then run the command again`;

/** The driver of the store for this platform, without its sources and the binaries for others. */
function keepNative() {
  const from = join(WORKSPACE, "packages/store-sqlite/node_modules", NATIVE);
  const draft = join(BUILD_DIR, NATIVE);
  const binaries = readdirSync(join(from, "prebuilds")).filter(isOfThisPlatform);
  for (const part of ["package.json", "LICENSE", "lib", ...binaries.map((name) => join("prebuilds", name))]) {
    cpSync(join(from, part), join(draft, part), { recursive: true });
  }
  replace(join(BESIDE_DIR, NATIVE), draft);
}

const isOfThisPlatform = (name) => name.startsWith(process.platform) && name.includes(`-${process.arch}.`);

/** Whole or not at all: a start that was interrupted in between makes it again. */
function replace(old, made) {
  rmSync(old, { recursive: true, force: true });
  mkdirSync(dirname(old), { recursive: true });
  renameSync(made, old);
}

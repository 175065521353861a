import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exitCodeOf, runChild, throwIfInterrupted } from "./child.mjs";
import { withLock } from "./lock.mjs";
import { BESIDE_DIR, DEVELOPERS_NODE, hasDevelopersPackages, isNodeNewEnough, NODE_24, ROOT } from "./paths.mjs";
import { packageCounter, runPnpm } from "./pnpm.mjs";
import {
  backendFiles,
  buildBackend,
  buildClients,
  buildPage,
  clientFiles,
  fetchModelRuntime,
  filesBeside,
  linkNode,
  makeBackend,
  makeClients,
  makePage,
  pageFiles,
  removeWorkspace,
} from "./product.mjs";
import { Progress, say } from "./progress.mjs";
import { PNPM } from "./registry.mjs";
import { digest, installInputs, pageInputs, productInputs } from "./stamps.mjs";

const SCHEMA = "prisma/sqlite/schema.prisma";
const SCHEMA_CHECK = join(ROOT, "apps/server/dist/schema-check-worker.js");

/** A step of the preparation did not work; the message is for the person at the terminal. */
export class PreparationFailed extends Error {}

const LOOK_ABOVE = "look at the message above";
const ASKS_REGISTRY =
  "this needs the npm registry; `registry`, `https-proxy` and `cafile` (the authority of a proxy) in `.npmrc` are honoured";

// A backend on this machine: its bundles and what runs them, 150 MB where a Node is fetched, 30 MB where none is. A backend
// can be started before what is later.
const PRODUCT = [
  {
    name: "backend",
    says: "building the backend, with packages that are downloaded for this and removed again",
    inputs: productInputs,
    outputs: () => [...backendFiles(), ...filesBeside()],
    run: makeBackend,
    hint: ASKS_REGISTRY,
  },
  {
    name: "clients",
    isLater: true,
    says: "building the clients",
    inputs: productInputs,
    outputs: clientFiles,
    run: makeClients,
    hint: ASKS_REGISTRY,
  },
  {
    name: "page",
    isLater: true,
    says: "building the page",
    inputs: pageInputs,
    outputs: pageFiles,
    run: makePage,
    hint: ASKS_REGISTRY,
  },
];

// Packages that run a model, beside a product: 400 MB that only `fetch-model` asks for.
const MODELS = {
  name: "models",
  isLater: true,
  says: "installing the model runtime",
  inputs: installInputs,
  outputs: () => [join(ROOT, "node_modules/@huggingface/transformers")],
  run: fetchModelRuntime,
  hint: ASKS_REGISTRY,
};

// Everything, for who develops: in order, so that a new lockfile also builds and generates anew.
const WORKSPACE = [
  {
    name: "install",
    says: "installing all packages, including those for development",
    inputs: installInputs,
    outputs: () => [NODE_24, ...["prisma", "vitest"].map((name) => join(ROOT, "node_modules", name))],
    async run(progress) {
      const ended = await install(progress);
      if (exitCodeOf(ended) !== 0) return ended;
      linkNode(DEVELOPERS_NODE);
      // The bundles take the driver that was installed.
      rmSync(BESIDE_DIR, { recursive: true, force: true });
      return ended;
    },
    hint: ASKS_REGISTRY,
  },
  {
    name: "backend",
    says: "building the backend",
    inputs: productInputs,
    // A backend that `npm start` made lacks the check of the schema.
    outputs: () => [...backendFiles(), SCHEMA_CHECK],
    run: buildBackend,
    hint: LOOK_ABOVE,
  },
  {
    name: "clients",
    isLater: true,
    says: "building the clients",
    inputs: productInputs,
    outputs: clientFiles,
    run: buildClients,
    hint: LOOK_ABOVE,
  },
  {
    name: "page",
    isLater: true,
    says: "building the page",
    inputs: pageInputs,
    outputs: pageFiles,
    run: buildPage,
    hint: LOOK_ABOVE,
  },
  {
    name: "generate",
    isLater: true,
    says: "generating the database client",
    inputs: () => [...installInputs(), SCHEMA, "prisma.config.ts"],
    outputs: () => [generatedFolder()],
    run: generate,
    hint: `look at the message above and at \`${SCHEMA}\``,
  },
];

/**
 * Runs the steps that are due for the files as they are now; with none due it costs some milliseconds.
 * @param wants `forDevelopers`: every package of the workspace; `withModels`: the packages that run a model; `withoutPage`:
 * no page, for programs of a terminal.
 * @param onBackend called when a backend could be started, which may be before all is done.
 */
export async function prepare(workDir, wants = {}, onBackend = () => {}) {
  if (isNodeNewEnough && stepsFor(wants) !== WORKSPACE && !existsSync(NODE_24)) linkNode(process.execPath);
  if (dueSteps(workDir, wants).length > 0) {
    mkdirSync(workDir, { recursive: true });
    const onWait = () => say("waiting for another start in this folder");
    // Looked at again: the process that holds the lock, or held it, may have done all that this one wants.
    const isDue = () => dueSteps(workDir, wants).length > 0;
    await withLock(join(workDir, "lock"), { onWait, isDue }, () => doAll(dueSteps(workDir, wants), onBackend));
  } else onBackend();
}

async function doAll(due, onBackend) {
  let isBackendThere = false;
  const tell = () => {
    if (!isBackendThere) onBackend();
    isBackendThere = true;
  };
  try {
    for (const { step, file } of due) {
      if (step.isLater) tell();
      say(step.says);
      rmSync(file, { force: true });
      const stamp = stampOf(step);
      await finish(step);
      writeFileSync(file, stamp);
    }
    tell();
  } finally {
    await removeWorkspace();
  }
}

function stepsFor({ forDevelopers = false, withModels = false, withoutPage = false }) {
  if (forDevelopers || hasDevelopersPackages()) return WORKSPACE;
  const product = withoutPage ? PRODUCT.filter(({ name }) => name !== "page") : PRODUCT;
  return withModels || MODELS.outputs().every(existsSync) ? [...product, MODELS] : product;
}

function dueSteps(workDir, wants) {
  return stepsFor(wants)
    .map((step) => ({ step, file: join(workDir, step.name) }))
    .filter(({ step, file }) => !isDone(step, file));
}

// The stamp comes last: it reads every source.
const isDone = (step, file) =>
  step.outputs().every(existsSync) && existsSync(file) && readFileSync(file, "utf8") === stampOf(step);

const stampOf = (step) => digest(`${process.platform} ${process.arch} ${PNPM}`, step.inputs());

async function finish(step) {
  const progress = new Progress();
  const ended = await withNpm(() => step.run(progress)).finally(() => progress.end());
  throwIfInterrupted();
  const code = exitCodeOf(ended);
  if (code !== 0) {
    throw new PreparationFailed(`${ended.output}\nchest: ${step.says}: failed with code ${code}\nhint: ${step.hint}`);
  }
}

async function withNpm(work) {
  try {
    return await work();
  } catch (error) {
    if (error.code !== "ENOENT" || !/npm|npx/.test(error.path ?? "")) throw error;
    throw new PreparationFailed("chest: `npm` was not found\nhint: install npm, which comes with Node, then try again");
  }
}

/** With the store of this user, which other folders share. */
const install = (progress) =>
  runPnpm("npx", ["--yes", "--prefer-offline", PNPM, "install"], {
    cwd: ROOT,
    onLine: packageCounter(progress),
  });

function generate() {
  const folder = join(ROOT, "node_modules/prisma");
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return runChild(NODE_24, [join(folder, bin.prisma), "generate"], {
    quiet: true,
    cwd: ROOT,
    env: { ...process.env, CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
  });
}

function generatedFolder() {
  const [, output] = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(join(ROOT, SCHEMA), "utf8")) ?? [];
  return join(ROOT, dirname(SCHEMA), output ?? ".");
}

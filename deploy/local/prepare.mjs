import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exitCodeOf, runChild, throwIfInterrupted } from "./child.mjs";
import { withLock } from "./lock.mjs";
import { NODE_24, ROOT } from "./paths.mjs";
import { PNPM, pnpmEnvironment } from "./registry.mjs";
import { digest, filesUnder, manifests, sources } from "./stamps.mjs";

const SCHEMA = "prisma/sqlite/schema.prisma";

/** A step of the preparation did not work; the message is for the person at the terminal. */
export class PreparationFailed extends Error {}

// In order. The stamp of each covers those before it, so a new lockfile also generates and builds anew.
const STEPS = [
  {
    name: "install",
    says: "installing (first start only)",
    inputs: () => ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests()],
    outputs: () => [NODE_24, ...["prisma", "tsdown", "vitest"].map((name) => join(ROOT, "node_modules", name))],
    run: install,
    hint: "the first start needs the npm registry; a registry or proxy set in `.npmrc` is honoured",
  },
  {
    name: "generate",
    says: "generating the database client",
    inputs: () => [SCHEMA, "prisma.config.ts"],
    outputs: () => [generatedFolder()],
    run: () => runTool("prisma", ["generate"], { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" }),
    hint: `look at the message above and at \`${SCHEMA}\``,
  },
  {
    name: "build",
    says: "building the client",
    inputs: () => ["tsdown.config.ts", ...filesUnder("deploy/bundle"), "tsconfig.json", ...sources()],
    outputs: () => [join(ROOT, "apps/mcp/dist/chest-memory.js"), join(ROOT, "apps/mcp/dist/chest-index.js")],
    run: () => runTool("tsdown", [], {}),
    hint: "look at the message above; `npm run build` repeats this step",
  },
];

/** Does what is not yet done for the files as they are now; costs some milliseconds when that is nothing. */
export async function prepare(workDir) {
  if (dueSteps(workDir).length === 0) return;
  mkdirSync(workDir, { recursive: true });
  await withLock(join(workDir, "lock"), { onWait: () => say("waiting for another start in this folder") }, async () => {
    // Looked at again: whoever held the lock may have done it all.
    for (const { step, stamp, file } of dueSteps(workDir)) {
      say(step.says);
      rmSync(file, { force: true });
      await finish(step);
      writeFileSync(file, stamp);
    }
  });
}

function dueSteps(workDir) {
  const due = [];
  let stamp = `${process.platform} ${process.arch} ${PNPM}`;
  for (const step of STEPS) {
    stamp = digest(stamp, step.inputs());
    const file = join(workDir, step.name);
    const isDone = existsSync(file) && readFileSync(file, "utf8") === stamp && step.outputs().every(existsSync);
    if (!isDone || due.length > 0) due.push({ step, stamp, file });
  }
  return due;
}

async function finish(step) {
  const ended = await step.run();
  throwIfInterrupted();
  const code = exitCodeOf(ended);
  if (code !== 0) {
    throw new PreparationFailed(`${ended.output}\nchest: ${step.says}: failed with code ${code}\nhint: ${step.hint}`);
  }
}

async function install() {
  const args = ["--yes", "--prefer-offline", PNPM, "install", "--frozen-lockfile"];
  const env = await pnpmEnvironment();
  try {
    return await runChild("npx", args, { quiet: true, cwd: ROOT, env, shell: process.platform === "win32" });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    throw new PreparationFailed("chest: `npx` was not found\nhint: install npm, which comes with Node, then try again");
  }
}

function runTool(name, args, env) {
  const folder = join(ROOT, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return runChild(NODE_24, [join(folder, bin[name]), ...args], {
    quiet: true,
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
}

function generatedFolder() {
  const [, output] = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(join(ROOT, SCHEMA), "utf8")) ?? [];
  return join(ROOT, dirname(SCHEMA), output ?? ".");
}

function say(what) {
  console.error(`chest: ${what}`);
}

import { join } from "node:path";
import { exitCodeOf, forwardSignals, Interrupted, runChild } from "./child.mjs";
import { HEAP_FLAGS } from "./heap.mjs";
import { NODE_24, ROOT, WORK_DIR } from "./paths.mjs";
import { PreparationFailed, prepare } from "./prepare.mjs";
import { runTests } from "./tests.mjs";

const USAGE = `usage: node deploy/local/run.mjs start|dev|setup|chest-index|test|bench|eval|torture [arguments]

  start        the backend on this machine, with a token and the lines that connect an agent
  dev          the backend, restarted on every change, with the variables of \`.env\`
  setup        connects an agent with Chest; arguments go to \`chest-index setup\`
  chest-index  what an operator asks and does
  test         the whole suite; arguments go to vitest
  bench        the load test; arguments go to it
  eval         whether recall finds the right memory; arguments go to it
  torture      the breaking rig; arguments go to it`;

// It may ask something: it has the terminal, and answers for itself when Ctrl-C comes.
const operate = (argv) =>
  runChild(NODE_24, [join(ROOT, "apps/mcp/dist/chest-index.js"), ...argv], {
    stdio: "inherit",
    detached: false,
    cwd: process.env.INIT_CWD,
  });

const COMMANDS = {
  // With the stripped sources kept, a start is quicker and 30 MB smaller: the stripper itself is not loaded.
  start: (argv, env) =>
    runChild(NODE_24, [...HEAP_FLAGS, join(ROOT, "apps/server/src/quickstart.ts"), ...argv], {
      env: { NODE_COMPILE_CACHE: join(WORK_DIR, "compile-cache"), ...env },
      bound: true,
    }),
  dev: (argv, env) =>
    runChild(NODE_24, ["--watch", "--env-file-if-exists=.env", join(ROOT, "apps/server/src/main.ts"), ...argv], {
      env,
      cwd: ROOT,
    }),
  setup: (argv) => operate(["setup", ...argv]),
  "chest-index": operate,
  test: (argv, env) => runTests(argv, env),
  bench: (argv, env) => runChild(NODE_24, [join(ROOT, "e2e/load/main.ts"), ...argv], { env, cwd: ROOT }),
  eval: (argv, env) => runChild(NODE_24, [join(ROOT, "e2e/eval/main.ts"), ...argv], { env, cwd: ROOT }),
  torture: (argv, env) => runChild(NODE_24, [join(ROOT, "e2e/torture/main.ts"), ...argv], { env, cwd: ROOT }),
};

/** Prepares the workspace if anything changed, runs one command on Node 24 and gives the code to exit with. */
export async function launch([name, ...argv]) {
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  forwardSignals();
  try {
    await prepare(WORK_DIR);
    return exitCodeOf(await command(argv, withOurTools(process.env)));
  } catch (error) {
    if (error instanceof Interrupted) return exitCodeOf(error);
    if (!(error instanceof PreparationFailed)) throw error;
    console.error(error.message);
    return 1;
  }
}

function withOurTools(env) {
  const delimiter = process.platform === "win32" ? ";" : ":";
  const ours = [join(NODE_24, ".."), join(ROOT, "node_modules/.bin")];
  return { ...env, PATH: [...ours, env.PATH].join(delimiter) };
}

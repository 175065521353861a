import { join } from "node:path";
import { exitCodeOf, forwardSignals, Interrupted, runChild } from "./child.mjs";
import { HEAP_FLAGS } from "./heap.mjs";
import { NODE_24, ROOT, WORK_DIR } from "./paths.mjs";
import { PreparationFailed, prepare } from "./prepare.mjs";
import { runTests } from "./tests.mjs";

const USAGE = `usage: node deploy/local/run.mjs start|setup|chest-index|build|dev|test|bench|eval|torture [arguments]

  start        the backend on this machine, with a token and the lines that connect an agent
  setup        connects an agent with Chest; arguments go to \`chest-index setup\`
  chest-index  what an operator asks and does
  build        makes what these run, and starts nothing

with the packages of developers:

  dev          the backend, restarted on every change, with the variables of \`.env\`
  test         the whole suite; arguments go to vitest
  bench        the load test; arguments go to it
  eval         whether recall finds the right memory; arguments go to it
  torture      the breaking rig; arguments go to it`;

/** A command, and what has to be there for it. */
const COMMANDS = {
  // It starts before all is made, and ends with the launcher, however that ends. With compiled code kept, a start takes half
  // the processor time.
  start: {
    isBackend: true,
    run: (argv, env) =>
      runChild(NODE_24, [...HEAP_FLAGS, join(ROOT, "apps/server/dist/quickstart.js"), ...argv], {
        bound: true,
        env: { NODE_COMPILE_CACHE: join(WORK_DIR, "compile-cache"), ...env },
      }),
  },
  setup: { run: (argv) => operate(["setup", ...argv]), wants: () => ({ withoutPage: true }) },
  "chest-index": {
    run: (argv) => operate(argv),
    wants: (argv) => ({
      withModels: argv[0] === "fetch-model" && !argv.includes("--help"),
      withoutPage: true,
    }),
  },
  build: { run: async () => ({ code: 0 }) },
  dev: forDevelopers("apps/server/src/main.ts", "--watch", "--env-file-if-exists=.env"),
  test: { run: runTests, wants: () => ({ forDevelopers: true }) },
  bench: forDevelopers("e2e/load/main.ts"),
  eval: forDevelopers("e2e/eval/main.ts"),
  torture: forDevelopers("e2e/torture/main.ts"),
};

// It may ask something: it has the terminal, and answers for itself when Ctrl-C comes.
const operate = (argv) =>
  runChild(NODE_24, [join(ROOT, "apps/mcp/dist/chest-index.js"), ...argv], {
    stdio: "inherit",
    detached: false,
    cwd: process.env.INIT_CWD,
  });

/** A program run from its source. */
function forDevelopers(program, ...flags) {
  return {
    run: (argv, env) => runChild(NODE_24, [...flags, join(ROOT, program), ...argv], { env, cwd: ROOT }),
    wants: () => ({ forDevelopers: true }),
  };
}

/** Prepares what the command needs if that has changed, runs it on Node 24 and gives the code to exit with. */
export async function launch([name, ...argv]) {
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) {
    console.error(USAGE);
    return 2;
  }
  forwardSignals();
  const run = () => command.run(argv, withOurTools(process.env));
  let running;
  try {
    await prepare(WORK_DIR, command.wants?.(argv), () => {
      if (!command.isBackend) return;
      running = run();
      running.catch(() => {}); // Awaited below.
    });
    return exitCodeOf(await (running ?? run()));
  } catch (error) {
    if (error instanceof PreparationFailed) console.error(error.message);
    else if (!(error instanceof Interrupted)) throw error;
    // A backend that runs goes on without what could not be made beside it.
    if (running) return exitCodeOf(await running);
    return error instanceof Interrupted ? exitCodeOf(error) : 1;
  }
}

function withOurTools(env) {
  const delimiter = process.platform === "win32" ? ";" : ":";
  const ours = [join(NODE_24, ".."), join(ROOT, "node_modules/.bin")];
  return { ...env, PATH: [...ours, env.PATH].join(delimiter) };
}

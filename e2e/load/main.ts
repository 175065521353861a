import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasPostgres } from "@chest/store-postgres/testing";
import { hasChromium } from "../support/page/browser.ts";
import { against, MEASURE_NAMES } from "./against/against.ts";
import { readAgainst, UsageError } from "./against/settings.ts";
import type { Bench } from "./bench.ts";
import { besideWorst, besideWorstFilled, postgresBesideWorst, postgresBesideWorstFilled } from "./beside-worst.ts";
import { briefing } from "./briefing.ts";
import { curve } from "./curve/curve.ts";
import { curveTable, writeLines } from "./curve/report.ts";
import { drain } from "./drain.ts";
import { type Figure, table } from "./figures.ts";
import { floors } from "./floors/floors.ts";
import { growth } from "./growth.ts";
import { hooks } from "./hooks.ts";
import { importBench } from "./import/import.ts";
import { maintenance } from "./maintenance.ts";
import { mcp } from "./mcp/mcp.ts";
import { builtin } from "./models/builtin.ts";
import { models } from "./models/fetched.ts";
import { recallByTable } from "./models/recall-by-table.ts";
import { home } from "./page/home.ts";
import { scroll } from "./page/scroll.ts";
import { postgresFailover } from "./postgres/failover.ts";
import { postgresKill } from "./postgres/kill.ts";
import { postgresRecall, postgresRemember } from "./postgres/store.ts";
import { postgresTrips } from "./postgres/trips.ts";
import { topOf } from "./profile.ts";
import { push } from "./push.ts";
import { readSmart } from "./read-smart/read-smart.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { startBenchServer } from "./server.ts";
import { client } from "./start/client.ts";
import { firstStart } from "./start/first.ts";
import { idle } from "./start/idle.ts";
import { start } from "./start/start.ts";
import { triggers } from "./triggers.ts";
import { vectors } from "./vectors/vectors.ts";
import { views } from "./views.ts";

const BENCHES: Readonly<Record<string, Bench>> = {
  remember,
  floors,
  growth,
  recall,
  push,
  drain,
  models,
  builtin,
  "recall-by-table": recallByTable,
  client,
  hooks,
  briefing,
  "beside-worst": besideWorst,
  "beside-worst-filled": besideWorstFilled,
  idle,
  start,
  "first-start": firstStart,
  vectors,
  views,
  home,
  scroll,
  triggers,
  maintenance,
  mcp,
  "read-smart": readSmart,
  import: importBench,
  "postgres-remember": postgresRemember,
  "postgres-recall": postgresRecall,
  "postgres-beside-worst": postgresBesideWorst,
  "postgres-beside-worst-filled": postgresBesideWorstFilled,
  "postgres-trips": postgresTrips,
  "postgres-kill": postgresKill,
  "postgres-failover": postgresFailover,
};

/**
 * Benchmarks that need PostgreSQL or Chromium are left out where it is not installed; one that asks a registry is named
 * by hand.
 */
const MEASURABLE = Object.keys(BENCHES).filter(
  (name) =>
    name !== "first-start" && (!name.startsWith("postgres") || hasPostgres()) && (name !== "scroll" || hasChromium),
);

const USAGE = `usage: npm run bench -- [names] [options]

  names       ${Object.keys(BENCHES).join(", ")}; all of them by default,
              those of PostgreSQL where a server of it with pgvector is installed, \`scroll\` where
              Chromium is, and \`first-start\`, which asks a registry, only where it is named
  --rows N    memories in the store that is searched, 100000 by default
  --rounds N  turns of everything that is compared, 5 by default
  --profile   also where the backend's processor time went; the figures are then higher
  --json      the figures as JSON
  --write     puts those of \`floors\` into e2e/load/floors/figures.json

   or: npm run bench -- curve [options]

  --rows LIST     sizes of the store, with commas between: 1000,10000,100000,1000000 by default
  --clients LIST  how many ask at once: 1,8,32 by default
  --scope LIST    project, all
  --leg LIST      words, hybrid
  --seconds N     how long each cell is asked, 10 by default
  --threads N     search threads of the backend, 2 by default
  --write         puts the figures into e2e/load/README.md

   or: npm run bench -- against REF [options]

  REF             commit to build and to run in turns with this checkout
  --only LIST     ${MEASURE_NAMES.join(", ")}; all by default
  --size LIST     memories in the stores that are searched: 1000,10000 by default
  --rounds N      turns of each, 7 by default
  --rival         also MCP's reference memory server, beside this checkout`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string" },
    rounds: { type: "string" },
    profile: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    clients: { type: "string" },
    scope: { type: "string" },
    leg: { type: "string" },
    seconds: { type: "string", default: "10" },
    threads: { type: "string", default: "2" },
    write: { type: "boolean", default: false },
    only: { type: "string" },
    size: { type: "string" },
    rival: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const isCurve = positionals.length === 1 && positionals[0] === "curve";
const isAgainst = positionals[0] === "against";
const unknown = isCurve || isAgainst ? [] : positionals.filter((name) => !Object.hasOwn(BENCHES, name));

if (values.help || unknown.length > 0) {
  console.error(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (isAgainst) {
  await runAgainst();
} else if (isCurve) {
  await runCurve();
} else {
  await runAll(positionals.length > 0 ? positionals : MEASURABLE);
}

async function runAll(names: readonly string[]): Promise<void> {
  const figures: Record<string, Figure[]> = {};
  for (const name of names) {
    const busy = (loadavg()[0] ?? 0).toFixed(1);
    console.error(`chest: measuring ${name} (${availableParallelism()} cores, load ${busy} before)`);
    try {
      const measured = await run(name);
      figures[name] = measured;
      if (measured.some(({ goal }) => goal?.isBinding && !goal.isMet)) process.exitCode = 1;
      if (!values.json) console.log(`${table(measured)}\n`);
    } catch (error) {
      console.error(`chest: ${name} could not be measured`, error);
      process.exitCode = 1; // The other benchmarks go on.
    }
  }
  if (values.json) console.log(JSON.stringify(figures, null, 2));
}

async function runCurve(): Promise<void> {
  const { rows, clients, scope, leg } = values;
  const workDir = await mkdtemp(join(tmpdir(), "chest-curve-"));
  console.error(`chest: measuring the curve (load ${(loadavg()[0] ?? 0).toFixed(1)} before)`);
  try {
    const lines = await curve({
      rows,
      clients,
      scope,
      leg,
      workDir,
      seconds: countOf(values.seconds),
      searchThreads: countOf(values.threads),
      onLine: (line) => console.error(curveTable([line]).split("\n").at(-1)),
    });
    if (values.write) writeLines(lines);
    console.log(values.json ? JSON.stringify(lines, null, 2) : curveTable(lines));
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function runAgainst(): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), "chest-turns-"));
  try {
    const settings = readAgainst(positionals.slice(1), values, MEASURE_NAMES);
    const compared = await against(settings, workDir, (table) => {
      if (!values.json) console.log(`${table}\n`);
    });
    if (values.json) console.log(JSON.stringify(compared, null, 2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`chest: ${error.message}`);
    process.exitCode = 2;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function run(name: string): Promise<Figure[]> {
  const workDir = await mkdtemp(join(tmpdir(), "chest-bench-"));
  const profileDir = values.profile ? join(workDir, "profiles") : undefined;
  try {
    const figures = await (BENCHES[name] as Bench)({
      rounds: countOf(values.rounds ?? "5"),
      rows: countOf(values.rows ?? "100000"),
      isWritten: values.write,
      workDir,
      startServer: (env) => startBenchServer(workDir, env, profileDir),
    });
    if (profileDir) console.error(await topOf(profileDir));
    return figures;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

function countOf(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Error(`\`${value}\` is no count`);
  return count;
}

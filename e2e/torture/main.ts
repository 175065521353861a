import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { guardsOf, type Part } from "./part.ts";
import { PARTS } from "./parts.ts";
import { type Line, lineOf, writeLine } from "./readme.ts";
import { noticed, tryPart } from "./rig.ts";

const USAGE = `usage: npm run torture -- [parts] [options]

  parts        ${PARTS.map(({ name }) => name).join(", ")}; all of them by default
  --rounds N   how often each part tries, instead of its own number
  --minutes N  how long the soak lasts, 15 by default
  --short      as CI runs it
  --seed N     of everything that is drawn by lot; a run names the one it had
  --no-guards  without taking the guards away
  --guards     only taking the guards away; with --write the figures stay
  --write      puts the figures into e2e/torture/README.md`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    minutes: { type: "string" },
    short: { type: "boolean", default: false },
    seed: { type: "string" },
    "no-guards": { type: "boolean", default: false },
    guards: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const unknown = positionals.filter((value) => !PARTS.some(({ name }) => name === value));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`torture: there is no part \`${unknown.join("`, `")}\``);
  console.error(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : countOf(values.seed);
  const chosen = positionals.length === 0 ? PARTS : PARTS.filter(({ name }) => positionals.includes(name));
  console.error(`torture: seed ${seed}, load ${(loadavg()[0] ?? 0).toFixed(1)} before`);
  for (const part of chosen) if (!(await holds(part, seed))) process.exitCode = 1;
}

/** Runs a part, then again without each of its guards, and prints the results. */
async function holds(part: Part, seed: number): Promise<boolean> {
  const lack = part.lacks?.();
  if (lack !== undefined) {
    console.log(`${part.name}: skipped, ${lack}`);
    return true;
  }
  const effort = values.short ? "short" : "long";
  const tried = values.guards ? undefined : await tryPart(part, { effort, rounds: roundsOf(part), seed });
  const line: Line = { part, tried, guards: [] };
  for (const fault of tried?.faults ?? []) console.log(`${part.name}: BROKEN: ${fault}`);
  console.log(tried ? lineOf(part, tried) : part.name);
  for (const guard of values["no-guards"] ? [] : guardsOf(part)) {
    const fault = await noticed(part, guard, seed);
    line.guards.push({ guard, fault });
    console.log(`  without "${guard.name}": ${fault === undefined ? "NOT NOTICED" : `noticed: ${fault}`}`);
  }
  const isWell = !tried?.faults.length && line.guards.every(({ fault }) => fault !== undefined);
  if (values.write && isWell) writeLine(line);
  return isWell;
}

function roundsOf({ counted }: Part): number | undefined {
  const value = counted === "minutes" ? values.minutes : values.rounds;
  return value === undefined ? undefined : countOf(value);
}

function countOf(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Error(`\`${value}\` is no count`);
  return count;
}

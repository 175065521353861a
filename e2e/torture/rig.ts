import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Backend, startBackend } from "../support/backend.ts";
import { ROOT } from "../support/process.ts";
import { seeded } from "../support/random.ts";
import type { Edit, Effort, Guard, Outcome, Part, Rig } from "./part.ts";

export interface Trial {
  readonly effort: Effort;
  readonly rounds?: number | undefined;
  readonly seed: number;
  /** Guard to remove. */
  readonly without?: Guard | undefined;
}

export interface PartResult extends Outcome {
  readonly rounds: number;
  readonly seconds: number;
}

const WITHOUT_LIMITS = { CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0", CHEST_LOG_LEVEL: "error" };
// A start takes half the time when the stripped sources are cached.
const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, "node_modules/.chest/compile-cache") };
const UNGUARD = new URL("./unguard.ts", import.meta.url).href;

/** Runs a part once, and stops its processes and deletes its files. */
export async function tryPart(
  part: Part,
  { effort, rounds = part.rounds[effort], seed, without }: Trial,
): Promise<PartResult> {
  const folders: string[] = [];
  const backends: Backend[] = [];
  const env = without ? environmentWithout(without) : {};
  const rig: Rig = {
    rounds,
    effort,
    env,
    random: seeded(seed),
    folder() {
      const path = mkdtempSync(join(tmpdir(), `chest-torture-${part.name}-`));
      folders.push(path);
      return path;
    },
    async start(options = {}) {
      const backend = await startBackend({
        // Guards are removed from sources; without a removed guard the bundle runs, which starts with half the work.
        isFromSource: without !== undefined,
        ...options,
        env: { ...WITHOUT_LIMITS, ...COMPILED, ...env, ...options.env },
      });
      backends.push(backend);
      return backend;
    },
    isShown: (faults) => without !== undefined && faults.some((fault) => without.shows.test(fault)),
  };
  const startedAt = performance.now();
  try {
    const outcome = await part.run(rig);
    return {
      ...outcome,
      faults: counted(outcome.faults),
      rounds,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await Promise.all(backends.map((backend) => backend.kill9()));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Finds the fault by which a part noticed a missing guard; undefined when it did not notice. */
export async function noticed(part: Part, without: Guard, seed: number): Promise<string | undefined> {
  const { faults } = await tryPart(part, { effort: "unguarded", seed, without });
  return faults.find((fault) => without.shows.test(fault));
}

/** Counts the places where an edit finds its text; any number but one means that the guard no longer exists. */
export const placesOf = ({ file, find }: Edit): number => readFileSync(join(ROOT, file), "utf8").split(find).length - 1;

function environmentWithout({ edits }: Guard): NodeJS.ProcessEnv {
  const options = [process.env.NODE_OPTIONS, `--import=${UNGUARD}`].filter(Boolean).join(" ");
  return { NODE_OPTIONS: options, TORTURE_WITHOUT: JSON.stringify(edits) };
}

/** Lists each fault once, with its count. */
function counted(faults: readonly string[]): string[] {
  return [...Map.groupBy(faults, (fault) => fault)].map(([fault, all]) =>
    all.length > 1 ? `${all.length} × ${fault}` : fault,
  );
}

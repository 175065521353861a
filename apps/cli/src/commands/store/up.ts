import { ChestError } from "@chest/contracts";
import {
  DEFAULT_MAINTENANCE,
  jumpedSince,
  type MaintenanceSettings,
  previewPasses,
  runJournalled,
} from "@chest/core/lifecycle";
import { type Engine, PASSES, type PassName, type PassReport } from "@chest/core/ports";
import { MAINTENANCE_VARIABLES, maintenanceSettings, pruneLimits, readEnv } from "@chest/runtime";
import { type Config, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { ownCommand, type Shell } from "../../terminal/command-context.ts";
import { listOf } from "../../terminal/parse-lists.ts";
import { knownWord } from "../../terminal/usage.ts";

export const up = ownCommand({
  meta: { name: "up", description: "Run maintenance now; with --check, show what it would do" },
  args: {
    check: { type: "boolean", description: "Say what each pass would do, change nothing" },
    all: { type: "boolean", description: "Every pass; the default" },
    activation: { type: "boolean", description: "Each memory's activation" },
    decay: { type: "boolean", description: "What fades: momentum, confidence, expiry, forgetting, prune" },
    supersess: { type: "boolean", description: "What a newer memory replaces" },
    pass: { type: "string", description: `Some of ${PASSES.join(", ")}`, valueHint: "name,…" },
  },
  async run(args, { env, output }) {
    const passes = passesOf(args);
    const isPruning = args.decay === true || passes !== PASSES;
    const config = readConfig(env);
    const maintenance = readMaintenance(env, config, isPruning);
    const startedAt = new Date();
    const { quietSince, runId, reports } = await output.working("maintaining the store", () =>
      withStore(config, async (engine) => {
        const quietSince = await jumpedSince(engine.lifecycle, maintenance);
        const ran = await (args.check ? preview(engine, passes, maintenance) : runNow(engine, passes, maintenance));
        return { quietSince, ...ran };
      }),
    );
    if (quietSince)
      output.warn(`there was no write or maintenance since ${quietSince}: is this machine's clock right?`);
    output.say(args.check ? "what maintenance would do" : `maintenance, run ${runId}`);
    output.rows(reports.map((report) => cellsOf(report, args.check === true)));
    if (!args.check && reports.some(({ changed }) => changed > 0))
      output.say(`\`chest-index unarchive --run ${runId}\` restores what it archived`);
    output.document({
      check: args.check === true,
      run_id: runId ?? null,
      quiet_since: quietSince ?? null,
      phases: reports,
      started_at: startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      exit_code: 0,
    });
  },
});

interface Ran {
  readonly runId: number | undefined;
  readonly reports: readonly PassReport[];
}

async function preview(
  { lifecycle }: Engine,
  passes: readonly PassName[],
  maintenance: MaintenanceSettings,
): Promise<Ran> {
  const reports = await previewPasses(lifecycle.sweeps, passes, maintenance);
  return { runId: undefined, reports: reports.map(({ archives: _, ...report }) => report) };
}

async function runNow(
  { lifecycle }: Engine,
  passes: readonly PassName[],
  maintenance: MaintenanceSettings,
): Promise<Ran> {
  const lease = await lifecycle.lease();
  if (!lease) throw new ChestError("UNAVAILABLE", "maintenance is already running", { hint: "try again in a moment" });
  try {
    return await runJournalled(lifecycle, passes, maintenance, { trigger: "operator", signal: lease.lost });
  } finally {
    await lease.release();
  }
}

interface Choice {
  readonly all?: boolean | undefined;
  readonly activation?: boolean | undefined;
  readonly decay?: boolean | undefined;
  readonly supersess?: boolean | undefined;
  readonly pass?: string | undefined;
}

function passesOf({ all, activation, decay, supersess, pass }: Choice): readonly PassName[] {
  const named = listOf(pass ?? "").map(readPass);
  const chosen: PassName[] = [
    ...named,
    ...(activation ? (["activation"] as const) : []),
    ...(decay ? (["momentum", "confidence", "expiry", "forgetting", "prune", "conversations"] as const) : []),
    ...(supersess ? (["supersession"] as const) : []),
  ];
  return all || chosen.length === 0 ? PASSES : chosen;
}

/** Checks the name of a maintenance pass. @throws UsageError for an unknown name. */
export const readPass = (name: string): PassName => knownWord(name, PASSES, "pass");

// Days without use after which a memory is pruned when the user requests the pruning pass by name.
const PRUNED_AFTER_DAYS = 90;

function readMaintenance(env: Shell["env"], { limits }: Config, isPruning: boolean): MaintenanceSettings {
  const { values } = readEnv(MAINTENANCE_VARIABLES, env);
  return {
    ...DEFAULT_MAINTENANCE,
    ...maintenanceSettings(values),
    contentChars: limits.contentChars,
    prune: pruneLimits(values, isPruning ? PRUNED_AFTER_DAYS : 0),
  };
}

function cellsOf({ name, scanned, changed, seconds, note = "" }: PassReport, isCheck: boolean): string[] {
  return [name, `${changed} ${isCheck ? "due" : "changed"} of ${scanned}`, `${seconds.toFixed(1)} s`, note];
}

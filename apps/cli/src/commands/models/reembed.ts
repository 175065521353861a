import type { ChestError } from "@chest/contracts";
import { isSameIdentity } from "@chest/core/embedding";
import type { Embedder, EmbeddingIdentity, Engine } from "@chest/core/ports";
import { StartError } from "@chest/runtime";
import { readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { readModelsConfig } from "../../connect/models-config.ts";
import { type DrainReport, drain } from "../../embedding/drain.ts";
import { loadEmbedder, openModels } from "../../embedding/own-model.ts";
import { openDrainProgress } from "../../embedding/progress.ts";
import { type ExitCode, ownCommand } from "../../terminal/command-context.ts";
import type { Output } from "../../terminal/output.ts";
import { counted, readCount } from "../../terminal/parse-numbers.ts";

const PATIENCE_MS = 20_000;

export const reembed = ownCommand({
  meta: { name: "reembed", description: "Change the model: embed all again beside the old vectors, then switch" },
  args: {
    model: { type: "string", description: "A model other than CHEST_EMBED_MODEL", valueHint: "id" },
    check: { type: "boolean", description: "Only show the progress" },
    "drop-old": { type: "boolean", description: "Remove the vectors of other models once it is done" },
    "batch-size": { type: "string", description: "Most memories at once, 1 to 200", default: "200", valueHint: "n" },
  },
  async run(args, { env, output }) {
    const batchSize = readCount("batch-size", args["batch-size"], 1, 200);
    const config = readConfig(env);
    if (config.remote) throw notHere(config.remote.url);
    const models = readModelsConfig({ ...env, ...(args.model ? { CHEST_EMBED_MODEL: args.model } : {}) });
    const target = models.embedder.identity;
    const embedders = openModels(models);
    try {
      return await withStore(config, async (engine) => {
        if (args.check) return say(output, await progressOf(engine, target));
        const embedder = await loadEmbedder(embedders, target);
        const line = openDrainProgress(args.json || args.quiet ? undefined : process.stderr);
        const changed = await change(engine, target, embedder, batchSize, line.tell);
        line.end();
        const dropped = changed.isActive && args["drop-old"] ? await engine.identities.dropOthers() : 0;
        if (changed.error && !args.json) output.problem(changed.error);
        return say(output, { ...(await progressOf(engine, target)), ...changed.document, dropped }, changed.exitCode);
      });
    } finally {
      await embedders.close();
    }
  },
});

interface Changed {
  readonly isActive: boolean;
  readonly document: { readonly embedded: number; readonly failed: number };
  readonly error: ChestError | undefined;
  readonly exitCode: ExitCode;
}

/** Continues where a killed run stopped: a memory with a vector of the new model is no longer pending. */
async function change(
  engine: Engine,
  target: EmbeddingIdentity,
  embedder: Embedder,
  batchSize: number,
  onProgress: (done: number, remaining: number, perSecond: number) => void,
): Promise<Changed> {
  await engine.identities.begin(target);
  const options = { queue: engine.pending, embedder, batchSize, concurrency: 1, onProgress, patienceMs: PATIENCE_MS };
  const { report, error } = await drain(options);
  await engine.identities.settle();
  const { active } = await engine.identities.current();
  const isActive = isSameIdentity(active, target);
  return { isActive, document: countsOf(report), error, exitCode: isActive && !error ? leftOver(report) : 2 };
}

const countsOf = ({ total_processed: embedded, total_failed: failed }: DrainReport) => ({ embedded, failed });
const leftOver = ({ total_failed: failed, remaining }: DrainReport): ExitCode =>
  failed > 0 || remaining !== 0 ? 1 : 0;

interface Progress {
  readonly model: EmbeddingIdentity;
  readonly active: EmbeddingIdentity;
  readonly live: number;
  readonly done: number;
  readonly share: number;
}

async function progressOf({ identities, inspect }: Engine, target: EmbeddingIdentity): Promise<Progress> {
  const [{ active }, shares, { live }] = await Promise.all([
    identities.current(),
    identities.shares(),
    inspect.summary(),
  ]);
  const done = shares.find(({ identity }) => isSameIdentity(identity, target))?.done ?? 0;
  return { model: target, active, live, done, share: live === 0 ? 1 : done / live };
}

function say(output: Output, progress: Progress & { readonly dropped?: number }, exitCode: ExitCode = 0): ExitCode {
  const { model, active, live, done, share, dropped = 0 } = progress;
  const isActive = isSameIdentity(model, active);
  output.say(`\`${model.model}\`: ${done} of ${counted(live, "memory", "memories")}, ${(100 * share).toFixed(1)} %`);
  output.say(isActive ? "searches use it" : `searches use \`${active.model}\` until it covers the store`);
  if (dropped > 0) output.say(`removed ${counted(dropped, "vector")} of other models`);
  output.document({ ...progress, is_active: isActive, exit_code: exitCode });
  return exitCode;
}

const notHere = (url: string) =>
  new StartError(
    `the store belongs to the backend at ${url}`,
    "on the store's machine: `CHEST_MODE=local chest-index …`; in a container: `docker compose exec chest chest-index …`",
  );

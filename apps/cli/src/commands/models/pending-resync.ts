import type { Embedder } from "@chest/core/ports";
import { readConfig } from "../../connect/config.ts";
import { readModelsConfig } from "../../connect/models-config.ts";
import { withBacklog } from "../../embedding/backlog.ts";
import { drain } from "../../embedding/drain.ts";
import { loadEmbedder, openModels } from "../../embedding/own-model.ts";
import { openDrainProgress } from "../../embedding/progress.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import type { Output } from "../../terminal/output.ts";
import { counted, readCount } from "../../terminal/parse-numbers.ts";

const MAX_BATCH = 200;

export const pendingResync = reachingCommand({
  meta: { name: "pending-resync", description: "Embed memories without a vector on this machine" },
  args: {
    "dry-run": { type: "boolean", description: "Only count them, and with a model estimate the time" },
    "batch-size": { type: "string", description: "Most memories at once, 1 to 200", default: "200", valueHint: "n" },
    timeout: { type: "string", description: "Seconds for each call of a backend", default: "30", valueHint: "seconds" },
    concurrency: { type: "string", description: "Batches under way at once, 1 to 8", default: "2", valueHint: "n" },
    "max-retry": {
      type: "string",
      description: "Retries for a busy backend",
      default: "5",
      valueHint: "n",
    },
  },
  async run(args, { env, output }) {
    const batchSize = batchSizeOf(args["batch-size"], output);
    const concurrency = readCount("concurrency", args.concurrency, 1, 8);
    const maxRetry = readCount("max-retry", args["max-retry"], 0, 20);
    const timeoutMs = 1000 * readCount("timeout", args.timeout, 1, 600);
    const models = openModels(readModelsConfig(env));
    try {
      return await withBacklog(
        readConfig(env, args),
        async ({ queue, active, sample }) => {
          if (args["dry-run"]) {
            const { remaining, texts } = await sample();
            const here = models.of(active);
            const isUsable = (await here.state()).isUsable;
            const seconds = isUsable ? await estimate(here, texts, remaining) : undefined;
            output.say(
              `${counted(remaining, "memory lacks", "memories lack")} a vector of \`${active.model}\`; ${
                seconds === undefined
                  ? "the time cannot be estimated without the model: `chest-index fetch-model` downloads it"
                  : `embedding takes about ${seconds} s`
              }`,
            );
            output.document({ dry_run: true, remaining, estimated_seconds: seconds ?? null });
            return 0;
          }
          const embedder = await loadEmbedder(models, active);
          const line = openDrainProgress(args.json || args.quiet ? undefined : process.stderr);
          const { report, error } = await drain({
            queue,
            maxRetry,
            embedder,
            batchSize,
            concurrency,
            onProgress: line.tell,
          });
          line.end();
          const { total_processed: done, total_skipped: skipped, total_failed: failed, remaining } = report;
          output.say(
            `embedded ${done}, skipped ${skipped}, failed ${failed}; ${remaining ?? "an unknown number"} remain`,
          );
          if (report.total_cut > 0)
            output.say(
              `${report.total_cut} of them are longer than the model's limit: only their beginnings were embedded`,
            );
          output.document(report);
          if (error && !args.json) output.problem(error);
          return report.exit_code;
        },
        timeoutMs,
      );
    } finally {
      await models.close();
    }
  },
});

function batchSizeOf(value: string, output: Output): number {
  const size = readCount("batch-size", value, 0, Number.MAX_SAFE_INTEGER);
  const clamped = Math.min(Math.max(size, 1), MAX_BATCH);
  if (clamped !== size) output.warn(`\`--batch-size ${size}\` is outside 1–${MAX_BATCH}, so ${clamped} is used`);
  return clamped;
}

/** Estimates whole seconds from a measured batch. The first text loads the model, so it is not measured. */
async function estimate(embedder: Embedder, texts: readonly string[], remaining: number): Promise<number> {
  const { signal } = new AbortController();
  const [first] = texts;
  if (first === undefined) return 0;
  await embedder.embedPassages([first], signal);
  const startedAt = performance.now();
  await embedder.embedPassages(texts, signal);
  return Math.ceil(((performance.now() - startedAt) / texts.length / 1000) * remaining);
}

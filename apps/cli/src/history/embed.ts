import { ChestError, endpoints } from "@chest/contracts";
import { WRITERS_OWN_MS } from "@chest/core/embedding";
import { type Env, StartError } from "@chest/runtime";
import { withBackend } from "../connect/backend.ts";
import type { Config } from "../connect/config.ts";
import { readModelsConfig } from "../connect/models-config.ts";
import { withBacklog } from "../embedding/backlog.ts";
import { drain } from "../embedding/drain.ts";
import { openModels } from "../embedding/own-model.ts";
import { openDrainProgress } from "../embedding/progress.ts";

const BATCH = 200;
// Memories that other processes have claimed are left to them, because the import is done.
const PATIENCE_MS = 5_000;

/** Embeds the imported memories, where this machine has the model. @returns one line on the result. */
export async function embedAfter(env: Env, config: Config, stderr: typeof process.stderr | undefined): Promise<string> {
  try {
    if (config.remote && (await hasOwnEmbedder(config.remote))) return "the backend makes their vectors";
    return await embedHere(env, config, stderr);
  } catch (error) {
    // A failure here does not undo the import.
    if (error instanceof ChestError || error instanceof StartError) return `${LATER} (${error.message})`;
    throw error;
  }
}

async function embedHere(env: Env, config: Config, stderr: typeof process.stderr | undefined): Promise<string> {
  const models = openModels(readModelsConfig(env));
  const line = openDrainProgress(stderr);
  try {
    return await withBacklog(config, async ({ queue, active }) => {
      const embedder = models.of(active);
      const { isUsable } = await embedder.state();
      if (!isUsable || !embedder.identity) return LATER;
      const { report, error } = await drain({
        queue,
        embedder,
        batchSize: BATCH,
        concurrency: 1,
        onProgress: line.tell,
        patienceMs: PATIENCE_MS,
      });
      if (error) throw error;
      const { total_processed: done, remaining } = report;
      return `embedded ${done}; ${remaining ?? "an unknown number"} remain${remaining === 0 ? "" : HELD}`;
    });
  } finally {
    line.end();
    await models.close();
  }
}

const HELD = `, left to their writers of the last ${WRITERS_OWN_MS / 1000} seconds, or under way elsewhere: \`chest-index pending-resync\` takes what still waits then`;

const LATER =
  "found by their words; `chest-index fetch-model` and then `chest-index pending-resync` have them found by meaning too";

const hasOwnEmbedder = (reach: NonNullable<Config["remote"]>): Promise<boolean> =>
  withBackend(reach, async (backend) => (await backend.call(endpoints.capabilities)).server_has_embedder);

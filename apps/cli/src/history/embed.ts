import { endpoints } from "@chest/contracts";
import type { Env } from "@chest/runtime";
import { withBackend } from "../compose.ts";
import type { Config } from "../config.ts";
import { withBacklog } from "../embedding/backlog.ts";
import { drain } from "../embedding/drain.ts";
import { openModels } from "../embedding/own-model.ts";
import { openProgressLine } from "../embedding/progress-line.ts";
import { readModelsConfig } from "../models-config.ts";

const BATCH = 200;
// What others are at is theirs: the import is done.
const PATIENCE_MS = 5_000;

/** Makes the vectors of what came in, where this machine has the model for it. @returns what became of it, in a line. */
export async function embedAfter(env: Env, config: Config, stderr: typeof process.stderr | undefined): Promise<string> {
  if (config.remote && (await hasOwnEmbedder(config.remote))) return "the backend makes their vectors";
  const models = openModels(readModelsConfig(env));
  try {
    return await withBacklog(config, async ({ queue, active }) => {
      const embedder = models.of(active);
      const { isUsable } = await embedder.state();
      if (!isUsable || !embedder.identity) return LATER;
      const line = openProgressLine(stderr);
      const { report } = await drain({
        ...{ queue, embedder, batchSize: BATCH, concurrency: 1, onProgress: line.tell, patienceMs: PATIENCE_MS },
      });
      line.end();
      return `embedded ${report.total_processed}; ${report.remaining} remain`;
    });
  } finally {
    await models.close();
  }
}

const LATER =
  "found by their words; `chest-index fetch-model` and then `chest-index pending-resync` have them found by meaning too";

const hasOwnEmbedder = (reach: NonNullable<Config["remote"]>): Promise<boolean> =>
  withBackend(reach, async (backend) => (await backend.call(endpoints.capabilities)).server_has_embedder);

import { openDownloads, tryLock } from "@chest/client";
import type { ChestError } from "@chest/contracts";
import { modelOf } from "@chest/core/embedding";
import { type FileResult, fetchModel, KNOWN_EMBEDDERS, KNOWN_RERANKERS, type ModelSpec } from "@chest/models";
import { ensureFolder } from "@chest/runtime";
import { KNOWN_IDS, type ModelsConfig, readModelsConfig } from "../../connect/models-config.ts";
import { ownCommand } from "../../terminal/command-context.ts";
import { openProgress, type Progress } from "../../terminal/download-progress.ts";
import { UsageError } from "../../terminal/usage.ts";

export const fetchModelCommand = ownCommand({
  meta: {
    name: "fetch-model",
    description: "Download the embedding model to this machine, or verify it",
  },
  args: {
    model: {
      type: "string",
      description: "A model other than CHEST_EMBED_MODEL; Xenova/bge-m3 by default",
      valueHint: "id",
    },
    reranker: { type: "boolean", description: "Also the reranker; automatic with CHEST_RERANK_ENABLED" },
    endpoint: { type: "string", description: "A mirror of the hub; HF_ENDPOINT otherwise", valueHint: "url" },
    force: { type: "boolean", description: "Download existing files again" },
    verify: { type: "boolean", description: "Check the installed files, and download damaged ones again" },
  },
  async run(args, { env, output }) {
    const config = readModelsConfig({ ...env, ...(args.endpoint ? { HF_ENDPOINT: args.endpoint } : {}) });
    const specs = specsOf(config, args);
    ensureFolder(config.modelsDir);
    const startedAt = new Date();
    const progress = openProgress(args.json || args.quiet ? undefined : process.stderr);
    const fetched = await fetchAll(specs, config, args, progress);
    const failed = fetched.find(({ result }) => result.error);
    const exitCode = failed ? 2 : 0;
    output.document({
      started_at: startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      models: specs.map(({ id }) => id),
      results: fetched.map(resultDocument),
      total_bytes: fetched.reduce((sum, { result }) => sum + (result.status === "downloaded" ? result.bytes : 0), 0),
      exit_code: exitCode,
    });
    // With `--json` the document reports the failure already, and only one document may be printed.
    if (failed?.result.error && !args.json) output.problem(failed.result.error);
    return exitCode;
  },
});

interface FetchFlags {
  readonly model?: string | undefined;
  readonly reranker?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly verify?: boolean | undefined;
}

interface Fetched {
  readonly model: string;
  readonly result: FileResult;
}

/** Downloads the models one after another, and stops at the first that fails. */
async function fetchAll(
  specs: readonly ModelSpec[],
  config: ModelsConfig,
  flags: FetchFlags,
  progress: Progress,
): Promise<Fetched[]> {
  const { modelsDir, endpoint, transport } = config;
  const downloads = await openDownloads(transport);
  const fetched: Fetched[] = [];
  try {
    for (const spec of specs) {
      const results = await fetchModel(spec, {
        modelsDir,
        endpoint,
        lock: tryLock,
        get: downloads.stream,
        signal: new AbortController().signal,
        isForced: flags.force ?? false,
        isVerifying: flags.verify ?? false,
        onEvent: (event) => progress.tell(spec.id, event),
      });
      fetched.push(...results.map((result) => ({ model: spec.id, result })));
      if (results.some(({ error }) => error)) break;
    }
  } finally {
    progress.end();
    downloads.close();
  }
  return fetched;
}

function specsOf({ embedder, reranker, isReranking }: ModelsConfig, flags: FetchFlags): readonly ModelSpec[] {
  const id = flags.model && modelOf(flags.model);
  const named = [embedder.model, ...KNOWN_EMBEDDERS, reranker, ...KNOWN_RERANKERS].find((spec) => spec?.id === id);
  if (id && !named) throw unknown(id);
  return [
    named ?? embedder.model ?? KNOWN_EMBEDDERS[0],
    ...(flags.reranker || (isReranking && !flags.model) ? [reranker] : []),
  ];
}

const unknown = (id: string) =>
  new UsageError(
    `\`${id.slice(0, 80)}\` is not one of ${KNOWN_IDS.join(", ")}`,
    "describe another one with CHEST_EMBED_MODEL, CHEST_EMBED_DIMENSIONS and CHEST_EMBED_POOLING",
  );

const resultDocument = ({ model, result: { file, status, bytes, ms, error } }: Fetched) => ({
  model_id: model,
  filename: file,
  status,
  bytes,
  duration_ms: ms,
  ...(error ? { error: errorDocument(error) } : {}),
});

const errorDocument = ({ code, message, hint }: ChestError) => ({ code, message, hint });

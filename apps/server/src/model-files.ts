import { ChestError, type ModelView } from "@chest/contracts";
import { modelOf } from "@chest/core/embedding";
import { type FetchEvent, fetchModel, hasLibrary, KNOWN_EMBEDDERS, type ModelSpec, missingFiles } from "@chest/models";
import { ensureFolder } from "@chest/runtime";
import type { Logger } from "@chest/runtime/logger";
import type { Config } from "./config.ts";

/** Downloads of the models that this backend may run. */
export interface ModelFiles {
  list(): Promise<{ readonly can_run: boolean; readonly models: ModelView[] }>;
  /**
   * Begins a download, unless one is under way or no file is missing. Throws where the library that runs models is
   * missing.
   */
  fetch(id: string): Promise<{ readonly model: string }>;
  close(): Promise<void>;
}

interface Attempt {
  /** Undefined once the download has ended. */
  running: Promise<void> | undefined;
  received: number;
  trouble: ChestError | undefined;
}

interface Offered {
  readonly use: ModelView["use"];
  readonly isConfigured: boolean;
  readonly spec: ModelSpec;
}

/** @param canRun tells whether the library that runs models is installed. */
export function openModelFiles(
  { embedding, reranking }: Pick<Config, "embedding" | "reranking">,
  log: Pick<Logger, "info" | "warn">,
  canRun: () => boolean = hasLibrary,
): ModelFiles {
  const { choice, modelsDir } = embedding;
  const offered: readonly Offered[] = [
    { use: "embedding", isConfigured: choice.model !== undefined, spec: choice.model ?? KNOWN_EMBEDDERS[0] },
    ...(reranking ? [{ use: "reranking" as const, isConfigured: true, spec: reranking.model }] : []),
  ];
  const attempts = new Map<string, Attempt>();
  const stop = new AbortController();

  async function run({ id, ...spec }: ModelSpec, attempt: Attempt): Promise<void> {
    // The download code is loaded with the first download.
    const { openDownloads, tryLock } = await import("@chest/client/downloads");
    const { endpoint, proxy } = embedding.downloads;
    const downloads = await openDownloads({ proxy });
    let whole = 0;
    const onEvent = (event: FetchEvent) => {
      if (event.kind === "progress") attempt.received = whole + event.received;
      if (event.kind === "done") attempt.received = whole += event.result.bytes;
    };
    try {
      ensureFolder(modelsDir);
      const over = { modelsDir, endpoint, lock: tryLock, get: downloads.stream, signal: stop.signal, onEvent };
      const results = await fetchModel({ id, ...spec }, over);
      attempt.trouble = results.find(({ error }) => error)?.error;
    } finally {
      downloads.close();
    }
  }

  function begin(spec: ModelSpec): void {
    const attempt: Attempt = { running: undefined, received: 0, trouble: undefined };
    const model = spec.id;
    attempt.running = run(spec, attempt)
      .catch((error: unknown) => {
        attempt.trouble =
          error instanceof ChestError ? error : new ChestError("INTERNAL_ERROR", "the download broke off");
        if (!stop.signal.aborted && !(error instanceof ChestError))
          log.warn({ model, err: error }, "a download failed");
      })
      .finally(() => {
        attempt.running = undefined;
        const { trouble } = attempt;
        if (trouble) log.warn({ model, code: trouble.code }, "the model could not be fetched");
        else log.info({ model }, "the model was fetched");
      });
    attempts.set(model, attempt);
    log.info({ model }, "fetching the model");
  }

  async function view({ use, isConfigured, spec }: Offered): Promise<ModelView> {
    const { id, files } = spec;
    const { running, received = 0, trouble } = attempts.get(id) ?? {};
    const isRunning = running !== undefined;
    const missing = await missingFiles(modelsDir, spec);
    const state = isRunning ? "fetching" : missing.length === 0 ? "here" : trouble ? "failed" : "missing";
    const known = files.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
    return {
      ...{ id, use, is_configured: isConfigured, state },
      received_bytes: isRunning ? received : 0,
      total_bytes: known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0),
      trouble:
        state === "failed" && trouble
          ? { code: trouble.code, message: trouble.message, hint: trouble.hint ?? null }
          : null,
    };
  }

  return {
    list: async () => ({ can_run: canRun(), models: await Promise.all(offered.map(view)) }),
    async fetch(named) {
      const id = modelOf(named);
      const found = offered.find(({ spec }) => spec.id === id);
      if (!found) throw notOffered(offered);
      if (!canRun()) throw noLibrary();
      const missing = await missingFiles(modelsDir, found.spec);
      // Checked with no `await` before `begin`, so two requests at once begin one download.
      if (missing.length > 0 && !attempts.get(id)?.running) begin(found.spec);
      return { model: id };
    },
    async close() {
      stop.abort(new ChestError("UNAVAILABLE", "the backend is closing"));
      await Promise.all([...attempts.values()].map(({ running }) => running));
    },
  };
}

const notOffered = (offered: readonly Offered[]): ChestError =>
  new ChestError("NOT_FOUND", "model: is not one that this backend may run", {
    hint: `it may run ${offered.map(({ spec }) => `\`${spec.id}\``).join(" and ")}; \`CHEST_EMBED_MODEL\` names another`,
  });

const noLibrary = (): ChestError =>
  new ChestError("REJECTED", "the model runtime is not installed with this backend", {
    hint: "`chest-index fetch-model` installs it in a clone; elsewhere `npm install --global @huggingface/transformers`",
  });

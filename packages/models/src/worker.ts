import { setImmediate as turn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Batches } from "./batches.ts";
import { type LoadedModel, loadModel } from "./model.ts";
import type { Start, Work, WorkerMessage, WorkerRequest } from "./protocol.ts";
import { loadSentences } from "./sentences/load.ts";

/** The thread that holds the model: it runs one batch at a time, and takes messages between two batches and in their pauses. */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const tell = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const waiting: Job[] = [];
  let running: Promise<void> | undefined;

  const loading = load(workerData as Start);
  port.on("message", (request: WorkerRequest) => {
    if ("isLast" in request) {
      waiting.length = 0;
      void end();
      return;
    }
    if ("isCancelled" in request) drop(waiting, request.id);
    else waiting.push({ ...request, batches: undefined });
    running ??= run();
  });
  try {
    await loading;
    tell({ loaded: true });
  } catch (error) {
    tell({ failed: readable(error), isLibraryMissing: isMissing(error) });
  }

  async function run(): Promise<void> {
    const model = await loading.catch(() => undefined); // Said already.
    while (model && waiting.length > 0) {
      const job = nextOf(waiting, model);
      try {
        if (await advance(job)) drop(waiting, job.id);
      } catch (error) {
        drop(waiting, job.id);
        tell({ id: job.id, error: readable(error) });
      }
      await turn();
    }
    running = undefined;
  }

  /** Waits for a running computation: ending the runtime during it would crash the whole process. */
  async function end(): Promise<void> {
    await running;
    await loading.catch(() => undefined); // Said already.
    port.close();
  }

  /** A pause or a batch further; true when that was the last. */
  async function advance(job: StartedJob): Promise<boolean> {
    if (!(await job.batches.next())) return false;
    const { numbers, cut } = job.batches;
    tell({ id: job.id, numbers, cut }, [numbers.buffer]);
    return true;
  }
}

const load = async (start: Start): Promise<LoadedModel> =>
  "sentences" in start ? loadSentences(start.sentences) : loadModel(start);

type Job = { readonly id: number; batches: Batches | undefined } & Work;
type StartedJob = Job & { readonly batches: Batches };

/** The job to go on with: a brief question, else what is under way, else another question, else what has waited longest. */
function nextOf(waiting: readonly Job[], model: LoadedModel): StartedJob {
  for (const job of waiting) job.batches ??= new Batches(job, model);
  const jobs = waiting as readonly StartedJob[];
  return (jobs.find(({ batches }) => batches.isBrief) ??
    jobs.find(({ batches }) => batches.isUnderWay) ??
    jobs.find(({ isUrgent }) => isUrgent) ??
    jobs[0]) as StartedJob;
}

function drop(waiting: Job[], id: number): void {
  const at = waiting.findIndex((job) => job.id === id);
  if (at >= 0) waiting.splice(at, 1);
}

/** The first line of what a library says about a model: it holds paths, and no text that was embedded. */
const readable = (error: unknown) => (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

const isMissing = (error: unknown) => {
  const { code } = error as { code?: string };
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" || code === "ERR_DLOPEN_FAILED";
};

if (parentPort) await main(parentPort);

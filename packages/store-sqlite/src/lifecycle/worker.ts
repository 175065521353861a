import { parentPort, workerData } from "node:worker_threads";
import { Connection } from "../database/connection.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { LAST } from "../threads/end-worker.ts";
import { readActivations } from "./activation.ts";
import { readClusters } from "./clusters.ts";
import { readFaded } from "./confidence.ts";
import { readDigests } from "./digest.ts";
import { readExpired } from "./expiry.ts";
import { readRisks } from "./forgetting.ts";
import { readMomenta } from "./momentum.ts";
import { readPrunable } from "./prune.ts";
import type { Ask, LifecycleReply, Message, Questions } from "./questions.ts";
import { readOutlived } from "./retention.ts";
import { readRelations } from "./supersession.ts";
import { readOutlivedTurns } from "./turns.ts";

type Answers = {
  readonly [K in Ask]: (connection: Connection, given: Questions[K]["given"]) => Questions[K]["gives"];
};

const ANSWERS: Answers = {
  activation: readActivations,
  momentum: readMomenta,
  confidence: readFaded,
  digest: readDigests,
  expiry: readExpired,
  supersession: readRelations,
  consolidation: readClusters,
  forgetting: readRisks,
  prune: readPrunable,
  conversations: readOutlivedTurns,
  retention: readOutlived,
};

const connection = new Connection((workerData as { path: string }).path, { readonly: true });

function answer({ id, ask, given }: Message): LifecycleReply {
  try {
    const read = ANSWERS[ask] as (connection: Connection, given: unknown) => unknown;
    return { id, gives: read(connection, given) };
  } catch (error) {
    return { id, error: { message: error instanceof Error ? error.message : String(error), code: sqliteCode(error) } };
  }
}

parentPort?.on("message", (message: Message | typeof LAST) => {
  if (message !== LAST) return parentPort?.postMessage(answer(message));
  connection.close();
  parentPort?.close();
});

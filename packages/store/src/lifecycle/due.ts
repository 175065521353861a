import type { Reading } from "../database/connection.ts";
import { readActivations } from "./activation.ts";
import { readClusters } from "./clusters.ts";
import { readFaded } from "./confidence.ts";
import { readDigests } from "./digest.ts";
import { readExpired } from "./expiry.ts";
import { readRisks } from "./forgetting.ts";
import { readMomenta } from "./momentum.ts";
import { readPrunable } from "./prune.ts";
import { readOutlived } from "./retention.ts";
import { readUnsorted } from "./sort-journal.ts";
import { readRelations } from "./supersession.ts";
import { readOutlivedTurns } from "./turns.ts";

/** Queries for the work of each pass, by name; an engine runs them off the main thread. */
const DUE = {
  activation: readActivations,
  momentum: readMomenta,
  confidence: readFaded,
  journal: readUnsorted,
  digest: readDigests,
  expiry: readExpired,
  supersession: readRelations,
  consolidation: readClusters,
  forgetting: readRisks,
  prune: readPrunable,
  conversations: readOutlivedTurns,
  retention: readOutlived,
};

export type DueName = keyof typeof DUE;
export type DueQuery<K extends DueName> = Parameters<(typeof DUE)[K]>[1];
export type DueResult<K extends DueName> = Awaited<ReturnType<(typeof DUE)[K]>>;

/** Asks for the work of a pass. */
export type AskDue = <K extends DueName>(name: K, query: DueQuery<K>) => Promise<DueResult<K>>;

/** Runs such a query on a connection. */
export const readDue = <K extends DueName>(connection: Reading, name: K, query: DueQuery<K>): Promise<DueResult<K>> =>
  (DUE[name] as unknown as (connection: Reading, query: DueQuery<K>) => Promise<DueResult<K>>)(connection, query);

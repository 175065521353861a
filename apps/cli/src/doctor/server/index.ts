import type { Check } from "../check.ts";
import { databaseChecks } from "./database.ts";
import { databaseServerChecks } from "./database-server.ts";
import { dockerChecks, mode } from "./docker.ts";
import { machineChecks as machine } from "./machine.ts";
import { networkChecks as network } from "./network.ts";
import { signInChecks } from "./sign-in.ts";
import type { InspectedServer } from "./target.ts";

/** Checks in the order of the report. */
export const SERVER_CHECKS: readonly Check<InspectedServer>[] = [
  ...dockerChecks,
  ...databaseChecks,
  ...databaseServerChecks,
  network.token,
  mode,
  network.health,
  network.capabilities,
  network.url,
  machine.config,
  machine.version,
  machine.schema,
  machine.disk,
  machine.volume,
  machine.permissions,
  machine.wal,
  machine.text,
  machine.vectors,
  machine.embedder,
  machine.identity,
  machine.maintenance,
  machine.backup,
  network.llm,
  network.clock,
  network.tls,
  network.proxy,
  machine.tokens,
  machine.webhooks,
  ...signInChecks,
];

export { activation, COUNTED_ACCESSES, isActivationStale, traceOf } from "./activation.ts";
export { backUpBeforehand, scheduleBackups } from "./backup-schedule.ts";
export { type Clusterable, clustersOf, wordPrints } from "./cluster.ts";
export {
  DIGEST_AFTER_DAYS,
  DIGEST_BELOW,
  DIGEST_IMPORTANCE,
  type Digestible,
  type DigestLimits,
  digestsOf,
} from "./digest.ts";
export { faded } from "./fading.ts";
export { heat } from "./heat.ts";
export {
  DEFAULT_MAINTENANCE,
  jumpedSince,
  type MaintenanceSettings,
  previewPasses,
  runJournalled,
  type SummariesListener,
} from "./maintenance.ts";
export { openMaintenanceScheduler, type RunListener } from "./maintenance-scheduler.ts";
export { momentum } from "./momentum.ts";
export { isWorthless } from "./prune.ts";
export { isOfThePast, NEVER_AT_RISK_DAYS, risk, riskVerdict } from "./risk.ts";
export { SUMMARY_LAYER, summariesOf } from "./summary.ts";
export { isOlder, MOST_PEERS, type Relation, relationOf } from "./supersede.ts";

import type { AuditLog } from "@chest/core/ports";
import type { Refusals } from "@chest/store/access/refusals";
import type { Reading } from "../database/connection.ts";
import { queriesOf, type Searcher } from "../threads/search-pool.ts";

const NEWEST = "SELECT coalesce(max(seq), 0) AS seq FROM audit_log";

/** The audit log. Numbers follow the order of commits, so no lower number appears later. */
export const auditLog = (pool: Searcher, reader: Reading, refusals: Refusals): AuditLog => ({
  newest: async () => reader.get<{ seq: number }>(NEWEST)?.seq ?? 0,
  list: (query) => queriesOf(pool)("listAudit", query),
  refused: (refusal) => refusals.note(refusal),
});

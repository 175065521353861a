import type { AuditEntryView, PurgeView } from "@chest/contracts";
import { z } from "zod";
import { idNumeral, numeral } from "../arguments/numeral.ts";
import type { AuditEntry, AuditLog } from "../ports/audit.ts";
import type { Purger, PurgeTarget } from "../ports/operations/purge.ts";
import { wellFormed } from "../text/characters.ts";
import { invalid, readFields } from "../tool.ts";
import type { Caller } from "./caller.ts";
import { lacksScope } from "./refusals.ts";

/** Fields of audit queries and purges: REST fields, and the flags of the CLI. */
export const RECORD_FIELDS = {
  audit: z.strictObject({
    member: z.string().max(64).transform(wellFormed).optional(),
    op: z.string().max(100).transform(wellFormed).optional(),
    memory_id: idNumeral().optional(),
    since: z.iso.datetime({ offset: true, error: "is not a time like `2026-11-21T12:00:00Z`" }).optional(),
    before: numeral(1).optional(),
    limit: numeral(1, 1000).default(100),
  }),
  purge: z.strictObject({
    ids: z.array(z.int().positive()).min(1).max(10_000).optional(),
    member: z.string().min(1).max(64).transform(wellFormed).optional(),
    session: z.string().min(1).max(128).transform(wellFormed).optional(),
    private_only: z.boolean().default(false),
    confirm: z.boolean().default(false),
  }),
} as const;

/** Reads the audit log, for operators. */
export async function readAudit(log: AuditLog, input: unknown): Promise<AuditEntryView[]> {
  const { memory_id: memoryId, since, ...asked } = readFields(RECORD_FIELDS.audit, input);
  const entries = await log.list({ ...asked, memoryId, since: since === undefined ? undefined : new Date(since) });
  return entries.map(entryView);
}

const entryView = ({ seq, at, member, tokenId, client, op, outcome, memoryIds, subject, times }: AuditEntry) => ({
  seq,
  at: at.toISOString(),
  member: member ?? null,
  token_id: tokenId ?? null,
  client: client ?? null,
  op,
  outcome,
  memory_ids: [...memoryIds],
  ...(subject === undefined ? {} : { subject }),
  times,
});

/** Takes memories away for good, or says which would go. For admins, and for a caller with the file itself. */
export async function purgeFor(purger: Purger, caller: Caller, input: unknown): Promise<PurgeView> {
  if (!caller.scopes.has("admin")) throw lacksScope("admin");
  const { confirm, ...asked } = readFields(RECORD_FIELDS.purge, input);
  const target = oneTarget(asked);
  const ids = await purger.find(target);
  if (!confirm) return { confirmed: false, purged: [...ids], derived: [], backups_with_copies: [] };
  const { purged, derived, backups, isLogClean, keptBy } = await purger.purge(caller, ids, target);
  return {
    confirmed: true,
    purged: [...purged],
    derived: [...derived],
    log_clean: isLogClean,
    ...(keptBy ? { copies_kept_by: [...keptBy] } : {}),
    // The folder on the host is never told over the wire.
    backups_with_copies: backups.map((file) => file.split(/[\\/]/).at(-1) ?? file),
  };
}

type PurgeRequest = Omit<z.output<(typeof RECORD_FIELDS)["purge"]>, "confirm">;

function oneTarget({ ids, member, session, private_only: isPrivateOnly }: PurgeRequest): PurgeTarget {
  if (isPrivateOnly && member === undefined) {
    throw invalid([{ path: "private_only", message: "needs `member`: it selects that member's private memories" }]);
  }
  const targets: PurgeTarget[] = [
    ...(ids === undefined ? [] : [{ ids }]),
    ...(member === undefined ? [] : [{ member, isPrivateOnly }]),
    ...(session === undefined ? [] : [{ session }]),
  ];
  const [target] = targets;
  if (target && targets.length === 1) return target;
  throw invalid([{ path: "", message: "give exactly one of `ids`, `member` and `session`" }]);
}

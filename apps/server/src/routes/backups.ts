import { endpoints } from "@chest/contracts";
import { listedRow, madeRow } from "@chest/core/doctor";
import type { RunOnce } from "@chest/core/idempotency";
import type { Backups } from "@chest/core/ports";
import type { KeepRule } from "@chest/runtime";
import type { FastifyInstance } from "fastify";
import { writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface BackupOptions {
  readonly backups: Pick<Backups, "make" | "list" | "rotate">;
  readonly keep: KeepRule;
  readonly once: RunOnce;
}

/** Lists names and checksums; never a path of this host, and never the file itself. */
export function backupRoutes(app: FastifyInstance, { backups, keep, once }: BackupOptions): void {
  serve(app, endpoints.listBackups, async () => ({
    ok: true as const,
    backups: (await backups.list()).map(listedRow),
  }));

  async function make() {
    const made = await backups.make("manual");
    await backups.rotate(keep);
    return { ok: true as const, backup: madeRow(made) };
  }
  serve(app, endpoints.makeBackup, async (request, reply) => once(writeCallOf(request, reply), make));
}

import { basename } from "node:path";
import { endpoints } from "@chest/contracts";
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
    backups: (await backups.list()).map(({ file, madeAt, reason, bytes, sha256, schema, memories }) => ({
      file,
      made_at: madeAt.toISOString(),
      reason,
      bytes,
      sha256: sha256 ?? null,
      schema: schema ?? null,
      memories: memories ?? null,
    })),
  }));

  async function make() {
    const { path, made_at, reason, bytes, sha256, schema, rows } = await backups.make("manual");
    await backups.rotate(keep);
    const backup = { file: basename(path), made_at, reason, bytes, sha256, schema, memories: rows.memories ?? 0 };
    return { ok: true as const, backup };
  }
  serve(app, endpoints.makeBackup, async (request, reply) => once(writeCallOf(request, reply), make));
}

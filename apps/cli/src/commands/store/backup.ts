import { existsSync } from "node:fs";
import { type BackupRow, endpoints } from "@chest/contracts";
import { listedRow, madeRow } from "@chest/core/doctor";
import { ensureFolder, loadStores } from "@chest/runtime";
import { openReach } from "../../connect/backend.ts";
import { assertFile, type Config, noStore, type Reach, readConfig } from "../../connect/config.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { UsageError } from "../../terminal/usage.ts";

export const backup = reachingCommand({
  meta: { name: "backup", description: "Copy the store while it is in use, verified; or list the copies" },
  args: {
    what: { type: "positional", description: "`list`, or nothing to make one", required: false },
    list: { type: "boolean", description: "List the backups, newest first" },
    out: { type: "string", description: "Folder to write it to, instead of CHEST_BACKUP_DIR", valueHint: "folder" },
  },
  async run(args, { env, output }) {
    if (args.what !== undefined && args.what !== "list") {
      throw new UsageError(
        `unknown argument \`${args.what}\``,
        "`chest-index backup` makes one, `chest-index backup list` lists them",
      );
    }
    const config = readConfig(env, args);
    if (config.remote && args.out !== undefined) {
      throw new UsageError("`--out` names a folder of this machine", "a backend keeps its backups in its own folder");
    }
    if (!config.remote) assertFile(config, "backup");
    const folder = args.out ?? config.backupDir;
    if (args.what === "list" || args.list) {
      const rows = config.remote ? await listRemote(config.remote) : await listLocal(folder);
      output.rows(rows.map(cellsOf));
      if (rows.length === 0) output.say(`no backups in ${config.remote?.url ?? folder}`);
      output.document(rows);
      return rows.length > 0 ? 0 : 1;
    }
    const startedAt = performance.now();
    const { remote } = config;
    const made = await output.working("backing up", () => (remote ? makeRemote(remote) : makeLocal(config, folder)));
    output.rows([cellsOf(made)]);
    output.document({
      ...made,
      rows: made.memories,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    });
    return 0;
  },
});

async function makeLocal(config: Config, folder: string): Promise<BackupRow> {
  if (!existsSync(config.dbPath)) throw noStore(config.dbPath);
  ensureFolder(folder);
  const { backUpFile, rotateBackups } = await loadStores(() => import("@chest/store-sqlite"));
  const made = await backUpFile({ path: config.dbPath, folder, reason: "manual" });
  // In a folder named by the user, old backups are not deleted.
  if (folder === config.backupDir) await rotateBackups(folder, config.backupKeep);
  return { ...madeRow(made), file: made.path };
}

async function listLocal(folder: string): Promise<BackupRow[]> {
  const { listBackups } = await loadStores(() => import("@chest/store-sqlite"));
  return (await listBackups(folder)).map((backup) => ({ ...listedRow(backup), file: backup.path }));
}

/**
 * Makes a backup on the backend. The time limit is long because a large store takes long; a second call joins a running
 * backup.
 */
async function makeRemote(reach: Reach): Promise<BackupRow> {
  const backend = openReach({ ...reach, timeoutMs: Math.max(reach.timeoutMs, 120_000) });
  try {
    return (await backend.call(endpoints.makeBackup, { body: {}, tries: 1 })).backup;
  } finally {
    backend.close();
  }
}

async function listRemote(reach: Reach): Promise<readonly BackupRow[]> {
  const backend = openReach(reach);
  try {
    return (await backend.call(endpoints.listBackups)).backups;
  } finally {
    backend.close();
  }
}

function cellsOf({ file, made_at, reason, bytes, memories }: BackupRow): string[] {
  const rows = memories === null ? "no manifest" : counted(memories, "memory", "memories");
  return [made_at, reason, `${(bytes / 1_048_576).toFixed(1)} MB`, rows, file];
}

import { storeAll } from "../common.ts";
import type { Part } from "../part.ts";
import {
  AFTER,
  backUpUnderLoad,
  type Drill,
  fromASpoiltFile,
  inOrder,
  killedHalfWay,
  leftByAPowerCut,
  overARunningBackend,
  textsOf,
  timed,
} from "./restore-drills.ts";

const BEFORE = 60;
const KILLS = { long: 4, short: 1, unguarded: 8 };
const RESTORE = "packages/store-sqlite/src/backups/restore.ts";

/** Part that restores backups, some of them damaged, some interrupted. */
export const restore: Part = {
  name: "restore",
  does: "backups made under load and restored: over a running backend, from a corrupt file, killed half-way, and normally",
  holds: [
    {
      says: "a backup has every memory acknowledged before its request, and is intact",
      guards: [
        {
          name: "a backup comes from the database, log included",
          edits: [
            {
              file: "packages/store-sqlite/src/database/copy-database.ts",
              find: "await db.backup(to, { progress: () => ALL_PAGES });",
              put: 'process.getBuiltinModule("node:fs").copyFileSync(db.name, to);',
            },
            {
              file: "packages/store-sqlite/src/database/connection.ts",
              find: 'this.db.pragma("temp_store = MEMORY");',
              put: 'this.db.pragma("wal_autocheckpoint = 0");',
            },
          ],
          shows: /were acknowledged before it was asked for/,
        },
      ],
    },
    {
      says: "a restore over a running backend, or from a corrupt file, is refused and changes nothing",
      guards: [
        {
          name: "never over a running backend",
          edits: [{ file: RESTORE, find: "if (!(await lock.take())) throw inUse(path);", put: "await lock.take();" }],
          shows: /over a running backend/,
        },
        {
          name: "a backup is checked before it replaces the store",
          edits: [
            { file: RESTORE, find: "about && about.sha256 !== (await sha256Of(beside))", put: "false as boolean" },
            {
              file: RESTORE,
              find: "const contents = sound(source, beside);",
              put: 'const contents = { rows: {}, schema: "", storeUid: "" } as Contents;',
            },
            { file: RESTORE, find: "const differs = about && ", put: "const differs = false as const && " },
          ],
          shows: /spoilt file/,
        },
      ],
    },
    {
      says: "a restore killed at any moment leaves either the old store or the restored one",
      guards: [
        {
          name: "the copy is made alongside, then renamed into place",
          edits: [
            {
              file: RESTORE,
              find: "await rename(beside, path);",
              put: `const bytes = await (await import("node:fs/promises")).readFile(beside);
                await rm(path);
                await (await import("node:fs/promises")).writeFile(path, bytes.subarray(0, bytes.length / 2));
                await new Promise((go) => setTimeout(go, 4000));
                await (await import("node:fs/promises")).writeFile(path, bytes);`,
            },
          ],
          shows: /killed half-way/,
        },
      ],
    },
    {
      says: "a restore brings back every memory of the backup, searchable, and keeps the replaced file",
      guards: [
        {
          name: "the old store's log moves with it",
          edits: [
            { file: RESTORE, find: "if (rowsBefore !== undefined) foldLog(path);", put: "" },
            {
              file: RESTORE,
              find: "if (log && log.size > 0) await rename(`$" + "{path}-wal`, `$" + "{kept}-wal`);",
              put: "",
            },
            {
              file: RESTORE,
              find: 'for (const suffix of ["-wal", "-shm"]) await rm(path + suffix, { force: true });',
              put: "",
            },
          ],
          shows: /a restore (miscounts|lost)|after a restore:/,
        },
        {
          name: "the index comes with the rows",
          edits: [
            {
              file: "packages/store-sqlite/src/database/copy-database.ts",
              find: "const contents = readContents(to);",
              put: `const emptied = new Database(to);
            emptied.exec("INSERT INTO memory_fts (memory_fts) VALUES ('delete-all')");
            emptied.close();
            const contents = readContents(to);`,
            },
          ],
          shows: /after a restore: .* not in the index/,
        },
        {
          name: "the old store gets a name of its own",
          edits: [
            {
              file: RESTORE,
              find: "await link(path, kept).catch(() => copyFile(path, kept, constants.COPYFILE_FICLONE));",
              put: "",
            },
          ],
          shows: /does not keep the file/,
        },
      ],
    },
  ],
  rounds: { long: 12, short: 1, unguarded: 1 },
  counted: "drills",

  async run(rig) {
    const faults: string[] = [];
    const figures = {
      "memories brought back": 0,
      refused: 0,
      "killed half-way": 0,
      "old one stood": 0,
      "new one stood": 0,
    };
    for (let round = 0; round < rig.rounds && !rig.isShown(faults); round++) {
      const drill: Drill = { rig, dir: rig.folder(), faults };
      const backend = await rig.start({ dataDir: drill.dir });
      const kept = await storeAll(backend, textsOf(BEFORE));
      const file = await backUpUnderLoad(drill, backend);
      const later = await storeAll(backend, textsOf(AFTER));
      figures.refused += await overARunningBackend(drill, backend, file);
      await backend.stop();
      figures.refused += await fromASpoiltFile(drill, file);
      const tookMs = await timed(drill, file);
      for (let time = 0; time < KILLS[rig.effort] && !rig.isShown(faults); time++) {
        const stood = await killedHalfWay(drill, file, { kept, later, tookMs });
        figures["killed half-way"]++;
        if (stood !== undefined) figures[`${stood} one stood`]++;
      }
      if (rig.isShown(faults)) break;
      await leftByAPowerCut(drill);
      await inOrder(drill, file, kept);
      figures["memories brought back"] += kept.size;
    }
    return { figures, faults };
  },
};

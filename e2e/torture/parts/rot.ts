import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { Backend } from "../../support/backend.ts";
import { restDoor } from "../../support/clients/doors.ts";
import { withStoreFile } from "../../support/store-file.ts";
import { aFact, copyStoreFiles, countLost, digestOf, operate, patientDoor } from "../common.ts";
import type { Edit, Part, Rig } from "../part.ts";
import { DAMAGES } from "./damage.ts";
import { type IntactStore, makeKilledStore, makeStore, SMALL } from "./sound-stores.ts";

const MENDED_WITHIN_MS = 20_000;
/** Above the size up to which a cleanly closed store is checked at every start. */
const LARGE_BYTES = 9 * 1024 * 1024;

/** Edits that make every file count as too large to be checked before it is opened. */
const LOOKED_THROUGH_BESIDE: readonly Edit[] = [
  { file: "packages/store-sqlite/src/integrity/integrity-check.ts", find: "= 8 * 1024 * 1024;", put: "= 0;" },
  { file: "packages/store-sqlite/src/integrity/integrity-check.ts", find: "= 256 * 1024 * 1024;", put: "= 0;" },
];

/** Part with a disk that returns other bytes than were written. */
export const rot: Part = {
  name: "rot",
  does: "bytes flipped and pages blanked in database, indexes and log, and files cut off, before a start",
  holds: [
    {
      says: "a database whose rows or indexes fail the integrity check is not written to: the start ends, or, if the database is too large to check first, every write is refused; the file is unchanged",
      guards: [
        {
          name: "a file is checked before it is opened",
          edits: [
            {
              file: "packages/store-sqlite/src/integrity/integrity-check.ts",
              find: "if (faults.length === 0)",
              put: "if (faults.length < 1000)",
            },
            {
              file: "packages/store-sqlite/src/integrity/fts-repair.ts",
              find: "else if (!isFound(reader)) await",
              put: "else if (reader === undefined) await",
            },
          ],
          shows: /opened for writing/,
        },
        {
          name: "a damaged store accepts no more writes",
          edits: [
            ...LOOKED_THROUGH_BESIDE,
            {
              file: "packages/store-sqlite/src/integrity/integrity-monitor.ts",
              find: "writer.halt(damaged());",
              put: "",
            },
          ],
          shows: /opened for writing/,
        },
        {
          name: "a write waits until its file has been checked",
          edits: [
            ...LOOKED_THROUGH_BESIDE,
            {
              file: "packages/store-sqlite/src/integrity/integrity-monitor.ts",
              find: "if (known && !isTrusted) writer.hold(known, patienceMs);",
              put: "",
            },
            {
              file: "packages/store-sqlite/src/integrity/integrity-check.ts",
              find: "const verdict = await verdictOf(looking);",
              put: "const verdict = await verdictOf(looking);\n      await sleep(4000);",
            },
          ],
          shows: /opened for writing/,
        },
      ],
    },
    {
      says: "the message says how to restore, and that command brings back every memory of the backup",
      guards: [
        {
          name: "a refusal says how to restore",
          edits: [
            {
              file: "packages/store-sqlite/src/store-file/explain-open-error.ts",
              find: 'if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT"))',
              put: 'if (code === "never")',
            },
          ],
          shows: /no message says how to restore/,
        },
        {
          name: "a restore puts its copy in place",
          edits: [
            { file: "packages/store-sqlite/src/backups/restore.ts", find: "await rename(beside, path);", put: "" },
          ],
          shows: /the restored store/,
        },
      ],
    },
    {
      says: "a database that passes its integrity check is opened",
      guards: [
        {
          name: "a log left by a crash is read, not treated as damage",
          edits: [
            {
              file: "packages/store-sqlite/src/open.ts",
              find: "if (isAfterCrash && !isUnseen) seen.add(checkIntegrity(path));",
              put: 'if (isAfterCrash) throw Object.assign(new Error("a log"), { code: "SQLITE_CORRUPT" });',
            },
          ],
          shows: /the integrity check passes, and the start is refused/,
        },
      ],
    },
    {
      says: "a damaged text index alone is rebuilt from the rows, without stopping readers or writers, and no memory is lost",
      guards: [
        {
          name: "a damaged text index is rebuilt",
          edits: [
            {
              file: "packages/store-sqlite/src/integrity/fts-repair.ts",
              find: "await writer.sweep(async () => beginFilling(writing));",
              put: "",
            },
          ],
          shows: /text index .*not made anew/,
        },
      ],
    },
  ],
  rounds: { long: 120, short: 9, unguarded: 18 },
  counted: "damaged files",

  async run(rig) {
    const faults: string[] = [];
    const [closed, killed] = [await makeStore(rig), await makeKilledStore(rig)];
    const large = rig.effort === "unguarded" ? closed : await makeStore(rig, LARGE_BYTES);
    const stores = { closed, killed, large };
    const counts = {
      refused: 0,
      restored: 0,
      opened: 0,
      "indexes made anew": 0,
      unseen: 0,
      "memories changed unseen": 0,
      "memories lost with the log's tail": 0,
    };
    const kinds = Object.entries(DAMAGES);
    for (let round = 0; round < rig.rounds && !rig.isShown(faults); round++) {
      const [what, damage] = kinds[round % kinds.length] as (typeof kinds)[number];
      const sound = stores[damage.to];
      const dir = rig.folder();
      copyStoreFiles(sound.dir, dir);
      damage.work(join(dir, damage.file), rig.random);
      const state = stateOf(dir, rig);
      const before = digestsOf(dir);
      const started = await rig.start({ dataDir: dir }).catch((error: Error) => error.message);
      if (typeof started === "string") {
        counts.refused++;
        const isKept = JSON.stringify(digestsOf(dir)) === JSON.stringify(before);
        if (state !== "damaged") faults.push(`${what} is gone, the integrity check passes, and the start is refused`);
        if (!isKept) faults.push(`${what} is gone, and a start that was refused changed the files`);
        if (!/damaged|no SQLite database/.test(started))
          faults.push(`${what} is gone, and the message does not say so`);
        if (!/^hint: .*`chest-index restore/m.test(started))
          faults.push(`${what} is gone, and no message says how to restore`);
        if (rig.effort === "long" ? counts.refused % 3 === 1 : counts.refused === 1) {
          faults.push(...(await restores(rig, sound, dir)).map((fault) => `${what} is gone: ${fault}`));
          counts.restored++;
        }
        continue;
      }
      counts.opened++;
      if (state === "damaged")
        faults.push(...(await refusesToWrite(started, dir)).map((fault) => `${what} is gone, ${fault}`));
      else {
        if (state === "without index") {
          counts["indexes made anew"]++;
          faults.push(...(await mendsItsIndex(started, dir)).map((fault) => `${what} is gone: ${fault}`));
        }
        const lost = await countLost(patientDoor(started), sound.kept);
        if (lost > 0 && damage.file === "chest.db-wal") counts["memories lost with the log's tail"] += lost;
        else if (lost > 0) {
          counts.unseen++;
          counts["memories changed unseen"] += lost;
        }
      }
      await started.kill9();
    }
    return { figures: counts, faults };
  },
};

/** Checks that a large file can be read and not written while its integrity check runs. */
async function refusesToWrite(backend: Backend, dir: string): Promise<string[]> {
  const before = digestOf(join(dir, "chest.db"));
  const { result, error } = await restDoor(backend).call("chest_remember", aFact("is this taken"));
  if (result) return ["the integrity check fails, and the database is opened for writing"];
  const isTold =
    error?.code === "UNAVAILABLE" && /damaged/.test(error.message) && /chest-index restore/.test(error.hint ?? "");
  const ready = await fetch(`${backend.url}/readyz`);
  await backend.stop();
  return [
    ...(isTold ? [] : [`and a write is refused with ${error?.code}, which says neither that nor how to restore`]),
    ...(ready.status === 503 ? [] : ["and /readyz says that all is well"]),
    ...(digestOf(join(dir, "chest.db")) === before ? [] : ["and the file changed"]),
  ];
}

/** Asks SQLite itself about a copy of the files. */
function stateOf(dir: string, rig: Rig): "whole" | "without index" | "damaged" {
  const copy = rig.folder();
  copyStoreFiles(dir, copy);
  try {
    return withStoreFile(join(copy, "chest.db"), (db) => {
      if (faultsIn(db, "1000").length === 0) return "whole";
      // Each table is checked separately: a fault in the full-text index alone is a fault of no table.
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").pluck().all();
      return tables.every((name) => faultsIn(db, `"${name}"`).length === 0) ? "without index" : "damaged";
    });
  } catch {
    return "damaged"; // The file cannot be opened or read.
  }
}

/** Runs SQLite's check; an index of an unknown version makes the whole query fail. */
function faultsIn(db: Database.Database, what: string): string[] {
  try {
    const found = db.pragma(`integrity_check(${what})`) as { integrity_check: string }[];
    return found.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
  } catch (error) {
    if (!/fts5/i.test((error as Error).message)) throw error;
    return [(error as Error).message];
  }
}

/** Sends a write meanwhile, then checks that rows and index agree. */
async function mendsItsIndex(backend: Backend, dir: string): Promise<string[]> {
  const { error } = await patientDoor(backend).call("chest_remember", aFact("is this taken"));
  const isMended = () => {
    const db = new Database(join(dir, "chest.db"), { readonly: true });
    try {
      const kept = db.prepare("SELECT value FROM meta WHERE key = 'text_index'").pluck().get();
      return !String(kept ?? "").endsWith("filling") && faultsIn(db, "1").length === 0;
    } finally {
      db.close();
    }
  };
  for (let ms = 0; ms < MENDED_WITHIN_MS && !isMended(); ms += 250) await sleep(250);
  return [
    ...(error ? [`beside a damaged text index a write is refused with ${error.code}`] : []),
    ...(isMended() ? [] : ["the text index is not made anew"]),
  ];
}

/** Checks that the newest backup of the original store can be restored. */
async function restores(rig: Rig, { dir: soundDir, kept }: IntactStore, dir: string): Promise<string[]> {
  cpSync(join(soundDir, "backups"), join(dir, "backups"), { recursive: true });
  const refused = await rig.start({ dataDir: dir }).catch((error: Error) => error.message);
  if (typeof refused !== "string") return ["the second start is not refused"];
  const [, command = ""] = /^hint: .*?`chest-index ([^`]+)`/m.exec(refused) ?? [];
  const damaged = digestOf(join(dir, "chest.db"));
  const { exitCode, stderr } = await operate(rig, dir, ...command.split(" "));
  if (exitCode !== 0) return [`\`chest-index ${command}\` fails: ${stderr}`];
  const backend = await rig.start({ dataDir: dir }).catch(() => undefined);
  if (!backend) return ["the restored store does not open"];
  const lost = await countLost(patientDoor(backend), new Map([...kept].slice(0, SMALL)));
  await backend.stop();
  const isKept = withKept(dir, damaged);
  return [
    ...(lost > 0 ? [`the restored store lacks ${lost} memories`] : []),
    ...(isKept ? [] : ["the damaged file is gone"]),
  ];
}

/** Tells whether the replaced file was kept beside the new one. */
const withKept = (dir: string, digest: string): boolean =>
  readdirSync(dir).some((name) => /\.replaced-[^/]*Z$/.test(name) && digestOf(join(dir, name)) === digest);

const digestsOf = (dir: string) => ["chest.db", "chest.db-wal"].map((name) => digestOf(join(dir, name)));

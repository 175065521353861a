import { join } from "node:path";
import { failToStart } from "../../support/backend.ts";
import { restDoor } from "../../support/clients/doors.ts";
import { canMount, mountDisk } from "../../support/deployment/disk.ts";
import { canTrace, failing } from "../../support/deployment/strace.ts";
import { findFaults } from "../../support/store-file.ts";
import { ANSWER_EARLY, COMMIT, digestOf, ONE_TRANSACTION } from "../common.ts";
import type { Part, Rig } from "../part.ts";
import { close, emptyLedger, type Ledger, lookAtAll, readSome, store, writeSome } from "./disk-ledger.ts";

const DISK_MB = 80;

/** Errors that the system returns instead of writing. */
const ERRORS = {
  "a flush fails": ["fdatasync,fsync:error=EIO"],
  "a write fails": ["pwrite64:error=EIO"],
  "every seventh write fails": ["pwrite64:error=EIO:when=3+7"],
  "there is no space": ["pwrite64,ftruncate,fallocate:error=ENOSPC"],
  "every fifth flush fails": ["fdatasync,fsync:error=EIO:when=1+5"],
} as const;

/** Part with a disk that fails, fills up or is read-only. */
export const disk: Part = {
  name: "disk",
  does: "system calls of the running backend answered with EIO and ENOSPC, a disk that fills up, and one that is read-only",
  holds: [
    {
      says: "every acknowledged write is there afterwards, and no write is there in part",
      guards: [
        {
          name: "an answer waits for its commit",
          edits: [
            {
              ...COMMIT,
              put: `${ANSWER_EARLY}\n${COMMIT.find}`,
            },
          ],
          shows: /are not there/,
        },
        {
          name: "a write is one transaction",
          edits: ONE_TRANSACTION,
          shows: /after errors: /,
        },
      ],
    },
    {
      says: "every refusal is a 503 or 507 with a hint, without the engine's words",
      guards: [
        {
          name: "an engine's error is translated",
          edits: [
            {
              file: "packages/store-sqlite/src/database/sqlite-errors.ts",
              find: 'const code = sqliteCode(error);\n  if (code === undefined) return error;\n  if (code.startsWith("SQLITE_FULL")',
              put: 'const code = "";\n  if (code === "") return error;\n  if (code === "never"',
            },
          ],
          shows: /answered with 500/,
        },
      ],
    },
    {
      says: "reads continue, and writes resume as soon as the disk recovers",
      guards: [
        {
          name: "a reader writes nothing",
          edits: [
            {
              file: "packages/store-sqlite/src/store.ts",
              find: "const spacesIn = async (reach: Reach): Promise<readonly Space[]> =>",
              put: `const written = () => parts.writing.run("UPDATE meta SET value = value + 1 WHERE key = 'seq'");
  const spacesIn = async (reach: Reach): Promise<readonly Space[]> => (await explained(written)) &&`,
            },
          ],
          shows: /reading is refused/,
        },
        {
          name: "a failure ends with its commit",
          edits: [
            {
              file: COMMIT.file,
              find: "outcomes = batch.map((job) => ({ job, deferred: [], error: readable(error) }));",
              put: `outcomes = batch.map((job) => ({ job, deferred: [], error: readable(error) }));
            this.halt(readable(error) as Error);`,
            },
          ],
          shows: /a write is still refused/,
        },
      ],
    },
    {
      says: "a failed flush is never acknowledged",
      guards: [
        {
          name: "a commit is flushed before its answer",
          edits: [
            {
              file: "packages/store-sqlite/src/database/connection.ts",
              find: "this.db.pragma(`synchronous = $" + "{synchronous}`);",
              put: 'this.db.pragma("synchronous = OFF");',
            },
            {
              file: "packages/store-sqlite/src/database/connection.ts",
              find: 'synchronous: synchronous === "FULL" ? 2 : 1,',
              put: "synchronous: 0,",
            },
          ],
          shows: /flush/,
        },
      ],
    },
    {
      says: "on a read-only disk the start ends with a hint, and the file is unchanged",
      guards: [
        {
          name: "a read-only folder is reported with a hint",
          edits: [
            { file: "packages/runtime/src/paths.ts", find: "hintFor(folder, code), error", put: "undefined, error" },
          ],
          shows: /on a read-only disk/,
        },
      ],
    },
  ],
  rounds: { long: 5, short: 1, unguarded: 1 },
  counted: "rounds",
  lacks: () => (canMount && canTrace ? undefined : "it wants root, to mount disks and to trace processes"),

  async run(rig) {
    const ledger = emptyLedger();
    for (let round = 0; round < rig.rounds && !rig.isShown(ledger.faults); round++) {
      await failCalls(rig, ledger);
      if (rig.isShown(ledger.faults)) break;
      await fillUp(rig, ledger);
      if (rig.isShown(ledger.faults)) break;
      await makeReadOnly(rig, ledger);
    }
    const { acknowledged, refused, acknowledgedMeanwhile, faults } = ledger;
    const figures = {
      "kinds of error": Object.keys(ERRORS).length,
      acknowledged,
      refused,
      "acknowledged between errors": acknowledgedMeanwhile,
    };
    return { figures, faults };
  },
};

async function failCalls(rig: Rig, all: Ledger): Promise<void> {
  const ledger = emptyLedger(all.faults);
  const dataDir = rig.folder();
  let backend = await rig.start({ dataDir });
  await writeSome(backend, ledger, "before");
  for (const [what, injections] of Object.entries(ERRORS)) {
    const before = ledger.kept.size;
    const trouble = await failing(backend.process.pid as number, ...injections);
    try {
      await writeSome(backend, ledger, what);
      await readSome(restDoor(backend), ledger, what);
    } finally {
      await trouble.stop();
    }
    const taken = ledger.kept.size - before;
    ledger.acknowledgedMeanwhile += taken;
    if (taken > 0 && !what.startsWith("every")) ledger.faults.push(`while ${what}, ${taken} writes were acknowledged`);
    const { error } = await store(backend, ledger, "after");
    if (error) ledger.faults.push(`after ${what}, a write is still refused: ${error.code}`);
    if (rig.isShown(ledger.faults)) return;
  }
  await backend.kill9();
  backend = await rig.start({ dataDir });
  await lookAtAll(restDoor(backend), ledger);
  await backend.stop();
  ledger.faults.push(...findFaults(join(dataDir, "chest.db")).map((fault) => `after errors: ${fault}`));
  close(ledger, all);
}

async function fillUp(rig: Rig, ledger: Ledger): Promise<void> {
  const small = mountDisk(DISK_MB);
  try {
    const backend = await rig.start({ dataDir: small.path });
    const own = emptyLedger(ledger.faults);
    await writeSome(backend, own, "before");
    small.fill();
    let isFull = false;
    for (let at = 0; at < 5000 && !isFull; at++) {
      const { error } = await store(backend, own, `log book ${"y".repeat(7000)}`);
      isFull = error !== undefined;
      if (error && error.code !== "STORAGE_FULL") ledger.faults.push(`a full disk is told as ${error.code}`);
    }
    if (!isFull) ledger.faults.push("a full disk took 5,000 memories");
    await readSome(restDoor(backend), own, "the disk is full");
    const [alive, ready] = await Promise.all(["healthz", "readyz"].map((path) => fetch(`${backend.url}/${path}`)));
    if (alive?.status !== 200) ledger.faults.push("with a full disk, /healthz is not 200");
    if (ready?.status !== 503) ledger.faults.push("with a full disk, /readyz is not 503");
    small.free();
    const { error } = await store(backend, own, "after");
    if (error) ledger.faults.push(`with room again, a write is refused: ${error.code}`);
    await lookAtAll(restDoor(backend), own);
    await backend.stop();
    ledger.faults.push(...findFaults(join(small.path, "chest.db")).map((fault) => `after a full disk: ${fault}`));
    close(own, ledger);
  } finally {
    small.unmount();
  }
}

async function makeReadOnly(rig: Rig, all: Ledger): Promise<void> {
  const { faults } = all;
  const own = emptyLedger(faults);
  const locked = mountDisk(DISK_MB + 20);
  try {
    const backend = await rig.start({ dataDir: locked.path });
    await writeSome(backend, own, "before");
    await backend.stop();
    const file = join(locked.path, "chest.db");
    const before = digestOf(file);
    locked.makeReadOnly();
    const { exitCode, output } = await failToStart(locked.path, rig.env);
    if (exitCode !== 1) faults.push(`on a read-only disk the start ended with ${exitCode}`);
    if (!/cannot be written|read-only/.test(output))
      faults.push("on a read-only disk the start does not say why it ends");
    if (!/^hint: /m.test(output)) faults.push("on a read-only disk the start gives no way out");
    if (/^\s+at .+:\d+:\d+/m.test(output)) faults.push("on a read-only disk the start prints a stack");
    if (digestOf(file) !== before) faults.push("a file on a read-only disk changed");
    close(own, all);
  } finally {
    locked.unmount();
  }
}

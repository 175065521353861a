import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Backend } from "../../support/backend.ts";
import { ask, type Door, restDoor } from "../../support/clients/doors.ts";
import { findFaults, withStoreFile } from "../../support/store-file.ts";
import { ANSWER_EARLY, aFact, COMMIT, copyStoreFiles, countLost, lostIn, ONE_TRANSACTION } from "../common.ts";
import type { Part, Rig } from "../part.ts";

const WRITERS = 8;
const LIFE_MS = { least: 50, most: 500 };
// A store grows with each life, and so does the time to check it.
const LIVES_OF_A_STORE = 20;

interface Write {
  readonly key: string;
  readonly content: string;
  /** Undefined when the backend died before it answered. */
  id?: number;
}

interface Ledger {
  kills: number;
  acknowledged: number;
  unanswered: number;
  /** Number of unanswered writes that were stored nevertheless. */
  stored: number;
}

/** Part that cuts the power in the middle of writing, again and again. */
export const kill: Part = {
  name: "kill",
  does: `\`kill -9\` of the backend after 50 to 500 ms under ${WRITERS} writers, with a ledger of what it acknowledged`,
  holds: [
    {
      says: "every acknowledged write is there, with its content",
      guards: [
        {
          name: "an answer waits for its commit",
          edits: [
            {
              ...COMMIT,
              put: `${ANSWER_EARLY}\nawait new Promise((go) => setTimeout(go, 40));\n${COMMIT.find}`,
            },
          ],
          shows: /acknowledged/,
        },
      ],
    },
    {
      says: "no write is there in part",
      guards: [
        {
          name: "a write is one transaction",
          edits: ONE_TRANSACTION,
          shows: /halves|after life/,
        },
      ],
    },
    {
      says: "a write sent again with its key is stored once, answered or not",
      guards: [
        {
          name: "a key is kept with its write",
          edits: [
            {
              file: "packages/store-sqlite/src/store.ts",
              find: "writeWithin(call, tx, ANSWERS, ",
              put: `writeWithin(call, tx, {
          ...ANSWERS,
          keep(tx, ...kept) {
            const asOne = (value) => (Array.isArray(value) ? JSON.stringify(value) : value);
            const later = (sql, ...values) => parts.writing.run(sql, ...values.map(asOne));
            const late = { caller: tx.caller, nowS: tx.nowS, connection: { later } };
            setTimeout(() => ANSWERS.keep(late, ...kept), 30);
          },
        }, `,
            },
          ],
          shows: /twice/,
        },
      ],
    },
  ],
  rounds: { long: 200, short: 20, unguarded: 8 },
  counted: "kills",

  async run(rig) {
    const ledger: Ledger = { kills: 0, acknowledged: 0, unanswered: 0, stored: 0 };
    const faults: string[] = [];
    while (ledger.kills < rig.rounds && !rig.isShown(faults)) {
      const lives = Math.min(LIVES_OF_A_STORE, rig.rounds - ledger.kills);
      await killStore(rig, lives, ledger, faults);
    }
    const { acknowledged, unanswered, stored } = ledger;
    if (unanswered <= ledger.kills && rig.effort !== "unguarded")
      faults.push("hardly any write was under way when it died");
    return { figures: { acknowledged, unanswered, "stored all the same": stored }, faults };
  },
};

/** Kills a backend repeatedly over one store, then checks that acknowledged writes are there. */
async function killStore(rig: Rig, lives: number, ledger: Ledger, faults: string[]): Promise<void> {
  const dataDir = rig.folder();
  const writes: Write[] = [];
  for (let life = 1; life <= lives && !rig.isShown(faults); life++) {
    const backend = await rig.start({ dataDir });
    const begun = writeUntilDeath(backend);
    await sleep(LIFE_MS.least + rig.random() * (LIFE_MS.most - LIFE_MS.least));
    await backend.kill9();
    writes.push(...(await begun));
    ledger.kills++;
    faults.push(...faultsOfCopy(dataDir).map((fault) => `after life ${life}: ${fault}`));
  }
  const acknowledged = writes.filter(({ id }) => id !== undefined);
  ledger.acknowledged += acknowledged.length;
  ledger.unanswered += writes.length - acknowledged.length;

  const backend = await rig.start({ dataDir });
  const door = restDoor(backend);
  faults.push(...(await notKept(door, writes)));
  ledger.stored += await sendAgain(backend, writes, faults);
  faults.push(...(await notKept(door, writes)));
  const { entities } = await ask(door, "chest_list_entities", {});
  const [{ memory_count = 0 } = {}] = entities as { memory_count: number }[];
  if (memory_count > writes.length) faults.push(`${memory_count - writes.length} writes are stored twice`);
  await backend.stop();
  faults.push(...findFaults(join(dataDir, "chest.db")).map((fault) => `halves: ${fault}`));
  const keys = withStoreFile(join(dataDir, "chest.db"), (db) =>
    db.prepare("SELECT count(*) FROM idempotency").pluck().get(),
  );
  if (keys !== writes.length) faults.push(`${writes.length} writes left ${keys} keys`);
}

const remember = (address: Backend, { key, content }: Write) =>
  restDoor(address, { "idempotency-key": key }).call("chest_remember", aFact(content));

/** Lets each writer send one write after another, until the connection breaks. */
async function writeUntilDeath(backend: Backend): Promise<Write[]> {
  const written: Write[] = [];
  const writer = async (name: number) => {
    for (;;) {
      const key = randomUUID();
      const write: Write = { key, content: `writer ${name} noted ${key}` };
      written.push(write);
      try {
        const { result } = await remember(backend, write);
        write.id = result?.memory_id as number;
      } catch {
        return; // The backend was killed; this write may be stored or not.
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)));
  return written;
}

/** Sends the last answered and all unanswered writes again. @returns how many of the unanswered had been stored. */
async function sendAgain(backend: Backend, writes: readonly Write[], faults: string[]): Promise<number> {
  const answered = writes.filter(({ id }) => id !== undefined).slice(-100);
  const unanswered = writes.filter(({ id }) => id === undefined);
  let arrived = 0;
  for (const write of [...answered, ...unanswered, ...unanswered]) {
    const { result, headers, status } = await remember(backend, write);
    const id = result?.memory_id as number | undefined;
    const isReplay = headers?.get("idempotency-replayed") === "true";
    if (id === undefined) faults.push(`a write sent again was refused with ${status}`);
    if (write.id === undefined && isReplay) arrived++;
    if (write.id !== undefined && (write.id !== id || !isReplay)) faults.push("a write sent again was stored twice");
    write.id = id as number;
  }
  return arrived;
}

/** Lists the faults of a copy of the store, so that the backend later finds the original untouched. */
function faultsOfCopy(dir: string): string[] {
  const copy = mkdtempSync(join(tmpdir(), "chest-torture-copy-"));
  try {
    copyStoreFiles(dir, copy);
    return findFaults(join(copy, "chest.db"));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Counts acknowledged writes that are missing or altered. */
async function notKept(door: Door, writes: readonly Write[]): Promise<string[]> {
  const acknowledged = writes.flatMap(({ id, content }) => (id === undefined ? [] : [[id, content] as const]));
  const kept = new Map(acknowledged);
  // Two memories with one id mean that one is lost.
  return lostIn((await countLost(door, kept)) + acknowledged.length - kept.size);
}

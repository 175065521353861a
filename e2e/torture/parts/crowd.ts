import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Address, Door, ToolReply } from "../../support/clients/doors.ts";
import { findFaults, withStoreFile } from "../../support/store-file.ts";
import { aFact, patientDoor } from "../common.ts";
import type { Part } from "../part.ts";

const CLIENTS = 32;
const ANSWERS = "packages/store-sqlite/src/store.ts";

/** Part with many clients that do the same at the same moment. */
export const crowd: Part = {
  name: "crowd",
  does: `${CLIENTS} concurrent clients that store the same text, repeat one call, and change the same memory`,
  holds: [
    {
      says: "the same text makes one memory: one client creates it, the others get its id",
      guards: [
        {
          name: "a text is looked up before it is stored",
          edits: [
            {
              file: "packages/core/src/tools/remembering/keep.ts",
              find: "const exact = args.force ? undefined : await tx.memories.sameWords(draft);",
              put: "const exact = undefined as Memory | undefined;",
            },
            {
              file: "packages/core/src/tools/remembering/keep.ts",
              find: "return { twin: args.force ? undefined : twinAmong(kept, draft), alike };",
              put: "return { twin: undefined, alike };",
            },
          ],
          shows: /one memory/,
        },
      ],
    },
    {
      says: "a call that arrives 32 times with one key runs once",
      guards: [
        {
          name: "a key is looked up before its call runs",
          edits: [
            {
              file: ANSWERS,
              find: "const ANSWERS = answersOf();",
              put: "const ANSWERS = { claim: async () => undefined, keep: () => undefined };",
            },
          ],
          shows: /under one key/,
        },
      ],
    },
    {
      says: "of 32 clients that change the version they read, one wins and the others get the current version",
      guards: [
        {
          name: "the expected version must be the current one",
          edits: [
            {
              file: "packages/core/src/tools/update-memory.ts",
              find: "if (expected === undefined || expected === memory.version) return;",
              put: "if (expected !== -1) return;",
            },
          ],
          shows: /won/,
        },
      ],
    },
    {
      says: "of 32 clients that change any version, each leaves a version, and no change mixes with another",
      guards: [
        {
          name: "a change reads its memory inside its transaction",
          edits: [
            {
              file: "packages/core/src/tools/update-memory.ts",
              find: "const memory = await tx.memories.byId(args.memory_id);",
              put: "const memory = await store.memories.byId(args.memory_id);",
            },
          ],
          shows: /a free change was refused|changes made/,
        },
        {
          name: "a change keeps the old version",
          edits: [
            {
              file: "packages/store/src/memories/versions.ts",
              find: "    WHERE m.id = ?`,",
              put: "    WHERE m.id = ? AND 1 = 0`,",
            },
          ],
          shows: /lack a version/,
        },
      ],
    },
  ],
  rounds: { long: 40, short: 4, unguarded: 2 },
  counted: "rounds",

  async run(rig) {
    const faults: string[] = [];
    const dataDir = rig.folder();
    const backend = await rig.start({ dataDir });
    const doors = Array.from({ length: CLIENTS }, () => patientDoor(backend));
    const figures = {
      "equal writes": 0,
      "repeated calls": 0,
      "contested changes": 0,
      "changes that won": 0,
      "free changes": 0,
    };
    for (let round = 0; round < rig.rounds && !rig.isShown(faults); round++) {
      const id = await sameWords(doors, round, faults);
      await sameKey(backend, faults);
      figures["equal writes"] += CLIENTS;
      figures["repeated calls"] += CLIENTS;
      if (id === undefined) continue;
      figures["changes that won"] += await sameVersion(doors, id, faults);
      figures["contested changes"] += CLIENTS;
      await freely(doors, id, faults);
      figures["free changes"] += CLIENTS;
    }
    await backend.stop();
    const store = join(dataDir, "chest.db");
    faults.push(...findFaults(store).filter((fault) => !fault.includes("more than events")));
    const gaps = withStoreFile(store, (db) =>
      db
        .prepare(
          "SELECT count(*) FROM memories m WHERE version - 1 <> (SELECT count(*) FROM memory_versions WHERE memory_id = m.id)",
        )
        .pluck()
        .get(),
    );
    if (gaps !== 0) faults.push(`${gaps} memories lack a version`);
    return { figures, faults };
  },
};

const atOnce = (doors: readonly Door[], call: (door: Door, client: number) => Promise<ToolReply>) =>
  Promise.all(doors.map(call));

async function sameWords(doors: readonly Door[], round: number, faults: string[]): Promise<number | undefined> {
  const words = { ...aFact(`the harbour of round ${round} closes at ${randomUUID()}`), force: false };
  const replies = await atOnce(doors, (door) => door.call("chest_remember", words));
  const ids = new Set(replies.map(({ result }) => result?.memory_id as number));
  const made = replies.filter(({ result }) => result?.action === "created").length;
  if (ids.size !== 1 || made !== 1)
    faults.push(`the same words are not one memory: ${ids.size} ids, made ${made} times`);
  return [...ids][0];
}

async function sameKey(backend: Address, faults: string[]): Promise<void> {
  const key = randomUUID();
  const doors = Array.from({ length: CLIENTS }, () => patientDoor(backend, { "idempotency-key": key }));
  const call = aFact(`said 32 times: ${key}`);
  const replies = await atOnce(doors, (door) => door.call("chest_remember", call));
  const ids = new Set(replies.map(({ result }) => result?.memory_id as number));
  if (ids.size !== 1) faults.push(`a call under one key was done ${ids.size} times`);
  if (replies.some(({ error }) => error)) faults.push("a call under one key was refused");
}

async function sameVersion(doors: readonly Door[], memory_id: number, faults: string[]): Promise<number> {
  const expected_version = await versionOf(doors[0] as Door, memory_id);
  const replies = await atOnce(doors, (door, client) =>
    door.call("chest_update_memory", {
      memory_id,
      content: `client ${client} was first: ${randomUUID()}`,
      expected_version,
    }),
  );
  const won = replies.filter(({ result }) => result).length;
  const wrong = replies.filter(({ error }) => error && error.code !== "VERSION_CONFLICT");
  if (won !== 1) faults.push(`${won} of ${CLIENTS} won`);
  if (wrong.length > 0) faults.push(`who lost is told ${wrong[0]?.error?.code}`);
  const after = await versionOf(doors[0] as Door, memory_id);
  if (won === 1 && after !== expected_version + 1) faults.push(`a version was skipped: ${after - expected_version}`);
  return won;
}

async function freely(doors: readonly Door[], memory_id: number, faults: string[]): Promise<void> {
  const before = await versionOf(doors[0] as Door, memory_id);
  const texts = doors.map((_, client) => `client ${client} says: ${randomUUID()}`);
  const replies = await atOnce(doors, (door, client) =>
    door.call("chest_update_memory", { memory_id, content: texts[client] }),
  );
  if (replies.some(({ error }) => error)) faults.push("a free change was refused");
  const versions = new Set(replies.map(({ result }) => result?.version));
  if (versions.size !== CLIENTS) faults.push(`${CLIENTS} changes made ${versions.size} versions`);
  const last = replies.findIndex(({ result }) => result?.version === before + CLIENTS);
  const { result } = await (doors[0] as Door).call("chest_recall", { ids: [memory_id], mark_accessed: false });
  const [memory] = (result?.memories ?? []) as { content: string }[];
  if (memory?.content !== texts[last]) faults.push("what stands there is not what the last one said");
}

/** Version of a memory, as an update without changes reports it. */
async function versionOf(door: Door, memory_id: number): Promise<number> {
  const { result } = await door.call("chest_update_memory", { memory_id, importance: 0.5 });
  return result?.version as number;
}

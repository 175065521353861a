import { hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import { canonical } from "@chest/core/memory";
import { captureTranscript } from "@chest/core/transcript";
import { aCall, fixedClock, transcriptOf } from "@chest/testing";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importRecords, openSqliteEngine, restoreStore, type SqliteEngine } from "../index.ts";
import { exportedFrom } from "../testing/exported.ts";
import { writeBits } from "../vector-index/bits.ts";

// Words that occur nowhere else, in scripts that are indexed in different ways.
const GONE = ["Zwirbelkranich", "栗鼠巣穴秘", "Quastenfloss"];

let dir: string;
let path: string;
let engine: SqliteEngine;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-purge-"));
  path = join(dir, "chest.db");
  engine = await openSqliteEngine({ path, synchronous: "NORMAL", accessFlushMs: 20 });
});
afterEach(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The database, its log and all else that lies beside it. */
const filesOfStore = () =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((file) => join(file.parentPath, file.name));

/** Which of these byte sequences any file of the store holds, in either encoding. */
function heldByFiles(words: readonly string[]): string[] {
  const bytes = filesOfStore().map((file) => readFileSync(file));
  const forms = (word: string) => [word, word.toLowerCase(), JSON.stringify(word).slice(1, -1)];
  return words.filter((word) =>
    forms(word).some((form) =>
      bytes.some((content) => content.includes(form) || content.includes(Buffer.from(form, "utf16le"))),
    ),
  );
}

async function remember(entityName: string, text: string): Promise<number> {
  const call = aCall({
    idempotencyKey: `k-${hash("sha1", entityName)}`,
    request: { tool: "chest_remember", input: { text } },
  });
  const { memory_id } = await engine.as(call).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: entityName,
      kind: "project",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const rest = { layer: "learning", importance: 0.5, visibility: "team", projectKey: undefined } as const;
    const expiry = { expiresAt: undefined, hasOwnExpiry: false };
    const { id } = await tx.memories.add({ entity, text: canonical(text), tags: ["keep"], ...rest, ...expiry });
    return { memory_id: id };
  });
  return memory_id;
}

async function rememberSecretly(): Promise<number> {
  const id = await remember(GONE[2] ?? "", `the ${GONE[0]} lives in 東京 ${GONE[1]}`);
  const store = engine.as(aCall());
  await store.write(async (tx) => {
    const memory = await tx.memories.byId(id);
    if (memory)
      await tx.memories.revise(memory, {
        text: canonical(`the ${GONE[0]} moved, ${GONE[1]}`),
        tags: [`${GONE[0]}`.toLowerCase()],
      });
  });
  const memory = await store.memories.byId(id);
  const vector = new Float32Array(KNOWN_IDENTITIES[0].dimensions).fill(0.5);
  if (memory) await store.write((tx) => tx.vectors.put(memory, KNOWN_IDENTITIES[0], vector));
  store.noteAccess([id]);
  return id;
}

const PIECE = 16;

/** Forms in which a vector can lie in a file: its numbers as given and as stored, and its sign bits. */
function formsOf(vector: Float32Array): Buffer[] {
  const signs = new Uint32Array(vector.length / 32);
  writeBits(vector, signs);
  const bytes = [vector, signs].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength),
  );
  return [...bytes, ...storedVectors().slice(0, 1)];
}

/** The oldest memory's first. */
function storedVectors(): Buffer[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare("SELECT vector FROM vectors ORDER BY memory_id").pluck().all() as Buffer[];
  } finally {
    db.close();
  }
}

/** How many pieces of it any file of the store holds: a long one lies on several pages. */
function piecesInFiles(form: Buffer): number {
  const bytes = filesOfStore().map((file) => readFileSync(file));
  const pieces = Array.from({ length: form.length / PIECE }, (_, at) => form.subarray(at * PIECE, (at + 1) * PIECE));
  return pieces.filter((piece) => bytes.some((content) => content.includes(piece))).length;
}

/** One that occurs nowhere else. */
function aVector(seed: number): Float32Array {
  const digest = (at: number) => hash("sha256", `${seed} ${at}`, "buffer").readUInt32LE() / 2 ** 32 - 0.5;
  return Float32Array.from({ length: KNOWN_IDENTITIES[0].dimensions }, (_, at) => digest(at));
}

async function embed(id: number, vector: Float32Array): Promise<void> {
  const store = engine.as(aCall());
  const memory = await store.memories.byId(id);
  if (memory) await store.write((tx) => tx.vectors.put(memory, KNOWN_IDENTITIES[0], vector));
}

describe("a purge", () => {
  it("leaves no byte of a vector in any file, neither of the last one nor of those that it replaced", async () => {
    const id = await remember("embedded", "the heron stands in the reeds");
    const forms: Buffer[] = [];
    const embedAnew = async (seed: number) => {
      const vector = aVector(seed);
      await embed(id, vector);
      forms.push(...formsOf(vector));
    };
    await embedAnew(1);
    await embedAnew(2);
    const store = engine.as(aCall());
    const memory = await store.memories.byId(id);
    // Other words have no vector until they get one.
    if (memory) await store.write((tx) => tx.memories.revise(memory, { text: canonical("the heron has flown away") }));
    await embedAnew(3);
    for (let i = 0; i < 20; i++) await embed(await remember(`e${i}`, `the neighbour ${i} stays`), aVector(10 + i));
    expect(piecesInFiles(forms.at(-1) as Buffer)).toBeGreaterThan(90);

    await engine.purger.purge(localCaller(undefined), [id]);

    expect(forms.map(piecesInFiles)).toEqual(forms.map(() => 0));
    const kept = storedVectors();
    expect(kept).toHaveLength(20);
    expect(piecesInFiles(kept[7] as Buffer)).toBeGreaterThan(90);
  });

  it("leaves no byte of a memory in any file, while the store stays open and others stay in it", async () => {
    for (let i = 0; i < 40; i++) await remember(`e${i}`, `the neighbour ${i} keeps its words`);
    const id = await rememberSecretly();
    for (let i = 40; i < 80; i++) await remember(`e${i}`, `the neighbour ${i} keeps its words`);
    expect(heldByFiles(GONE)).toEqual(GONE);

    const receipt = await engine.purger.purge(localCaller(undefined), [id]);

    expect(receipt).toEqual({ purged: [id], derived: [], backups: [], isLogClean: true });
    expect(heldByFiles(GONE)).toEqual([]);
    expect(heldByFiles(["neighbour 7 "])).toHaveLength(1);
    const { live } = await engine.inspect.summary();
    expect(live).toBe(80);
    expect((await engine.inspect.examine()).integrity).toBe("ok");
  });

  it("leaves no word of what a session said, in what it was for or where it is", async () => {
    const { user, says, edits } = transcriptOf("purged-session");
    const lines = [
      user(`Move the ${GONE[0]} report to the new queue, please.`),
      says(`The ${GONE[2]} reads it twice.`),
      ...["a", "b", "c"].map((name) => edits(`/home/dev/acme/src/${name}.ts`)),
    ];
    const call = aCall();
    const ports = { store: engine.as(call), clock: fixedClock() };
    await captureTranscript(() => lines, {}, ports, call.caller);
    await ports.store.write((tx) => tx.sessions.keepWorkSnapshot("purged-session", { text: `asked for: ${GONE[0]}` }));
    const said = [GONE[0] ?? "", GONE[2] ?? ""];
    expect(heldByFiles(said)).toEqual(said);
    const [first] = (await ports.store.sessions.trace("purged-session")).memories.filter(
      ({ rule }) => rule === "file_edit",
    );
    const rest = await engine.purger.find({ session: "purged-session" });

    await engine.purger.purge(localCaller(undefined), [first?.memory.id ?? 0]);
    await engine.purger.purge(localCaller(undefined), rest);

    expect(heldByFiles(said)).toEqual([]);
    expect((await ports.store.sessions.progress("purged-session"))?.nextLine).toBe(lines.length);
  });

  it("leaves nothing in the text index's own view of itself", async () => {
    const id = await rememberSecretly();
    await engine.purger.purge(localCaller(undefined), [id]);

    const db = new Database(path);
    const terms = db.prepare("SELECT term FROM memory_terms").pluck().all();
    db.prepare("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1)").run();
    db.close();
    expect(terms.filter((term) => /zwirbel|quasten|巣/.test(String(term)))).toEqual([]);
  });

  it("does not let a late repeat of the same call write it again", async () => {
    const id = await remember("once", "said once");
    await engine.purger.purge(localCaller(undefined), [id]);

    await expect(remember("once", "said once")).rejects.toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
  });

  it("is not undone by an import of what was exported before", async () => {
    const id = await rememberSecretly();
    await remember("kept", "the neighbour stays");
    const exported = await exportedFrom(path);
    await engine.purger.purge(localCaller(undefined), [id]);
    await engine.close();

    const again = { path, records: exported, release: "0" };
    const reports = [await importRecords({ ...again, isDry: true }), await importRecords({ ...again, isDry: false })];
    engine = await openSqliteEngine({ path });
    for (const { memories, left } of reports) {
      expect(memories).toEqual({ inserted: 0, unchanged: 1, left: 1 });
      expect(left).toContainEqual(
        expect.objectContaining({ what: "memory", reason: "it was purged here", isByDesign: true }),
      );
    }
    expect(heldByFiles(GONE.slice(0, 2))).toEqual([]);
  });

  it("names the backups that still hold it, and only those", async () => {
    const early = join(dir, "backups", "chest-early.db");
    const id = await rememberSecretly();
    const db = new Database(path);
    await import("node:fs/promises").then(({ mkdir }) => mkdir(join(dir, "backups")));
    await db.backup(early);
    const receipt = await engine.purger.purge(localCaller(undefined), [id]);
    await db.backup(join(dir, "backups", "chest-late.db"));
    db.close();

    expect(receipt.backups).toEqual([early]);
    expect((await engine.purger.purge(localCaller(undefined), [id])).backups).toEqual([]);
  });

  it("names no backup of before it was written, and no manifest", async () => {
    await engine.backups.make("manual");
    const id = await rememberSecretly();
    const holding = await engine.backups.make("manual");

    const receipt = await engine.purger.purge(localCaller(undefined), [id]);

    expect(receipt.backups).toEqual([holding.path]);
  });

  it("names the stores that were replaced and hold it, and a log that is left of one", async () => {
    await remember("kept", "the neighbour stays");
    const { path: early } = await engine.backups.make("manual");
    const id = await rememberSecretly();
    const { path: holding } = await engine.backups.make("manual");
    await engine.close();
    const replacements = [await restoreStore({ path, from: early }), await restoreStore({ path, from: holding })];
    const [replaced, harmless] = replacements.map(({ keptOld }) => keptOld);
    writeFileSync(`${path}.replaced-long-ago-wal`, "pages of a store that is gone");
    const before = readdirSync(dir);
    engine = await openSqliteEngine({ path });

    const { backups } = await engine.purger.purge(localCaller(undefined), [id]);

    expect(backups.toSorted()).toEqual([holding, replaced, `${path}.replaced-long-ago-wal`].toSorted());
    expect(backups).not.toContain(harmless);
    await engine.close();
    expect(readdirSync(dir)).toEqual(before);
    engine = await openSqliteEngine({ path });
  });

  it("says so when another process keeps the log", async () => {
    const id = await rememberSecretly();
    const other = new Database(path);
    other.exec("BEGIN");
    other.prepare("SELECT count(*) FROM memories").get();
    const receipt = await engine.purger.purge(localCaller(undefined), [id]);
    other.exec("COMMIT");
    other.close();

    expect(receipt).toMatchObject({ purged: [id], isLogClean: false });
  }, 20_000);
});

describe("a redaction of what is stored", () => {
  it("leaves no byte of what it took out, in versions and the index too", async () => {
    const id = await rememberSecretly();
    const clean = (text: string) =>
      GONE.reduce((rest, word) => rest.replaceAll(new RegExp(word, "gi"), "[gone]"), text);

    await engine.purger.rewrite(localCaller(undefined), [id], clean);

    expect(heldByFiles(GONE)).toEqual([]);
    expect((await engine.as(aCall()).memories.byId(id))?.content).toBe("the [gone] moved, [gone]");
  });

  it("leaves a session able to go on, whatever it takes out around a word", async () => {
    const { user, edits } = transcriptOf("redacted");
    const lines = [user(`Move the report to ${GONE[0]}`), edits(`/home/dev/acme/${GONE[0]}/a.ts`)];
    const call = aCall();
    const { sessions, write } = engine.as(call);
    await captureTranscript(() => lines, {}, { store: { sessions, write }, clock: fixedClock() }, call.caller);
    const before = (await sessions.progress("redacted"))?.carry ?? "";
    const greedy = new RegExp(`${GONE[0]}\\S*`, "g");

    await engine.purger.rewrite(localCaller(undefined), [], (text) => text.replace(greedy, "[gone]"));

    const { files, first, ...counts } = JSON.parse((await sessions.progress("redacted"))?.carry ?? "");
    expect([first, files]).toEqual(["Move the report to [gone]", { "/home/dev/acme/[gone]": 1 }]);
    expect(counts).toMatchObject({ prompts: JSON.parse(before).prompts, found: JSON.parse(before).found });
  });
});

it("leaves the event loop to others while it looks for notes that quote what is purged, and cleans them", async () => {
  const caller = localCaller("host/org/apple");
  const place = { visibility: "project", projectKey: "host/org/apple" } as const;
  const life = { tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false };
  const said = (nth: number) => `The gateway of region ${nth} is restarted by the deploy job.`;
  const ids: number[] = [];
  await engine.as(aCall({ caller })).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...place });
    for (let nth = 0; nth < 50; nth++)
      ids.push(
        (await tx.memories.add({ ...place, ...life, entity, layer: "learning", text: canonical(said(nth)) })).id,
      );
    for (let nth = 0; nth < 600; nth++) {
      const text = canonical(`Note ${nth}: the gateway of region ${nth} was looked at. ${said(nth + 49)}`);
      const taken = { session: "s-1", rule: "episode", captureKey: `note ${nth}`, at: new Date() } as const;
      await tx.sessions.capture({ ...place, ...life, ...taken, entity, layer: "context", text });
    }
  });
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 1);
  await engine.purger.purge(caller, ids);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(15);
  const where = { reach: "here", withArchived: false, withSuperseded: false } as const;
  const left = await engine.as(aCall({ caller })).memories.newest(where, 1000);
  expect(left).toHaveLength(600);
  expect(left.filter(({ content }) => content.includes(said(49)))).toEqual([]);
  expect(left.filter(({ content }) => content.includes(said(50)))).toHaveLength(1);
});

it.each(["private", "team"] as const)(
  "takes a %s statement out of notes of its author's sessions in its project",
  async (visibility) => {
    const caller = localCaller("host/org/apple");
    const life = { tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false };
    const said = "The heron index is rebuilt by the weekly job.";
    const store = engine.as(aCall({ caller }));
    const [id, note = 0] = await store.write(async (tx) => {
      const at = (each: "private" | "project" | "team") => ({ visibility: each, projectKey: "host/org/apple" });
      const { entity } = await tx.entities.findOrAdd({
        name: "apple",
        kind: "project",
        key: undefined,
        ...at(visibility),
      });
      const memory = await tx.memories.add({
        ...at(visibility),
        ...life,
        entity,
        layer: "learning",
        text: canonical(said),
      });
      const about = await tx.entities.findOrAdd({ name: "apple", kind: "project", key: undefined, ...at("project") });
      const taken = { session: "s-1", rule: "first_intent", captureKey: "asked", at: new Date() } as const;
      const text = canonical(`Remember this. ${said} Then look at the logs.`);
      const noted = { ...at("project"), ...life, ...taken, entity: about.entity, layer: "context", text } as const;
      return [memory.id, (await tx.sessions.capture(noted)).id];
    });
    await engine.purger.purge(caller, [id]);
    expect((await store.memories.byId(note))?.content).toBe("Remember this. [forgotten] Then look at the logs.");
  },
);

import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SHARED, UNSTATED_CLIENT } from "@chest/core/access";
import { pushVectors } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import { canonical, type Layer, sha1 } from "@chest/core/memory";
import type { Clock, Engine } from "@chest/core/ports";
import { SEGMENTER_VERSION } from "@chest/core/text";
import type { TestServer } from "@chest/store-postgres/testing";
import { openPostgresEngine, openSqliteEngine } from "../load/libraries.ts";
import { inParallel } from "../support/in-parallel.ts";
import { ROOT } from "../support/process.ts";
import type { Document } from "./eval-set.ts";
import { executorOver, type Leg } from "./legs.ts";
import type { Vectors } from "./vectors.ts";

export const CACHE = join(ROOT, "node_modules/.chest/eval");
// The fixed time makes figures independent of the day of the run.
const NOW = Date.UTC(2026, 0, 15, 9);
const DAY_MS = 86_400_000;
const AT_ONCE = 64;
// The evaluation measures quality, not speed: a busy machine must not change a figure.
const PATIENCE_MS = 60_000;
const VECTORS_AT_ONCE = 200;
/** Share of a store that `rarest` ranks before rarer terms suffice, as in a store of a million memories. */
const RANKED_SHARE = 0.15;

export const evalClock = { now: () => new Date(NOW) };

/** An open store that contains documents. */
export interface EvalStore {
  readonly vectors: Vectors;
  engineFor(leg: Leg): Promise<Engine>;
  readonly documents: ReadonlyMap<number, Document>;
  close(): Promise<void>;
}

/** Opens an engine over one store; the number limits the rows that a question ranks before rarer terms suffice. */
type Open = (options: { readonly clock: Clock; readonly rankedRows?: number | undefined }) => Promise<Engine>;

/**
 * Opens a store file with these documents. It is kept, and made again when the code that writes and indexes documents
 * has changed.
 */
export async function openStore(name: string, documents: readonly Document[], vectors: Vectors): Promise<EvalStore> {
  const own = `${name}-${vectors.name}`;
  const path = join(CACHE, `${own}-${fingerprint(documents, vectors)}.db`);
  if (!existsSync(`${path}.json`)) await make(own, path, documents, vectors);
  const ids = JSON.parse(readFileSync(`${path}.json`, "utf8")) as number[];
  const open: Open = (options) =>
    openSqliteEngine({ path, active: vectors.identity, searchTimeoutMs: PATIENCE_MS, ...options });
  return storeOver(open, ids, documents, vectors);
}

/** Makes a store with these documents in a new database. */
export async function openStoreOn(
  server: TestServer,
  documents: readonly Document[],
  vectors: Vectors,
): Promise<EvalStore> {
  const patience = { searchTimeoutMs: PATIENCE_MS, writePatienceMs: PATIENCE_MS };
  const url = await server.database();
  const open: Open = (options) => openPostgresEngine({ url, active: vectors.identity, ...patience, ...options });
  console.error(`chest: storing ${documents.length} documents in a database`);
  return storeOver(open, await fill(open, documents, vectors), documents, vectors);
}

async function storeOver(
  open: Open,
  ids: readonly number[],
  documents: readonly Document[],
  vectors: Vectors,
): Promise<EvalStore> {
  const engine = await open({ clock: evalClock });
  let frugal: Promise<Engine> | undefined;
  return {
    vectors,
    async engineFor(leg) {
      if (leg !== "rarest") return engine;
      frugal ??= open({ clock: evalClock, rankedRows: Math.round(RANKED_SHARE * documents.length) });
      return frugal;
    },
    documents: new Map(documents.map((document, at) => [ids[at] as number, document])),
    async close() {
      await Promise.all([engine.close(), frugal?.then((opened) => opened.close())]);
    },
  };
}

/** Source files that determine the stored rows. A change in code that only reads rows does not need a new store. */
const WRITING = [
  "prisma/sqlite/migrations/*/*.sql",
  "packages/core/src/{text,memory,statements,embedding,ports,access,tools,lifecycle}/*.ts",
  "packages/store-sqlite/src/*.ts",
];

function fingerprint(documents: readonly Document[], { identity }: Vectors): string {
  const hash = createHash("sha256").update(JSON.stringify([SEGMENTER_VERSION, identity, documents]));
  const files = globSync(WRITING, { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/tools\/recall\.ts$/.test(file));
  for (const file of [...files.sort().map((file) => join(ROOT, file)), import.meta.filename, HASHED, MODEL])
    hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

const MODEL = join(ROOT, "packages/models/src/sentences/sentences.model");
const HASHED = join(import.meta.dirname, "hashed-vectors.ts");

async function make(name: string, path: string, documents: readonly Document[], vectors: Vectors): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const known = globSync(`${name}-????????????????.db*`, { cwd: CACHE });
  for (const old of known) rmSync(join(CACHE, old), { force: true });
  console.error(`chest: storing ${documents.length} documents of ${name}`);
  const draft = `${path}.${process.pid}`;
  const open: Open = ({ clock }) =>
    openSqliteEngine({ path: draft, synchronous: "NORMAL", clock, active: vectors.identity });
  const ids = await fill(open, documents, vectors);
  for (const suffix of ["", "-wal", "-shm"]) if (existsSync(draft + suffix)) renameSync(draft + suffix, path + suffix);
  for (const left of globSync(`${basename(draft)}*`, { cwd: CACHE })) rmSync(join(CACHE, left), { force: true });
  writeFileSync(`${path}.json`, JSON.stringify(ids));
}

/** Stores the documents through the tool, oldest first and at their times, then pushes their vectors like a client. */
async function fill(open: Open, documents: readonly Document[], vectors: Vectors): Promise<number[]> {
  let age = 0;
  const clock = { now: () => new Date(NOW - age * DAY_MS) };
  const engine = await open({ clock });
  const executor = executorOver(engine, clock, vectors, "words");
  const ids = new Array<number>(documents.length);
  const byAge = Map.groupBy(documents.keys(), (at) => documents[at]?.age ?? 0);
  const remember = async (at: number) => {
    const document = documents[at] as Document;
    if (document.session === undefined) {
      const answer = await executor.execute("chest_remember", inputOf(document), CALL);
      ids[at] = answer.memory_id as number;
    } else ids[at] = await captured(engine, document, document.session, clock.now());
  };
  try {
    for (const days of [...byAge.keys()].sort((a, b) => b - a)) {
      age = days;
      const together = Map.groupBy(byAge.get(days) ?? [], (at) => documents[at]?.session ?? at);
      await inParallel([...together.values()], AT_ONCE, async (inOrder) => {
        for (const at of inOrder) await remember(at);
      });
    }
    // Documents with equal text become one memory.
    for (let at = 0; at < documents.length; at += VECTORS_AT_ONCE)
      await embed(engine, [...new Set(ids.slice(at, at + VECTORS_AT_ONCE))], vectors);
  } finally {
    await engine.close();
  }
  return ids;
}

/** Stores a turn of a session as a journal row, so that its neighbours are found with it. */
async function captured(engine: Engine, document: Document, session: string, at: Date): Promise<number> {
  const { key, about, content, layer = "learning", importance = 0.5 } = document;
  const place = { visibility: "project", projectKey: CALL.caller.project } as const;
  const { id } = await engine.as(CALL).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({ name: about, kind: "project", key: undefined, ...place });
    return tx.sessions.capture({
      ...place,
      entity,
      layer: layer as Layer,
      importance,
      tags: [],
      text: canonical(content),
      session,
      rule: "first_intent",
      at,
      expiresAt: undefined,
      hasOwnExpiry: false,
      captureKey: key,
    });
  });
  if (id === undefined) throw new Error(`\`${key}\` was not stored`);
  return id;
}

const inputOf = ({ about, content, layer = "learning", tags, importance }: Document) => ({
  entity_name: about,
  entity_kind: "project",
  layer,
  content,
  force: true,
  ...(tags && { tags }),
  ...(importance !== undefined && { importance }),
});

/** The stored text is read back, because it is what gets embedded. */
async function embed(engine: Engine, ids: readonly number[], { embedder, identity }: Vectors): Promise<void> {
  const store = engine.as(CALL);
  const stored = await store.memories.byIds(ids);
  if (stored.length !== ids.length) throw new Error("not every document can be read back");
  const texts = stored.map(({ content }) => content);
  const vectors = await embedder.embedPassages(texts, CALL.signal);
  if (!vectors) throw new Error("the model gave no vectors");
  const pushes = stored.flatMap(({ id, content }, at) => {
    const { vector } = vectors[at] ?? {};
    return vector ? [{ id, vector, contentSha1: sha1(content) }] : [];
  });
  const refused = (await pushVectors(store, identity, pushes)).filter(({ error }) => error);
  if (refused.length > 0) throw new Error(`${refused.length} vectors were refused`, { cause: refused[0]?.error });
}

/** All documents are in one project, since the ranking is measured and not visibility. */
export const CALL: Call = {
  caller: { member: SHARED, scopes: new Set(["read", "write"]), project: "eval/eval", client: UNSTATED_CLIENT },
  requestId: "eval",
  signal: new AbortController().signal,
};

import {
  type Call,
  type Clock,
  checkedVector,
  type MemoryRows,
  type Reach,
  type Space,
  type Store,
  type StoredNews,
  type StoredVector,
  type WordHit,
  type Writes,
} from "@chest/core";
import { entitiesNamed } from "@chest/store/queries/list-entities";
import { listings } from "@chest/store/queries/listings";
import { around } from "@chest/store/queries/timeline";
import { conversationReads, conversationWrites } from "@chest/store/sessions/conversations";
import { snapshotReads, snapshotWrites } from "@chest/store/sessions/file-snapshots";
import { gapReads, gapWrites } from "@chest/store/sessions/gaps";
import { type CallerContext, sessionReads } from "@chest/store/sessions/session-reads";
import { lastInferred, noteSession, sessionWrites } from "@chest/store/sessions/session-writes";
import { triggerReads, triggerWrites } from "@chest/store/sessions/triggers";
import { workReads, workWrites } from "@chest/store/sessions/work-items";
import { readingOf } from "./database/async-connection.ts";
import type { Connection, Reading } from "./database/connection.ts";
import type { Projects } from "./database/projects.ts";
import { toSeconds } from "./database/row-mapping.ts";
import { isOfTextIndex, readable } from "./database/sqlite-errors.ts";
import { readIdentities } from "./embedding/identities.ts";
import { type PendingCounts, pendingCounts } from "./embedding/pending-embeddings.ts";
import { vectorWrites } from "./embedding/vector-writes.ts";
import { callerSweeps } from "./lifecycle/index.ts";
import type { LifecycleThread } from "./lifecycle/thread.ts";
import type { AccessLog } from "./memories/access-buffer.ts";
import { conflictReads, conflictWrites } from "./memories/conflicts.ts";
import { entityWrites } from "./memories/entity-writes.ts";
import { firstAnswer, keepAnswer } from "./memories/idempotency-answers.ts";
import { linkWrites } from "./memories/link-writes.ts";
import { memoryReads } from "./memories/memory-reads.ts";
import { memoryWrites } from "./memories/memory-writes.ts";
import { promotionReads, promotionWrites } from "./memories/promotions.ts";
import { sourceReads, sourcesOf, sourceWrites } from "./memories/sources.ts";
import { closedUntil, pastVersions } from "./memories/version-history.ts";
import { queriesOf, refuseOnTimeout, type Searcher } from "./threads/search-pool.ts";
import type { VectorIndexHost } from "./threads/vector-index-loader.ts";
import { unpacked } from "./vector-index/vector-search.ts";
import type { RankedRows } from "./word-search/match-words.ts";
import { Transaction } from "./writing/transaction.ts";
import type { Turn, Writer } from "./writing/write-queue.ts";

/** Up to five thousand memories are held against each other, which takes a busy machine longer than one search may. */
const COMPARING = 5;

/** Parts that the stores of one engine share. */
export interface StoreParts {
  /** Connection that sees committed rows. */
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly pool: Pick<Searcher, "ask">;
  /** Called when the text index failed. */
  readonly doubtIndex: () => void;
  readonly vectors: Pick<VectorIndexHost, "tend">;
  readonly projects: Projects;
  /** Projects as a transaction sees them: one that it has just made is among them. */
  readonly written: Projects;
  readonly pending: PendingCounts;
  readonly accessLog: Pick<AccessLog, "note" | "noteTurns" | "flush">;
  readonly thread: Pick<LifecycleThread, "ask">;
  readonly clock: Clock;
  readonly stored: StoredNews;
}

/** The store as one call's caller sees it. */
export function storeFor(call: Call, parts: StoreParts): Store {
  return storeOver(call, parts, false);
}

/** A store that opens every space there is: for this process's own work on all memories, never for a caller's. */
export function storeOfAll(call: Call, parts: StoreParts): Store {
  return storeOver(call, parts, true);
}

function storeOver(call: Call, parts: StoreParts, isOwn: boolean): Store {
  const { caller } = call;
  const { reader, pool, projects, clock } = parts;
  const spacesIn = (known: Projects) => (reach: Reach) => (isOwn ? known.everySpace() : known.spaces(caller, reach));
  const spaces = spacesIn(projects);
  const asyncReader = readingOf(reader);
  const ask = queriesOf(pool);
  const nowS = () => toSeconds(clock.now());
  /** Whether one answer comes from several transactions. */
  let isOfSeveral = false;
  const rows = memoryReads(explained(reader), spaces, {
    count: (...asked) => refuseOnTimeout(parts.pending.count(...asked)),
  });
  return {
    conflicts: conflictReads(explained(reader), spaces, {
      ...rows,
      nearPairs: (asked) => refuseOnTimeout(pool.ask("duplicates", asked, COMPARING)),
    }),
    promotions: promotionReads(explained(reader), caller, spaces),
    memories: {
      ...rows,
      browse: ({ where: { reach, ...where }, ...page }) => ask("browse", page, where, spaces(reach), nowS()),
      around: async (anchor, where, most) => around(asyncReader, { anchor, most, where, spaces: spaces(where.reach) }),
      activity: (reach, since) => ask("activity", spaces(reach), since),
      pastVersions: async (page) => pastVersions(explained(reader), spaces("everywhere"), page),
      closedUntil: async (ids) => closedUntil(explained(reader), spaces("everywhere"), ids),
      overview: (reach) => ask("overview", spaces(reach)),
      pending: (identity, cursor, limit) =>
        refuseOnTimeout(
          pool.ask("pendingPage", {
            cursor,
            limit,
            spaces: spaces("everywhere"),
            lacking: { identity, active: readIdentities(reader).active },
          }),
        ),
    },
    entities: {
      named: async (name, reach) => entitiesNamed(asyncReader, name, spaces(reach)),
      list: ({ reach, ...query }) => ask("entities", query, spaces(reach), nowS()),
    },
    snapshots: snapshotReads(asyncReader, caller.member, nowS),
    sessions: sessionReads(asyncReader, caller.member, {
      spaces: async () => spaces("everywhere"),
      projectId: async () => (caller.project === undefined ? undefined : projects.find(caller.project)?.id),
      session: async () => caller.client.session ?? lastInferred(caller, asyncReader),
      now: nowS,
    }),
    work: workReads(asyncReader, {
      spaces: async () => spaces("everywhere"),
      projectId: async (key) => projects.find(key)?.id,
    }),
    conversations: conversationReads(asyncReader, async () => spaces("here")),
    triggers: triggerReads(asyncReader, async (reach) => spaces(reach)),
    listings: listings({
      reader: asyncReader,
      ask,
      spacesIn: async (reach) => spaces(reach),
      sourcesOf: async (id) => sourcesOf(explained(reader), id),
    }),
    gaps: gapReads(asyncReader, async () => spaces("everywhere")),
    sources: sourceReads(explained(reader), {
      spaces,
      projectId: () => (caller.project === undefined ? undefined : projects.find(caller.project)?.id),
    }),
    files: {
      history: ({ reach, ...query }) => ask("fileHistory", query, spaces(reach)),
    },
    search: {
      async matchWords({ units }, { reach, ...where }, limit) {
        try {
          const ranked = await pool.ask("words", { units, where, spaces: spaces(reach), limit });
          return ranked && hitsOf(ranked);
        } catch (error) {
          if (!isOfTextIndex(error)) throw error;
          parts.doubtIndex();
          return undefined;
        }
      },
      async matchVector(vector, identity, { reach, ...where }, limit) {
        const asked = checkedVector(vector, identity, "vector");
        const hits = await pool.ask("vector", { vector: asked, identity, where, spaces: spaces(reach), limit });
        parts.vectors.tend();
        return hits && unpacked(hits);
      },
    },
    sweeps: callerSweeps({ ...parts, caller, spaces: () => spaces("here") }, () => parts.accessLog.flush()),
    async once<T>(work: () => Promise<T>) {
      isOfSeveral = true;
      const first = firstAnswer(reader, caller, call, spaces("everywhere"));
      return first ? (first.answer as T) : work();
    },
    identities: async () => readIdentities(explained(reader)),
    noteAccess: (ids) => parts.accessLog.note(ids, caller.member.id),
    noteTurns: (points) => parts.accessLog.noteTurns(points),
    async write(work) {
      const stored: StoredVector[] = [];
      const answer = await parts.writer.call((turn) =>
        write(call, parts, turn, { work, stored, isOfSeveral, isOwn, spaces: spacesIn(parts.written) }),
      );
      parts.stored.tell(stored);
      return answer;
    },
  };
}

function hitsOf({ ids, scores, best, coverages, lent, whole }: RankedRows): WordHit[] {
  const hits: WordHit[] = [];
  for (let at = 0; at < ids.length; at++) {
    hits.push({
      id: ids[at] as number,
      rank: at + 1,
      score: scores[at] as number,
      ofBest: Math.min(1, (scores[at] as number) / best),
      coverage: coverages[at] as number,
      lent: lent[at] as number,
      isWhole: whole[at] === 1,
    });
  }
  return hits;
}

/** Turns SQLite's refusals to read into the caller's errors. */
function explained(reader: Reading): Reading {
  const asking = <T>(ask: () => T): T => {
    try {
      return ask();
    } catch (error) {
      throw readable(error);
    }
  };
  return {
    get: (sql, ...values) => asking(() => reader.get(sql, ...values)),
    all: (sql, ...values) => asking(() => reader.all(sql, ...values)),
    ids: (sql, ...values) => asking(() => reader.ids(sql, ...values)),
  };
}

interface WriteParts<T> {
  readonly work: (tx: Writes) => Promise<T>;
  /** Gets what was put; told only after the commit. */
  readonly stored: StoredVector[];
  /** The answer covers all that the caller reaches, beyond this transaction. */
  readonly isOfSeveral: boolean;
  readonly isOwn: boolean;
  readonly spaces: (reach: Reach) => readonly Space[];
}

async function write<T>(
  call: Call,
  { writing, written, clock }: StoreParts,
  turn: Turn,
  { work, stored, isOfSeveral, isOwn, spaces }: WriteParts<T>,
): Promise<T> {
  const tx = new Transaction({ writing, written }, turn, { caller: call.caller, now: clock.now(), isOwn });
  const first = firstAnswer(writing, call.caller, call, spaces("everywhere"));
  if (first) return first.answer as T;
  tx.ensureMember(call.caller.member);
  await noteSession(tx);
  const reads = noted(tx, memoryReads(tx.sync, spaces, pendingCounts(tx.sync)));
  const memories = memoryWrites(tx, reads);
  const { caller } = call;
  const place: CallerContext = {
    spaces: () => tx.spacesIn("everywhere"),
    projectId: async () => (caller.project === undefined ? undefined : (await tx.places()).find(caller.project)?.id),
    session: async () => tx.session,
    now: () => tx.nowS,
  };
  const answer = await work({
    memories,
    conflicts: conflictWrites(tx, writing, reads, spaces),
    promotions: promotionWrites(tx, spaces),
    sessions: sessionWrites(tx, sessionReads(tx.connection, caller.member, place), memories),
    entities: entityWrites(tx),
    vectors: vectorWrites(tx, spaces, stored),
    links: linkWrites(tx),
    sources: sourceWrites(tx),
    snapshots: snapshotWrites(tx),
    conversations: conversationWrites(tx),
    triggers: triggerWrites(tx),
    gaps: gapWrites(tx),
    work: workWrites(tx),
  });
  keepAnswer(tx, call, answer, isOfSeveral ? [...tx.spaces, ...spaces("here")] : tx.spaces);
  tx.end(call.request?.tool ?? "write");
  return answer;
}

/** Reads that tell the transaction which spaces it has read. */
const noted = (tx: Transaction, reads: MemoryRows): MemoryRows => ({
  ...reads,
  async byId(id) {
    const memory = await reads.byId(id);
    if (memory) tx.spaces.add(memory.space);
    return memory;
  },
  async byIds(ids, reach) {
    const memories = await reads.byIds(ids, reach);
    for (const { space } of memories) tx.spaces.add(space);
    return memories;
  },
});

import { randomUUIDv7 } from "node:crypto";
import {
  type Call,
  type Caller,
  type Clock,
  checkedVector,
  type Member,
  type MemoryRows,
  mayWriteTo,
  type Reach,
  SESSION_PAUSE_MS,
  type Space,
  type Store,
  type StoredNews,
  type StoredVector,
  type WordHit,
  type Writes,
} from "@chest/core";
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
import { listings } from "./listings/listings.ts";
import type { AccessLog } from "./memories/access-buffer.ts";
import { conflictReads, conflictWrites } from "./memories/conflicts.ts";
import { entityWrites } from "./memories/entity-writes.ts";
import { firstAnswer, keepAnswer } from "./memories/idempotency-answers.ts";
import { linkWrites } from "./memories/link-writes.ts";
import { memoryReads } from "./memories/memory-reads.ts";
import { memoryWrites } from "./memories/memory-writes.ts";
import { promotionReads, promotionWrites } from "./memories/promotions.ts";
import { sourceReads, sourceWrites } from "./memories/sources.ts";
import { closedUntil, pastVersions } from "./memories/version-history.ts";
import { entitiesNamed } from "./queries/list-entities.ts";
import { around } from "./queries/timeline.ts";
import { conversationReads, conversationWrites } from "./sessions/conversations.ts";
import { snapshotReads, snapshotWrites } from "./sessions/file-snapshots.ts";
import { gapReads, gapWrites } from "./sessions/gaps.ts";
import { sessionReads, sessionWrites } from "./sessions/sessions.ts";
import { triggerReads, triggerWrites } from "./sessions/triggers.ts";
import { refuseOnTimeout, type SearchPool } from "./threads/search-pool.ts";
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
  readonly pool: Pick<SearchPool, "ask">;
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
  return storeOver(call, parts, (projects) => (reach) => projects.spaces(call.caller, reach));
}

/** A store that opens every space there is: for this process's own work on all memories, never for a caller's. */
export function storeOfAll(call: Call, parts: StoreParts): Store {
  return storeOver(call, parts, (projects) => () => projects.everySpace());
}

type SpacesIn = (projects: Projects) => (reach: Reach) => readonly Space[];

function storeOver(call: Call, parts: StoreParts, spacesIn: SpacesIn): Store {
  const { caller } = call;
  const { reader, pool, projects, clock } = parts;
  const spaces = spacesIn(projects);
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
      browse: ({ where: { reach, ...where }, limit, ...page }) =>
        refuseOnTimeout(pool.ask("browse", { page, where, spaces: spaces(reach), limit, nowS: nowS() })),
      around: async (anchor, where, most) =>
        around(explained(reader), { anchor, most, where, spaces: spaces(where.reach) }),
      activity: (reach, since) => refuseOnTimeout(pool.ask("activity", { spaces: spaces(reach), since })),
      pastVersions: async (page) => pastVersions(explained(reader), spaces("everywhere"), page),
      closedUntil: async (ids) => closedUntil(explained(reader), spaces("everywhere"), ids),
      overview: (reach) => refuseOnTimeout(pool.ask("overview", { spaces: spaces(reach) })),
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
      named: async (name, reach) => entitiesNamed(explained(reader), name, spaces(reach)),
      list: ({ reach, ...query }) =>
        refuseOnTimeout(pool.ask("entities", { query, spaces: spaces(reach), nowS: nowS() })),
    },
    snapshots: snapshotReads(explained(reader), caller.member, nowS),
    sessions: sessionReads(explained(reader), caller.member, {
      spaces: () => spaces("everywhere"),
      projectId: () => (caller.project === undefined ? undefined : projects.find(caller.project)?.id),
      session: () => caller.client.session ?? lastInferred(caller, explained(reader)),
      now: nowS,
    }),
    work: workReads(readingOf(reader), {
      spaces: async () => spaces("everywhere"),
      projectId: async (key) => projects.find(key)?.id,
    }),
    conversations: conversationReads(explained(reader), () => spaces("here")),
    triggers: triggerReads(explained(reader), spaces),
    listings: listings(explained(reader), pool, spaces),
    gaps: gapReads(explained(reader), () => spaces("everywhere")),
    sources: sourceReads(explained(reader), {
      spaces,
      projectId: () => (caller.project === undefined ? undefined : projects.find(caller.project)?.id),
    }),
    files: {
      history: ({ reach, ...query }) => refuseOnTimeout(pool.ask("fileHistory", { query, spaces: spaces(reach) })),
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
        write(call, parts, turn, { work, stored, isOfSeveral, spaces: spacesIn(parts.written) }),
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
  readonly spaces: (reach: Reach) => readonly Space[];
}

async function write<T>(
  call: Call,
  { writing, written, clock }: StoreParts,
  turn: Turn,
  { work, stored, isOfSeveral, spaces }: WriteParts<T>,
): Promise<T> {
  const tx = new Transaction({ writing, written }, turn, { caller: call.caller, now: clock.now() });
  const first = firstAnswer(writing, call.caller, call, spaces("everywhere"));
  if (first) return first.answer as T;
  tx.ensureMember(call.caller.member);
  await noteSession(tx);
  const reads = noted(tx, memoryReads(tx.sync, spaces, pendingCounts(tx.sync)));
  const memories = memoryWrites(tx, reads);
  const { caller } = call;
  const sessions = sessionReads(tx.sync, caller.member, {
    spaces: () => spaces("everywhere"),
    projectId: () => (caller.project === undefined ? undefined : written.find(caller.project)?.id),
    session: () => tx.session,
    now: () => tx.nowS,
  });
  const answer = await work({
    memories,
    conflicts: conflictWrites(tx, writing, reads, spaces),
    promotions: promotionWrites(tx, spaces),
    sessions: sessionWrites(tx, sessions, memories),
    entities: entityWrites(tx),
    vectors: vectorWrites(tx, spaces, stored),
    links: linkWrites(tx),
    sources: sourceWrites(tx),
    snapshots: snapshotWrites(tx),
    conversations: conversationWrites(tx, () => spaces("here")),
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

async function noteSession(tx: Transaction): Promise<void> {
  const { caller, sync: connection, nowS, client } = tx;
  tx.session ??= inferredSession(tx);
  if (tx.session === undefined) return;
  const { project } = caller;
  const isOpen = project !== undefined && mayWriteTo(tx.projects.find(project), caller);
  connection.run(
    `INSERT INTO sessions (id, project_id, member_id, client, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (member_id, id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    tx.session,
    isOpen ? ((await tx.projectId(project)) ?? null) : null,
    caller.member.id,
    client,
    nowS,
    nowS,
  );
}

// `IN` for one member: an equality beside a range has SQLite plan the statement anew at each call, 30 µs of its 35.
const LAST_INFERRED = `SELECT id, last_seen_at FROM sessions WHERE member_id IN (?) AND id > ? AND id < ?
  ORDER BY id DESC LIMIT 1`;

/**
 * The session of a client that sends no id of one: its last, unless that was over when the client began to call again.
 * Its id alone tells whose it is, in the order in which sessions began, so that finding it reads one row.
 */
function inferredSession({ caller, sync: connection }: Transaction): string | undefined {
  const { origin, activeSince } = caller.client.inferred ?? {};
  if (origin === undefined || activeSince === undefined) return undefined;
  return lastInferred(caller, connection) ?? `${inferredName(caller.member, origin)}${randomUUIDv7()}`;
}

const inferredName = ({ id }: Member, origin: string): string => `auto-${id}-${origin}-`;

/** The session that a client without an id has begun, while it goes on. */
function lastInferred({ client, member }: Caller, connection: Pick<Reading, "get">): string | undefined {
  const { origin, activeSince } = client.inferred ?? {};
  if (origin === undefined || activeSince === undefined) return undefined;
  const name = inferredName(member, origin);
  const last = connection.get<{ id: string; last_seen_at: number }>(LAST_INFERRED, member.id, name, `${name}~`);
  const isOver = !last || toSeconds(activeSince) - last.last_seen_at >= SESSION_PAUSE_MS / 1000;
  return isOver ? undefined : last.id;
}

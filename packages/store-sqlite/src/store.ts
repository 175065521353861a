import { ChestError } from "@chest/contracts";
import {
  type Call,
  type Clock,
  checkedVector,
  mayWriteTo,
  type Reach,
  SearchTimeout,
  type Space,
  type Store,
  type StoredNews,
  type StoredVector,
  type WordHit,
  type Writes,
} from "@chest/core";
import type { AccessLog } from "./access-log.ts";
import { firstAnswer, keepAnswer } from "./answers.ts";
import type { Connection } from "./connection.ts";
import { entityWrites } from "./entity-writes.ts";
import { readable } from "./errors.ts";
import { readIdentities } from "./identities.ts";
import { callerSweeps } from "./lifecycle/index.ts";
import type { LifecycleThread } from "./lifecycle/thread.ts";
import { memoryReads } from "./memories.ts";
import { memoryWrites } from "./memory-writes.ts";
import { pastVersions } from "./past-versions.ts";
import { type PendingCounts, pendingCounts } from "./pending.ts";
import type { Projects } from "./projects.ts";
import { toSeconds } from "./rows.ts";
import { entitiesNamed } from "./search/entities.ts";
import type { RankedRows } from "./search/match-words.ts";
import type { SearchPool } from "./search/pool.ts";
import { unpacked } from "./search/vectors.ts";
import { sessionReads, sessionWrites } from "./sessions.ts";
import { snapshotReads, snapshotWrites } from "./snapshots.ts";
import { isOfTextIndex } from "./text-index.ts";
import { type Reading, Transaction } from "./transaction.ts";
import type { VectorIndexHost } from "./vector-index/host.ts";
import { vectorWrites } from "./vector-writes.ts";
import type { Turn, Writer } from "./writer.ts";

/** What stores of one engine share. */
export interface Parts {
  /** What is committed. */
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly pool: Pick<SearchPool, "ask">;
  /** Told when the text index failed. */
  readonly doubtIndex: () => void;
  readonly vectors: Pick<VectorIndexHost, "tend">;
  readonly projects: Projects;
  /** Projects as a transaction sees them: one that it has just made is among them. */
  readonly written: Projects;
  readonly pending: PendingCounts;
  readonly accessLog: Pick<AccessLog, "note" | "flush">;
  readonly thread: Pick<LifecycleThread, "ask">;
  readonly clock: Clock;
  readonly stored: StoredNews;
}

/** The store as one call's caller sees it. */
export function storeFor(call: Call, parts: Parts): Store {
  return storeOver(call, parts, (projects) => (reach) => projects.spaces(call.caller, reach));
}

/** A store that opens every space there is: for this process's own work on all memories, never for a caller's. */
export function storeOfAll(call: Call, parts: Parts): Store {
  return storeOver(call, parts, (projects) => () => projects.everySpace());
}

type SpacesIn = (projects: Projects) => (reach: Reach) => readonly Space[];

function storeOver(call: Call, parts: Parts, spacesIn: SpacesIn): Store {
  const { caller } = call;
  const { reader, pool, projects, clock } = parts;
  const spaces = spacesIn(projects);
  const nowS = () => toSeconds(clock.now());
  return {
    memories: {
      ...memoryReads(explained(reader), spaces, { count: (...asked) => whole(parts.pending.count(...asked)) }),
      browse: ({ where: { reach, ...where }, limit, ...page }) =>
        whole(pool.ask("browse", { page, where, spaces: spaces(reach), limit, nowS: nowS() })),
      pastVersions: async (page) => pastVersions(explained(reader), spaces("everywhere"), page),
      overview: (reach) => whole(pool.ask("overview", { spaces: spaces(reach) })),
      pending: (identity, cursor, limit) =>
        whole(
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
      list: ({ reach, ...query }) => whole(pool.ask("entities", { query, spaces: spaces(reach), nowS: nowS() })),
    },
    snapshots: snapshotReads(explained(reader), caller.member, nowS),
    sessions: sessionReads(explained(reader), caller.member, {
      spaces: () => spaces("everywhere"),
      projectId: () => (caller.project === undefined ? undefined : projects.find(caller.project)?.id),
      now: nowS,
    }),
    files: {
      history: ({ reach, ...query }) => whole(pool.ask("fileHistory", { query, spaces: spaces(reach) })),
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
    spaces,
    sweeps: callerSweeps({ ...parts, caller, spaces: () => spaces("here") }, () => parts.accessLog.flush()),
    firstAnswer: async () => firstAnswer(reader, caller, call),
    identities: async () => readIdentities(explained(reader)),
    noteAccess: (ids) => parts.accessLog.note(ids),
    async write(work) {
      const stored: StoredVector[] = [];
      const answer = await parts.writer.call((turn) =>
        write(call, parts, turn, { work, stored, spaces: spacesIn(parts.written) }),
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

/** What the database itself refuses to read, as the caller reads it. */
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

/** What has no second leg to go on with is refused when it misses its deadline. */
export async function whole<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof SearchTimeout)) throw error;
    throw new ChestError("UNAVAILABLE", "this question took longer than it may", {
      hint: "ask for less at a time, or try again after the delay given",
      details: { retry_after_ms: 2000 },
      cause: error,
    });
  }
}

interface WriteParts<T> {
  readonly work: (tx: Writes) => Promise<T>;
  /** Gets what was put; told only after the commit. */
  readonly stored: StoredVector[];
  readonly spaces: (reach: Reach) => readonly Space[];
}

async function write<T>(
  call: Call,
  { writing, written, clock }: Parts,
  turn: Turn,
  { work, stored, spaces }: WriteParts<T>,
): Promise<T> {
  const tx = new Transaction(writing, call, clock.now(), turn, written);
  const first = firstAnswer(writing, call.caller, call);
  if (first) return first.answer as T;
  tx.ensureMember(call.caller.member);
  noteSession(tx);
  const reads = memoryReads(tx.connection, spaces, pendingCounts(tx.connection));
  const memories = memoryWrites(tx, reads);
  const { caller } = call;
  const sessions = sessionReads(tx.connection, caller.member, {
    spaces: () => spaces("everywhere"),
    projectId: () => (caller.project === undefined ? undefined : written.find(caller.project)?.id),
    now: () => tx.nowS,
  });
  const answer = await work({
    memories,
    sessions: sessionWrites(tx, sessions, memories),
    entities: entityWrites(tx),
    vectors: vectorWrites(tx, spaces, stored),
    snapshots: snapshotWrites(tx),
  });
  keepAnswer(tx, call, answer);
  tx.end(call.request?.tool ?? "write");
  return answer;
}

function noteSession(tx: Transaction): void {
  const { caller, connection, nowS, client } = tx;
  if (caller.client.session === undefined) return;
  const { project } = caller;
  const isOpen = project !== undefined && mayWriteTo(tx.places.find(project), caller);
  connection.run(
    `INSERT INTO sessions (id, project_id, member_id, client, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at WHERE member_id = excluded.member_id`,
    caller.client.session,
    isOpen ? (tx.projectId(project) ?? null) : null,
    caller.member.id,
    client,
    nowS,
    nowS,
  );
}

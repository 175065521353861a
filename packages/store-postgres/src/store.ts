import {
  type Call,
  type Clock,
  checkedVector,
  type Fingerprints,
  type MemoryRows,
  type Reach,
  SearchTimeout,
  type Space,
  type Store,
  type StoredNews,
  type StoredVector,
  type Writes,
} from "@chest/core";
import { everySpace, type KnownPlaces } from "@chest/store/database/places";
import { toSeconds } from "@chest/store/database/rows";
import { entitiesNamed } from "@chest/store/queries/list-entities";
import { listings } from "@chest/store/queries/listings";
import { type AskQuery, runQuery } from "@chest/store/queries/queries";
import { conversationReads, conversationWrites } from "@chest/store/sessions/conversations";
import { snapshotReads, snapshotWrites } from "@chest/store/sessions/file-snapshots";
import { gapReads, gapWrites } from "@chest/store/sessions/gaps";
import { type CallerContext, sessionReads } from "@chest/store/sessions/session-reads";
import { lastInferred, noteSession, sessionWrites } from "@chest/store/sessions/session-writes";
import { triggerReads, triggerWrites } from "@chest/store/sessions/triggers";
import { workReads, workWrites } from "@chest/store/sessions/work-items";
import type { Connections, Reading } from "./database/connection.ts";
import { late } from "./database/errors.ts";
import { KeptRead } from "./database/kept-read.ts";
import { boundReader, type Reader } from "./database/row-security.ts";
import { Transaction } from "./database/transaction.ts";
import type { Writer } from "./database/write.ts";
import { IDENTITY_KEYS, identitiesIn, type Named } from "./embedding/identities.ts";
import { keptCounts, pendingCounts, pendingPage, type RecentCounts } from "./embedding/pending.ts";
import { vectorWrites } from "./embedding/vector-writes.ts";
import { callerSweeps } from "./lifecycle/index.ts";
import type { AccessBuffer } from "./memories/access-buffer.ts";
import { claimKey, keepAnswer } from "./memories/answers.ts";
import { conflictReads, conflictWrites } from "./memories/conflicts.ts";
import { entityWrites } from "./memories/entity-writes.ts";
import { linkWrites } from "./memories/link-writes.ts";
import { closedUntil, memoryReads, pastVersions } from "./memories/memory-reads.ts";
import { memoryWrites } from "./memories/memory-writes.ts";
import { promotionReads, promotionWrites } from "./memories/promotions.ts";
import type { RunningWork } from "./memories/running-work.ts";
import { sourceReads, sourcesOf, sourceWrites } from "./memories/sources.ts";
import type { vectorSearch } from "./search/match-vector.ts";
import { matchWords } from "./search/match-words.ts";

/** Parts that the stores of one engine share. */
export interface Parts {
  readonly reader: Connections;
  /** Gives up a statement after the time that a search may take. */
  readonly searcher: Connections;
  readonly matchVector: ReturnType<typeof vectorSearch>;
  /** Whether policies of the database limit each caller's reads to the caller's spaces. */
  readonly isBound: boolean;
  readonly writer: Writer;
  readonly places: KnownPlaces;
  readonly accesses: AccessBuffer;
  readonly running: RunningWork;
  readonly fingerprints: Fingerprints;
  /** Members that are known to have their row: it is never taken away. */
  readonly members: Set<number>;
  readonly pendingCounts: RecentCounts;
  readonly clock: Clock;
  readonly rankedRows: number | undefined;
  /** Tells other backends that something was written. */
  changed(): void;
  readonly stored: StoredNews;
}

/** The store as one call's caller sees it. */
export const storeFor = (call: Call, parts: Parts): Store => storeOver(call, parts, false);

/** A store that opens every space there is: for this process's own work on all memories, never for a caller's. */
export const storeOfAll = (call: Call, parts: Parts): Store => storeOver(call, parts, true);

function storeOver(call: Call, parts: Parts, isOwn: boolean): Store {
  const { caller } = call;
  const { clock } = parts;
  const isBound = parts.isBound && !isOwn;
  const standing = new KeptRead(() => standingOf(parts));
  const places = async () => (await standing.now()).places;
  const identities = async () => (await standing.now()).identities();
  const spacesIn = async (reach: Reach): Promise<readonly Space[]> =>
    isOwn ? everySpace(parts.reader) : (await places()).spaces(caller, reach);
  const everywhere = async () => (await places()).spaces(caller, "everywhere");
  const reader: Reader = isBound ? boundReader(parts.reader, everywhere) : parts.reader;
  const searcher: Reader = isBound ? boundReader(parts.searcher, everywhere) : parts.searcher;
  const nowS = () => toSeconds(clock.now());
  /** Whether one answer comes from several transactions. */
  let isOfSeveral = false;
  const rows = memoryReads(reader, spacesIn, keptCounts(reader, parts.pendingCounts), {
    identities,
  });
  const ask: AskQuery = (name, ...values) => inTime(() => runQuery(searcher, name, values));
  const search = <T>(ask: (searcher: Reading) => Promise<T>) => inTime(() => ask(searcher));
  const projectId = async (key: string | undefined) => (key === undefined ? undefined : (await places()).find(key)?.id);
  return {
    conflicts: conflictReads(reader, spacesIn, { byIds: rows.byIds, search }),
    // An admin reviews requests in spaces of other members, which the policies hide.
    promotions: promotionReads(parts.reader, caller, spacesIn),
    listings: listings({ reader, ask, spacesIn, sourcesOf: (id) => sourcesOf(reader, id) }),
    memories: {
      ...rows,
      browse: async ({ where: { reach, ...where }, ...page }) =>
        ask("browse", page, where, await spacesIn(reach), nowS()),
      around: async (anchor, where, most) =>
        ask("around", { anchor, most, where, spaces: await spacesIn(where.reach) }),
      activity: async (reach, since) => ask("activity", await spacesIn(reach), since),
      pastVersions: async (page) => pastVersions(reader, await spacesIn("everywhere"), page),
      closedUntil: async (ids) => closedUntil(reader, await spacesIn("everywhere"), ids),
      overview: async (reach) => ask("overview", await spacesIn(reach)),
      pending: (identity, cursor, limit) =>
        inTime(async () => {
          const [spaces, { active }] = await Promise.all([spacesIn("everywhere"), identities()]);
          return pendingPage(searcher, { cursor, limit, spaces, lacking: { identity, active } });
        }),
    },
    entities: {
      named: async (name, reach) => entitiesNamed(reader, name, await spacesIn(reach)),
      list: async ({ reach, ...query }) => ask("entities", query, await spacesIn(reach), nowS()),
    },
    snapshots: snapshotReads(reader, caller.member, nowS),
    sessions: sessionReads(reader, caller.member, {
      spaces: () => spacesIn("everywhere"),
      projectId: () => projectId(caller.project),
      session: async () => caller.client.session ?? lastInferred(caller, reader),
      now: nowS,
    }),
    gaps: gapReads(reader, () => spacesIn("everywhere")),
    work: workReads(reader, { spaces: () => spacesIn("everywhere"), projectId }),
    sources: sourceReads(reader, spacesIn, () => projectId(caller.project)),
    conversations: conversationReads(reader, () => spacesIn("here")),
    triggers: triggerReads(reader, spacesIn),
    files: {
      history: async ({ reach, ...query }) => ask("fileHistory", query, await spacesIn(reach)),
    },
    search: {
      matchWords: async ({ units }, { reach, ...where }, limit) =>
        matchWords(searcher, units, where, await spacesIn(reach), limit, parts.rankedRows),
      async matchVector(vector, identity, { reach, ...where }, limit) {
        const asked = checkedVector(vector, identity, "vector");
        return parts.matchVector(searcher, asked, identity, where, await spacesIn(reach), limit);
      },
    },
    sweeps: callerSweeps({ ...parts, reader, caller, spaces: () => spacesIn("here"), fence: undefined }),
    once(work) {
      isOfSeveral = true;
      return parts.running.once(call, () => spacesIn("everywhere"), work);
    },
    identities,
    noteAccess: (ids) => parts.accesses.note(ids, caller.member.id),
    noteTurns: (points) => parts.accesses.noteTurns(points),
    async write(work) {
      const stored: StoredVector[] = [];
      const isKeyed = call.idempotencyKey !== undefined && call.request !== undefined;
      const answer = await parts.writer.write((connection) => {
        stored.length = 0;
        const tx = new Transaction(connection, { caller, now: clock.now(), isOwn });
        if (!parts.members.has(caller.member.id)) tx.ensureMember(caller.member);
        return write(call, tx, { work, stored, isOfSeveral, fingerprints: parts.fingerprints });
      }, isKeyed);
      parts.members.add(caller.member.id);
      // A write may have made the project that it names, or an identity.
      standing.forget();
      parts.stored.tell(stored);
      parts.changed();
      return answer;
    },
  };
}

const STANDING = `SELECT key, value FROM meta WHERE key IN ('places', ${IDENTITY_KEYS})`;

/** Reads in one trip all that every call needs to know of the store. */
async function standingOf({ reader, places }: Pick<Parts, "reader" | "places">) {
  const rows = await reader.all<Named>(STANDING);
  const state = rows.find(({ key }) => key === "places")?.value;
  return { places: await places.as(state), identities: () => identitiesIn(rows) };
}

/** An answer that cannot do without a search that ran out of time is a refusal. */
async function inTime<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof SearchTimeout ? late(error) : error;
  }
}

interface WriteParts<T> {
  readonly work: (tx: Writes) => Promise<T>;
  /** Gets what was put; told only after the commit. */
  readonly stored: StoredVector[];
  /** The answer covers all that the caller reaches, beyond this transaction. */
  readonly isOfSeveral: boolean;
  readonly fingerprints: Fingerprints;
}

async function write<T>(call: Call, tx: Transaction, parts: WriteParts<T>): Promise<T> {
  const { work, stored, isOfSeveral, fingerprints } = parts;
  const { caller } = call;
  const everywhere = () => tx.spacesIn("everywhere");
  const first = await claimKey(tx, call, everywhere);
  if (first) return first.answer as T;
  await noteSession(tx);
  const reads = noted(tx, memoryReads(tx.connection, tx.spacesIn, pendingCounts(tx.connection), { isWriting: true }));
  const memories = memoryWrites(tx, reads);
  const standpoint: CallerContext = {
    spaces: everywhere,
    projectId: async () => (caller.project === undefined ? undefined : (await tx.places()).find(caller.project)?.id),
    session: async () => tx.session,
    now: () => tx.nowS,
  };
  const answer = await work({
    memories,
    conflicts: conflictWrites(tx, reads, fingerprints),
    promotions: promotionWrites(tx),
    sessions: sessionWrites(tx, sessionReads(tx.connection, caller.member, standpoint), memories),
    entities: entityWrites(tx),
    vectors: vectorWrites(tx, stored),
    links: linkWrites(tx),
    sources: sourceWrites(tx),
    snapshots: snapshotWrites(tx),
    conversations: conversationWrites(tx),
    triggers: triggerWrites(tx),
    work: workWrites(tx),
    gaps: gapWrites(tx),
  });
  keepAnswer(tx, call, answer, isOfSeveral ? [...tx.spaces, ...(await tx.spacesIn("here"))] : tx.spaces);
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

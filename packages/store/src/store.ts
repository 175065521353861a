import type {
  AccessesTwice,
  Call,
  Identities,
  MemoryRows,
  Reach,
  Space,
  Store,
  VectorWrites,
  Writes,
} from "@chest/core";
import type { Answers } from "./access/access-book.ts";
import type { Reading } from "./database/connection.ts";
import type { Places } from "./database/places.ts";
import type { Transaction } from "./database/transaction.ts";
import type { PendingAsk, PendingCounts, PendingPage } from "./embedding/lacking.ts";
import { conflictReads, conflictWrites, type PairsFound, type PairsQuery } from "./memories/conflicts.ts";
import { entityWrites, type NotedEntity } from "./memories/entity-writes.ts";
import { linkWrites } from "./memories/link-writes.ts";
import { memoryReads } from "./memories/memory-reads.ts";
import { type InsertMemory, memoryWrites } from "./memories/memory-writes.ts";
import { promotionReads, promotionWrites } from "./memories/promotions.ts";
import { sourceReads, sourceWrites } from "./memories/sources.ts";
import { closedUntil, pastVersions } from "./memories/version-history.ts";
import { entitiesNamed } from "./queries/list-entities.ts";
import { listings } from "./queries/listings.ts";
import type { AskQuery } from "./queries/queries.ts";
import { conversationReads, conversationWrites } from "./sessions/conversations.ts";
import { snapshotReads, snapshotWrites } from "./sessions/file-snapshots.ts";
import { gapReads, gapWrites } from "./sessions/gaps.ts";
import { lookedAt, lookWrites } from "./sessions/looks.ts";
import { sessionReads } from "./sessions/session-reads.ts";
import { lastInferred, noteSession, sessionWrites } from "./sessions/session-writes.ts";
import { triggerReads, triggerWrites } from "./sessions/triggers.ts";
import { workReads, workWrites } from "./sessions/work-items.ts";

/** How often memories in some spaces were opened; see `ReadParts.accesses`. */
export type ReadAccesses = (
  connection: Reading,
  ids: readonly number[],
  spaces: readonly Space[],
  now: Date,
  earlier: Date,
) => Promise<ReadonlyMap<number, AccessesTwice>>;

/** The parts of the store of one call that an engine gives: its connection, its searches, and its way to write. */
export interface StoreParts
  extends Pick<Store, "search" | "sweeps" | "once" | "identities" | "noteAccess" | "noteTurns" | "write"> {
  readonly reader: Reading;
  /** Runs reads that may go over many rows. */
  readonly ask: AskQuery;
  readonly spacesIn: (reach: Reach) => Promise<readonly Space[]>;
  readonly places: () => Promise<Places>;
  readonly readAccesses: ReadAccesses;
  readonly pending: PendingCounts;
  readonly pendingPage: (asked: PendingAsk) => Promise<PendingPage>;
  readonly nearPairs: (query: PairsQuery) => Promise<PairsFound>;
  /** Reads requests for review, which may lie in spaces of other members. */
  readonly reviewer: Reading;
  /** Unix seconds. */
  readonly now: () => number;
}

/** The store as one call's caller sees it. */
export function storeOver({ caller }: Call, parts: StoreParts): Store {
  const { reader, ask, spacesIn, places, now } = parts;
  const everywhere = () => spacesIn("everywhere");
  const projectId = async (key: string | undefined) => (key === undefined ? undefined : (await places()).find(key)?.id);
  const rows = memoryReads(reader, spacesIn, {
    pending: parts.pending,
    accesses: (...asked) => parts.readAccesses(reader, ...asked),
    identities: parts.identities,
  });
  return {
    conflicts: conflictReads(reader, spacesIn, { byIds: rows.byIds, nearPairs: parts.nearPairs }),
    promotions: promotionReads(parts.reviewer, caller, spacesIn),
    listings: listings({ reader, ask, spacesIn }),
    memories: {
      ...rows,
      browse: async ({ where: { reach, ...where }, ...page }) =>
        ask("browse", page, where, await spacesIn(reach), now()),
      around: async (anchor, where, most) =>
        ask("around", { anchor, most, where, spaces: await spacesIn(where.reach) }),
      activity: async (reach, since) => ask("activity", await spacesIn(reach), since),
      pastVersions: async (page) => pastVersions(reader, await everywhere(), page),
      closedUntil: async (ids) => closedUntil(reader, await everywhere(), ids),
      overview: async (reach) => ask("overview", await spacesIn(reach)),
      async pending(identity, cursor, limit) {
        const [spaces, { active }] = await Promise.all([everywhere(), parts.identities()]);
        return parts.pendingPage({ cursor, limit, spaces, lacking: { identity, active } });
      },
    },
    entities: {
      named: async (name, reach) => entitiesNamed(reader, name, await spacesIn(reach)),
      list: async ({ reach, ...query }) => ask("entities", query, await spacesIn(reach), now()),
    },
    snapshots: snapshotReads(reader, caller.member, now),
    sessions: sessionReads(reader, caller.member, {
      spaces: everywhere,
      projectId: () => projectId(caller.project),
      session: async () => caller.client.session ?? lastInferred(caller, reader),
      now,
    }),
    gaps: gapReads(reader, everywhere),
    home: {
      lookedAt: () => lookedAt(reader, caller.member),
      news: async (reach, since) => ask("news", { spaces: await spacesIn(reach), open: await everywhere() }, since),
    },
    work: workReads(reader, { spaces: everywhere, projectId }),
    sources: sourceReads(reader, spacesIn, () => projectId(caller.project)),
    conversations: conversationReads(reader, () => spacesIn("here")),
    triggers: triggerReads(reader, spacesIn),
    files: { history: async ({ reach, ...query }) => ask("fileHistory", query, await spacesIn(reach)) },
    search: parts.search,
    sweeps: parts.sweeps,
    once: parts.once,
    identities: parts.identities,
    noteAccess: parts.noteAccess,
    noteTurns: parts.noteTurns,
    write: parts.write,
  };
}

/** The parts of the writes of one transaction that an engine gives. */
export interface WriteParts {
  readonly insert: InsertMemory;
  readonly noteEvent: (...event: Parameters<Writes["entities"]["noteEvent"]>) => Promise<NotedEntity | undefined>;
  readonly nearest: Parameters<typeof conflictWrites>[2];
  readonly vectors: () => VectorWrites;
  readonly readAccesses: ReadAccesses;
  readonly pending: PendingCounts;
  readonly identities: () => Promise<Identities>;
}

/** Reads of memories within a transaction, which notes the spaces that were read. */
export function readsWithin(
  tx: Transaction,
  parts: Omit<WriteParts, "insert" | "noteEvent" | "nearest" | "vectors">,
): MemoryRows {
  const reads = memoryReads(tx.connection, tx.spacesIn, {
    pending: parts.pending,
    accesses: (...asked) => parts.readAccesses(tx.connection, ...asked),
    identities: parts.identities,
    isWriting: true,
  });
  return {
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
  };
}

/** All that a caller may write in a transaction; most calls use three of them, so that each is made when it is asked for. */
export function writesWithin(tx: Transaction, parts: WriteParts): Writes {
  const { caller } = tx;
  const reads = readsWithin(tx, parts);
  const memories = memoryWrites(tx, reads, parts.insert);
  const made = new Map<string, unknown>();
  function once<T>(name: string, make: () => T): T {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  }
  const sessions = () =>
    sessionReads(tx.connection, caller.member, {
      spaces: () => tx.spacesIn("everywhere"),
      projectId: async () => (caller.project === undefined ? undefined : (await tx.places()).find(caller.project)?.id),
      session: async () => tx.session,
      now: () => tx.nowS,
    });
  return {
    memories,
    get conflicts() {
      return once("conflicts", () => conflictWrites(tx, reads, parts.nearest));
    },
    get promotions() {
      return once("promotions", () => promotionWrites(tx));
    },
    get sessions() {
      return once("sessions", () => sessionWrites(tx, sessions(), memories));
    },
    get entities() {
      return once("entities", () => entityWrites(tx, parts.noteEvent));
    },
    get vectors() {
      return once("vectors", parts.vectors);
    },
    get links() {
      return once("links", () => linkWrites(tx));
    },
    get sources() {
      return once("sources", () => sourceWrites(tx));
    },
    get snapshots() {
      return once("snapshots", () => snapshotWrites(tx));
    },
    get conversations() {
      return once("conversations", () => conversationWrites(tx));
    },
    get triggers() {
      return once("triggers", () => triggerWrites(tx));
    },
    get gaps() {
      return once("gaps", () => gapWrites(tx));
    },
    get home() {
      return once("home", () => lookWrites(tx));
    },
    get work() {
      return once("work", () => workWrites(tx));
    },
  };
}

/** Runs a call's work in its transaction, or gives the answer that it got before. */
export async function writeWithin<T>(
  call: Call,
  tx: Transaction,
  answers: Answers,
  parts: WriteParts,
  work: (tx: Writes) => Promise<T>,
  /** The answer covers all that the caller reaches, beyond this transaction. */
  isOfSeveral: boolean,
): Promise<T> {
  const first = await answers.claim(tx, call, () => tx.spacesIn("everywhere"));
  if (first) return first.answer as T;
  await noteSession(tx);
  const answer = await work(writesWithin(tx, parts));
  answers.keep(tx, call, answer, isOfSeveral ? [...tx.spaces, ...(await tx.spacesIn("here"))] : tx.spaces);
  tx.end(call.request?.tool ?? "write");
  return answer;
}

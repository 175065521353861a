import type { Reach, Space } from "@chest/core/access";
import type { StoredVector } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import type { AccessesTwice, MemoryRows, SessionReads, Store, WorkSnapshot, Writes } from "@chest/core/ports";
import type { Answers } from "./access/answers.ts";
import type { Reading } from "./database/connection.ts";
import type { Places } from "./database/places.ts";
import type { Transaction } from "./database/transaction.ts";
import { readIdentities } from "./embedding/identities.ts";
import { type PendingAsk, type PendingCounts, type PendingPage, pendingCounts } from "./embedding/lacking.ts";
import { type VectorParts, vectorWrites } from "./embedding/vector-writes.ts";
import { conflictReads, conflictWrites, type NearPairPage, type PairsQuery } from "./memories/conflicts.ts";
import { entityWrites, type NotedEntity } from "./memories/entity-writes.ts";
import { inboxReads, inboxWrites } from "./memories/inbox-notes.ts";
import { memoryReads } from "./memories/memory-reads.ts";
import { type InsertMemory, memoryWrites } from "./memories/memory-writes.ts";
import { promotionReads, promotionWrites, waitingPromotion } from "./memories/promotions.ts";
import { sourceReads, sourceWrites } from "./memories/sources.ts";
import { type Masking, maskingOver } from "./memories/tombstones.ts";
import { closedUntil, linkWrites, pastVersions } from "./memories/version-history.ts";
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

/** Number of stored memories that a captured statement is compared with. */
const MOST_ALIKE = 3;

/** Openings of memories in some spaces; see `ReadParts.accesses`. */
export type ReadAccesses = (
  connection: Reading,
  ids: readonly number[],
  spaces: readonly Space[],
  now: Date,
  earlier: Date,
) => Promise<ReadonlyMap<number, AccessesTwice>>;

/** Engine-specific parts of a call's store: connection, searches and writes. */
export interface StoreParts
  extends Pick<
    Store,
    "search" | "sweeps" | "once" | "identities" | "noteAccess" | "noteTurns" | "noteImpressions" | "write"
  > {
  readonly reader: Reading;
  /** Runs reads over many rows. */
  readonly ask: AskQuery;
  readonly spacesIn: (reach: Reach) => Promise<readonly Space[]>;
  readonly places: () => Promise<Places>;
  readonly readAccesses: ReadAccesses;
  readonly pending: PendingCounts;
  readonly pendingPage: (query: PendingAsk) => Promise<PendingPage>;
  readonly nearPairs: (query: PairsQuery) => Promise<NearPairPage>;
  /** Reads review requests, which may be in other members' spaces. */
  readonly reviewer: Reading;
  /** Unix seconds. */
  readonly now: () => number;
}

/** The store for the caller of one call. */
export function storeOver({ caller }: Call, parts: StoreParts): Store {
  const { reader, ask, spacesIn, places, now } = parts;
  const everywhere = () => spacesIn("everywhere");
  const projectId = async (key: string | undefined) => (key === undefined ? undefined : (await places()).find(key)?.id);
  const rows = memoryReads(reader, spacesIn, {
    pending: parts.pending,
    accesses: (...query) => parts.readAccesses(reader, ...query),
    identities: parts.identities,
    now,
  });
  const masking = maskingOver(reader, everywhere);
  const sessions = sessionReads(reader, caller.member, {
    spaces: everywhere,
    projectId: () => projectId(caller.project),
    session: async () => caller.client.session ?? lastInferred(caller, reader),
    now,
  });
  return {
    conflicts: conflictReads(reader, spacesIn, { caller, now, byIds: rows.byIds, nearPairs: parts.nearPairs }),
    promotions: promotionReads(parts.reviewer, caller, { spacesIn, now }),
    inbox: inboxReads(parts.reviewer, {
      caller,
      places,
      byIds: rows.byIds,
      promotion: async (id) => waitingPromotion(parts.reviewer, caller, await everywhere(), id),
    }),
    listings: listings({ reader, ask, spacesIn, self: caller.member.id, masking, now }),
    memories: {
      ...rows,
      byId: async (id) => {
        const memory = await rows.byId(id);
        return memory && (await masking.rows([memory]))[0];
      },
      byIds: async (ids, reach) => masking.rows(await rows.byIds(ids, reach)),
      newest: async (where, limit) => masking.rows(await rows.newest(where, limit)),
      browse: async ({ where: { reach, ...where }, ...page }) => {
        const asked = { ...where, nowS: now(), ...(where.inbox && { member: caller.member.id }) };
        const found = await ask("browse", page, asked, await spacesIn(reach));
        return { ...found, memories: await masking.rows(found.memories) };
      },
      around: async (anchor, { reach, ...where }, most) => {
        const asked = { anchor, most, where: { ...where, nowS: now() }, spaces: await spacesIn(reach) };
        const found = await ask("around", asked);
        return { before: await masking.rows(found.before), after: await masking.rows(found.after) };
      },
      activity: async (reach, since) => ask("activity", await spacesIn(reach), since),
      pastVersions: async (page) => pastVersions(reader, await everywhere(), page, await places()),
      closedUntil: async (ids) => closedUntil(reader, await everywhere(), ids),
      overview: async (reach) => ask("overview", await spacesIn(reach), now()),
      async pending(identity, cursor, limit) {
        const [spaces, { active }] = await Promise.all([everywhere(), parts.identities()]);
        return parts.pendingPage({ cursor, limit, spaces, lacking: { identity, active } });
      },
    },
    entities: {
      byName: async (name, reach) => entitiesNamed(reader, name, await spacesIn(reach), now()),
      list: async ({ reach, ...query }) => ask("listEntities", query, await spacesIn(reach), now()),
    },
    snapshots: snapshotReads(reader, caller.member, now),
    sessions: maskedSessions(sessions, masking, caller.member.id),
    gaps: gapReads(reader, everywhere),
    home: {
      lookedAt: () => lookedAt(reader, caller.member),
      news: async (reach, query) =>
        ask(
          "news",
          { spaces: await spacesIn(reach), open: await everywhere(), self: caller.member.id, nowS: now() },
          query,
        ),
    },
    work: workReads(reader, { spaces: everywhere, projectId }),
    sources: sourceReads(reader, { spacesIn, projectId: () => projectId(caller.project), now }),
    conversations: conversationReads(reader, () => spacesIn("here")),
    triggers: triggerReads(reader, spacesIn, now),
    files: {
      history: async ({ reach, ...query }) => {
        const history = await ask("fileHistory", { ...query, nowS: now() }, await spacesIn(reach));
        const intents = await masking.texts(
          history.intents.map(({ text }) => text),
          caller.member.id,
        );
        return {
          ...history,
          intents: history.intents.map((intent, at) => ({ ...intent, text: intents[at] ?? intent.text })),
          memories: await masking.rows(history.memories),
        };
      },
    },
    search: parts.search,
    sweeps: parts.sweeps,
    once: parts.once,
    identities: parts.identities,
    noteAccess: parts.noteAccess,
    noteTurns: parts.noteTurns,
    noteImpressions: parts.noteImpressions,
    write: parts.write,
  };
}

/** A member's sessions with forgotten statements removed. */
function maskedSessions(sessions: SessionReads, masking: Masking, member: number): SessionReads {
  async function work<T extends WorkSnapshot>(left: readonly T[]): Promise<T[]> {
    const texts = await masking.texts(
      left.map(({ text }) => text),
      member,
    );
    return left.map((each, at) => ({ ...each, text: texts[at] ?? each.text }));
  }
  return {
    ...sessions,
    async trace(id) {
      const { memories, ...trace } = await sessions.trace(id);
      const shown = await masking.rows(memories.map(({ memory }) => memory));
      return { ...trace, memories: memories.map((each, at) => ({ ...each, memory: shown[at] ?? each.memory })) };
    },
    async workSnapshot(id) {
      const left = await sessions.workSnapshot(id);
      return left && (await work([left]))[0];
    },
    async lastWork() {
      const left = await sessions.lastWork();
      return left && (await work([left]))[0];
    },
    handoffs: async (limit) => work(await sessions.handoffs(limit)),
  };
}

/** Engine-specific parts of a transaction's writes. */
export interface WriteParts {
  readonly insert: InsertMemory;
  readonly noteEvent: (...event: Parameters<Writes["entities"]["noteEvent"]>) => Promise<NotedEntity | undefined>;
  readonly nearest: Parameters<typeof conflictWrites>[2];
  readonly vectors: () => VectorParts;
  readonly readAccesses: ReadAccesses;
  /** Sends queries that the work will need in advance. */
  readonly foresee?: (() => void) | undefined;
}

/** Reads of memories within a transaction, which records the spaces that were read. */
export function readsWithin(tx: Transaction, { readAccesses }: Pick<WriteParts, "readAccesses">): MemoryRows {
  const reads = memoryReads(tx.connection, tx.spacesIn, {
    pending: pendingCounts(tx.connection),
    accesses: (...query) => readAccesses(tx.connection, ...query),
    identities: () => readIdentities(tx.connection),
    isWriting: true,
    now: () => tx.nowS,
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

/**
 * All writes of a transaction, each created on first use, because most calls use only three.
 * @param stored collects the stored vectors, for listeners after the commit
 */
export function writesWithin(tx: Transaction, parts: WriteParts, stored: StoredVector[]): Writes {
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
  const conflicts = () => once("conflicts", () => conflictWrites(tx, reads, parts.nearest));
  return {
    madeProject: () => tx.madeProject,
    memories,
    get conflicts() {
      return conflicts();
    },
    get promotions() {
      return once("promotions", () => promotionWrites(tx));
    },
    get inbox() {
      return once("inbox", () =>
        inboxWrites(tx, { byIds: reads.byIds, promotion: (id) => promotionWrites(tx).byId(id) }),
      );
    },
    get sessions() {
      return once("sessions", () =>
        sessionWrites(tx, sessions(), memories, (draft) => conflicts().alike(draft, MOST_ALIKE)),
      );
    },
    get entities() {
      return once("entities", () => entityWrites(tx, parts.noteEvent));
    },
    get vectors() {
      return once("vectors", () => vectorWrites(tx, parts.vectors(), stored));
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

/** Runs a call's work in its transaction, or returns the stored answer of an earlier attempt. */
export async function writeWithin<T>(
  call: Call,
  tx: Transaction,
  answers: Answers,
  parts: WriteParts,
  stored: StoredVector[],
  work: (tx: Writes) => Promise<T>,
  /** Whether the answer depends on more than this transaction. */
  isOfSeveral: boolean,
): Promise<T> {
  const claimed = answers.claim(tx, call, () => tx.spacesIn("everywhere"));
  parts.foresee?.();
  const first = await claimed;
  if (first) return first.answer as T;
  await noteSession(tx);
  const answer = await work(writesWithin(tx, parts, stored));
  answers.keep(tx, call, answer, isOfSeveral ? [...tx.spaces, ...(await tx.spacesIn("here"))] : tx.spaces);
  tx.end(call.request?.tool ?? "write");
  return answer;
}

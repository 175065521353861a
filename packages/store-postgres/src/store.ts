import type { Reach, Space } from "@chest/core/access";
import { checkedVector, type StoredNews, type StoredVector } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import { type Clock, type Filter, SearchTimeout, type Store } from "@chest/core/ports";
import type { Fingerprints } from "@chest/core/statements";
import { everySpace, type KnownPlaces } from "@chest/store/database/places";
import { toSeconds } from "@chest/store/database/rows";
import type { Transactions } from "@chest/store/database/transact";
import { keptCounts, type RecentCounts } from "@chest/store/embedding/cached-counts";
import { IDENTITY_KEYS, identitiesIn, type MetaEntry } from "@chest/store/embedding/identities";
import { pendingCounts, pendingPage } from "@chest/store/embedding/lacking";
import { callerSweeps } from "@chest/store/lifecycle/index";
import type { AccessBuffer } from "@chest/store/memories/access-buffer";
import { runQuery } from "@chest/store/queries/queries";
import type { ImpressionBuffer } from "@chest/store/sessions/impression-buffer";
import { storeOver, writeWithin } from "@chest/store/store";
import type { Connections } from "./database/connection.ts";
import { late } from "./database/errors.ts";
import { boundReader, type Reader } from "./database/row-security.ts";
import type { Writer } from "./database/write.ts";
import { nextPending } from "./embedding/vector-parts.ts";
import { sweepPartsOf } from "./lifecycle/index.ts";
import { accessesOf } from "./memories/access-stats.ts";
import { askingAhead } from "./memories/ahead.ts";
import { ANSWERS } from "./memories/answers.ts";
import { foresee, type KnownEntities } from "./memories/foresee.ts";
import { type ComparedRows, nearPairs } from "./memories/near-pairs.ts";
import type { RunningWork } from "./memories/running-work.ts";
import { writePartsOf } from "./memories/write-parts.ts";
import type { vectorSearch } from "./search/match-vector.ts";
import { matchWords } from "./search/match-words.ts";
import { Transaction } from "./writing/transaction.ts";

/** Parts that all stores of an engine share. */
export interface Parts {
  readonly reader: Connections;
  /** Connection with the time limit of a search. */
  readonly searcher: Connections;
  readonly matchVector: ReturnType<typeof vectorSearch>;
  /** Whether row policies limit each caller's reads to its spaces. */
  readonly isBound: boolean;
  readonly writer: Writer;
  readonly transactions: Transactions;
  readonly places: KnownPlaces;
  readonly accesses: AccessBuffer;
  readonly shown: ImpressionBuffer;
  readonly running: RunningWork;
  readonly fingerprints: Fingerprints;
  readonly entities: KnownEntities;
  /** Members whose row is known to exist; it is never deleted. */
  readonly members: Set<number>;
  readonly pendingCounts: RecentCounts;
  readonly comparedRows: ComparedRows;
  readonly clock: Clock;
  readonly rankedRows: number | undefined;
  /** Announces a write to other backends. */
  changed(): void;
  readonly stored: StoredNews;
}

/** The store for the caller of one call. */
export const storeFor = (call: Call, parts: Parts): Store => storeOf(call, parts, false);

/** A store that opens every space, for work of this process; never for a caller. */
export const storeOfAll = (call: Call, parts: Parts): Store => storeOf(call, parts, true);

function storeOf(call: Call, parts: Parts, isOwn: boolean): Store {
  const { caller } = call;
  const { clock } = parts;
  const isBound = parts.isBound && !isOwn;
  const standing = new CachedRead(() => standingOf(parts));
  const places = async () => (await standing.now()).places;
  const spacesIn = async (reach: Reach): Promise<readonly Space[]> =>
    isOwn ? everySpace(parts.reader) : (await places()).spaces(caller, reach);
  const everywhere = () => spacesIn("everywhere");
  const reader: Reader = isBound ? boundReader(parts.reader, everywhere) : parts.reader;
  const searcher: Reader = isBound ? boundReader(parts.searcher, everywhere) : parts.searcher;
  const read = async (connection: Pick<Connections, "all">) => {
    const rows = connection.all<MetaEntry>(STANDING);
    standing.keep(rows.then((found) => standingIn(found, parts)));
    return parts.places.at(placesIn(await rows));
  };
  /** Whether one answer comes from several transactions. */
  let isOfSeveral = false;
  const dated = (where: Omit<Filter, "reach">) => ({ ...where, nowS: toSeconds(clock.now()) });
  const store = storeOver(call, {
    reader,
    // An admin reviews requests in other members' spaces, which the policies hide.
    reviewer: parts.reader,
    ask: (name, ...values) => withDeadline(() => runQuery(searcher, name, values)),
    spacesIn,
    places,
    readAccesses: accessesOf,
    pending: keptCounts(reader, pendingCounts(reader), parts.pendingCounts),
    pendingPage: (query) => withDeadline(async () => pendingPage(searcher, query, await nextPending(searcher, query))),
    nearPairs: (query) => nearPairs(reader, (ask) => withDeadline(() => ask(searcher)), parts.comparedRows, query),
    now: () => toSeconds(clock.now()),
    search: {
      matchWords: async ({ units }, { reach, ...where }, limit) =>
        matchWords(searcher, units, dated(where), await spacesIn(reach), limit, parts.rankedRows),
      async matchVector(vector, identity, { reach, ...where }, limit) {
        const asked = checkedVector(vector, identity, "vector");
        return parts.matchVector(searcher, asked, identity, dated(where), await spacesIn(reach), limit);
      },
    },
    sweeps: callerSweeps(sweepPartsOf(parts, reader), caller, () => spacesIn("here")),
    once(work) {
      isOfSeveral = true;
      return parts.running.once(call, everywhere, work);
    },
    identities: async () => (await standing.now()).identities(),
    noteAccess: (ids) => parts.accesses.note(ids, caller.member.id),
    noteTurns: (points) => parts.accesses.noteTurns(points),
    noteImpressions: (shown) => parts.shown.note(shown, caller),
    async write(work, about) {
      const stored: StoredVector[] = [];
      const isKeyed = call.idempotencyKey !== undefined && call.request !== undefined;
      const answer = await parts.writer.write((connection) => {
        stored.length = 0;
        const tx = new Transaction(connection, { caller, now: clock.now(), isOwn }, { entities: parts.entities, read });
        if (!parts.members.has(caller.member.id)) tx.ensureMember(caller.member);
        const { entities, fingerprints } = parts;
        const writeParts = writePartsOf(tx, fingerprints, (nearest) =>
          foresee(tx, about, { places: parts.places.last, entities, nearest }),
        );
        return writeWithin(call, tx, ANSWERS, writeParts, stored, work, isOfSeveral);
      }, isKeyed);
      parts.members.add(caller.member.id);
      // The write may have created a project or an identity.
      standing.forget();
      parts.stored.tell(stored);
      parts.changed();
      return answer;
    },
  });
  return askingAhead(store);
}

const STANDING = `SELECT key, value FROM meta WHERE key IN ('places', ${IDENTITY_KEYS})`;

/** Reads what every call needs to know in one round trip. */
const standingOf = async (parts: Pick<Parts, "reader" | "places">) =>
  standingIn(await parts.reader.all<MetaEntry>(STANDING), parts);

const standingIn = async (rows: readonly MetaEntry[], { places }: Pick<Parts, "places">) => ({
  places: await places.as(placesIn(rows)),
  identities: () => identitiesIn(rows),
});

const placesIn = (rows: readonly MetaEntry[]): string | undefined => rows.find(({ key }) => key === "places")?.value;

/** Turns a search timeout into a refusal, if the answer needs the search. */
async function withDeadline<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof SearchTimeout ? late(error) : error;
  }
}

// Longer than a usual call; after that the value is read again.
const KEPT_MS = 250;

/** Caches a read that each statement of a call needs. */
class CachedRead<T> {
  readonly #read: () => Promise<T>;
  #cached: { readonly value: Promise<T>; readonly until: number } | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  now(): Promise<T> {
    if (this.#cached && performance.now() < this.#cached.until) return this.#cached.value;
    return this.keep(this.#read());
  }

  /** Caches a value that was read in another way. */
  keep(value: Promise<T>): Promise<T> {
    this.#cached = { value, until: performance.now() + KEPT_MS };
    value.catch(() => this.forget());
    return value;
  }

  /** Reads again from now on, because the call has changed the value. */
  forget(): void {
    this.#cached = undefined;
  }
}

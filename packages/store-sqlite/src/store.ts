import type { Reach, Space } from "@chest/core/access";
import { checkedVector, type StoredNews, type StoredVector } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import type { Clock, Filter, Store, WordHit } from "@chest/core/ports";
import { answersOf, firstAnswer } from "@chest/store/access/answers";
import { everySpace, type KnownPlaces } from "@chest/store/database/places";
import { toSeconds } from "@chest/store/database/rows";
import type { Transactions } from "@chest/store/database/transact";
import { readIdentities } from "@chest/store/embedding/identities";
import type { PendingCounts } from "@chest/store/embedding/lacking";
import { callerSweeps } from "@chest/store/lifecycle/index";
import type { AccessBuffer } from "@chest/store/memories/access-buffer";
import type { ImpressionBuffer } from "@chest/store/sessions/impression-buffer";
import { storeOver, writeWithin } from "@chest/store/store";
import { explained, readingOf } from "./database/async-connection.ts";
import type { Connection, Reading } from "./database/connection.ts";
import { isOfTextIndex } from "./database/sqlite-errors.ts";
import type { Writer } from "./database/write-queue.ts";
import { sweepPartsOf } from "./lifecycle/index.ts";
import type { LifecycleThread } from "./lifecycle/thread.ts";
import { accessesOf } from "./memories/access-stats.ts";
import { writePartsOf } from "./memories/write-parts.ts";
import { queriesOf, refuseOnTimeout, type Searcher } from "./threads/search-pool.ts";
import type { VectorIndexHost } from "./threads/vector-index-loader.ts";
import { unpacked } from "./vector-index/vector-search.ts";
import type { RankedWordHits } from "./word-search/match-words.ts";
import { Transaction } from "./writing/transaction.ts";

/** Factor of the search time limit: up to five thousand memories are compared. */
const COMPARING = 5;

/** Parts that the stores of one engine share. */
export interface StoreParts {
  /** Connection that sees committed rows. */
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly transactions: Transactions;
  readonly pool: Pick<Searcher, "ask">;
  /** Called when the text index failed. */
  readonly doubtIndex: () => void;
  readonly vectors: Pick<VectorIndexHost, "tend">;
  readonly places: KnownPlaces;
  /** Projects in the view of the writing connection, including new ones. */
  readonly written: KnownPlaces;
  readonly pending: PendingCounts;
  readonly accesses: Pick<AccessBuffer, "note" | "noteTurns" | "flush">;
  readonly shown: Pick<ImpressionBuffer, "note">;
  readonly thread: Pick<LifecycleThread, "ask">;
  readonly clock: Clock;
  readonly stored: StoredNews;
}

/** The store as one call's caller sees it. */
export const storeFor = (call: Call, parts: StoreParts): Store => storeOf(call, parts, false);

/** A store that opens every space, for work of this process; never for a caller. */
export const storeOfAll = (call: Call, parts: StoreParts): Store => storeOf(call, parts, true);

function storeOf(call: Call, parts: StoreParts, isOwn: boolean): Store {
  const { caller } = call;
  const { pool, places, clock, accesses } = parts;
  const reader = readingOf(parts.reader);
  const spacesIn = async (reach: Reach): Promise<readonly Space[]> =>
    isOwn ? everySpace(reader) : (await places.now()).spaces(caller, reach);
  /** Whether one answer comes from several transactions. */
  let isOfSeveral = false;
  const dated = (where: Omit<Filter, "reach">) => ({ ...where, nowS: toSeconds(clock.now()) });
  return storeOver(call, {
    reader,
    reviewer: reader,
    ask: queriesOf(pool),
    spacesIn,
    places: () => places.now(),
    readAccesses: (_, ...query) => explained(() => accessesOf(parts.reader, ...query)),
    pending: { count: (...query) => refuseOnTimeout(parts.pending.count(...query)) },
    pendingPage: (query) => refuseOnTimeout(pool.ask("pendingPage", query)),
    nearPairs: (query) => refuseOnTimeout(pool.ask("duplicates", query, COMPARING)),
    now: () => toSeconds(clock.now()),
    search: {
      async matchWords({ units }, { reach, ...where }, limit) {
        try {
          const ranked = await pool.ask("words", { units, where: dated(where), spaces: await spacesIn(reach), limit });
          return ranked && hitsOf(ranked);
        } catch (error) {
          if (!isOfTextIndex(error)) throw error;
          parts.doubtIndex();
          return undefined;
        }
      },
      async matchVector(vector, identity, { reach, ...where }, limit) {
        const asked = checkedVector(vector, identity, "vector");
        const hits = await pool.ask("vector", {
          vector: asked,
          identity,
          where: dated(where),
          spaces: await spacesIn(reach),
          limit,
        });
        parts.vectors.tend();
        return hits && unpacked(hits);
      },
    },
    sweeps: callerSweeps(sweepPartsOf(parts), caller, () => spacesIn("here")),
    async once<T>(work: () => Promise<T>) {
      isOfSeveral = true;
      const first = await firstAnswer(reader, caller, call, () => spacesIn("everywhere"));
      return first ? (first.answer as T) : work();
    },
    identities: () => readIdentities(reader),
    noteAccess: (ids) => accesses.note(ids, caller.member.id),
    noteTurns: (points) => accesses.noteTurns(points),
    noteImpressions: (shown) => parts.shown.note(shown, caller),
    async write(work) {
      const stored: StoredVector[] = [];
      const answer = await parts.writer.call((turn) => {
        const tx = new Transaction(parts, turn, { caller, now: clock.now(), isOwn });
        tx.ensureMember(caller.member);
        return writeWithin(call, tx, ANSWERS, writePartsOf(tx, parts.writing), stored, work, isOfSeveral);
      });
      parts.stored.tell(stored);
      return answer;
    },
  });
}

const ANSWERS = answersOf();

function hitsOf({ ids, scores, best, coverages, lent, whole }: RankedWordHits): WordHit[] {
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

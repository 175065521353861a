import { describe } from "vitest";
import { briefingContract } from "../continuity/context.ts";
import { timelineContract } from "../continuity/timeline.ts";
import { workContract } from "../continuity/work.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { triggersContract } from "../conversations/triggers.ts";
import { conversationContract } from "../conversations/turns.ts";
import { contradictionsContract } from "./contradictions.ts";
import { duplicatesContract } from "./duplicates.ts";
import { entitiesContract } from "./entities.ts";
import { entitySpacesContract } from "./entity-spaces.ts";
import { forgetContract } from "./forget.ts";
import { forgottenToolsContract } from "./forgotten.ts";
import { unseenContract } from "./hidden-memories.ts";
import { inboxContract } from "./knowledge/inbox.ts";
import { inspectContract } from "./knowledge/inspect.ts";
import { metadataContract } from "./knowledge/metadata.ts";
import { promotionsContract } from "./knowledge/promotions.ts";
import { sourcesContract } from "./knowledge/sources.ts";
import { listEntitiesContract } from "./list-entities.ts";
import { mergesContract } from "./merges.ts";
import { placesContract } from "./places.ts";
import { recallExpiredContract } from "./recall/expired.ts";
import { recallFileContract } from "./recall/file.ts";
import { recallFiltersContract } from "./recall/filters.ts";
import { recallIdsContract } from "./recall/ids.ts";
import { recallJournalContract } from "./recall/journal.ts";
import { recallOnceContract } from "./recall/once.ts";
import { recallOrdersContract } from "./recall/orders.ts";
import { recallPagingContract } from "./recall/paging.ts";
import { recallRankingContract } from "./recall/ranking.ts";
import { recallRerankedContract } from "./recall/reranked.ts";
import { recallVectorsContract } from "./recall/vectors.ts";
import { recallWordsContract } from "./recall/words.ts";
import { rememberContract } from "./remember.ts";
import { repeatsContract } from "./repeats.ts";
import { settleContract } from "./settle.ts";
import { supersedesContract } from "./supersedes.ts";
import { sweepsContract } from "./sweeps.ts";
import { textsContract } from "./texts.ts";
import { updateContract } from "./update.ts";

/** Requirements on the tools, by subject. */
const SUBJECTS = {
  remember: rememberContract,
  "remember, the same again": duplicatesContract,
  "remember, superseding": supersedesContract,
  "remember, against what is stored": contradictionsContract,
  places: placesContract,
  texts: textsContract,
  "an entity": entitiesContract,
  "an entity in several spaces": entitySpacesContract,
  "recall of what has expired": recallExpiredContract,
  "recall of a file": recallFileContract,
  "recall by ids": recallIdsContract,
  "recall, filtered": recallFiltersContract,
  "recall and the journal": recallJournalContract,
  "recall, each thing once": recallOnceContract,
  "recall, in another order": recallOrdersContract,
  "recall, page by page": recallPagingContract,
  "recall, ranked": recallRankingContract,
  "recall by words": recallWordsContract,
  "recall by words and vectors": recallVectorsContract,
  "recall, reranked": recallRerankedContract,
  "what is out of sight": unseenContract,
  update: updateContract,
  "update, settling a contradiction": settleContract,
  forget: forgetContract,
  "forget, for good": forgottenToolsContract,
  sweeps: sweepsContract,
  "consolidate, find and merge": mergesContract,
  "list entities": listEntitiesContract,
  "a briefing": briefingContract,
  "a timeline": timelineContract,
  "work that was put off": workContract,
  triggers: triggersContract,
  conversations: conversationContract,
  metadata: metadataContract,
  inspect: inspectContract,
  "notes of the inbox": inboxContract,
  promotions: promotionsContract,
  sources: sourcesContract,
  repeats: repeatsContract,
} satisfies Readonly<Record<string, (open: OpenEngine) => void>>;
type Subject = keyof typeof SUBJECTS;

/**
 * Requirements on the tools over every storage engine, called by the front door.
 * @param subjects the subjects to test; by default all
 */
export function toolsContract(
  name: string,
  open: OpenEngine,
  subjects: readonly Subject[] = Object.keys(SUBJECTS) as Subject[],
): void {
  describe(`the tools over ${name}`, () => {
    for (const subject of subjects) describe(subject, () => SUBJECTS[subject](open));
  });
}

import { describe } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { duplicatesContract } from "./duplicates.ts";
import { entitiesContract } from "./entities.ts";
import { entitySpacesContract } from "./entity-spaces.ts";
import { forgetContract } from "./forget.ts";
import { inspectContract } from "./knowledge/inspect.ts";
import { metadataContract } from "./knowledge/metadata.ts";
import { listEntitiesContract } from "./list-entities.ts";
import { placesContract } from "./places.ts";
import { recallFileContract } from "./recall-file.ts";
import { recallFiltersContract } from "./recall-filters.ts";
import { recallIdsContract } from "./recall-ids.ts";
import { recallOnceContract } from "./recall-once.ts";
import { recallOrdersContract } from "./recall-orders.ts";
import { recallPagingContract } from "./recall-paging.ts";
import { recallRankingContract } from "./recall-ranking.ts";
import { recallRerankedContract } from "./recall-reranked.ts";
import { recallVectorsContract } from "./recall-vectors.ts";
import { recallWordsContract } from "./recall-words.ts";
import { rememberContract } from "./remember.ts";
import { repeatsContract } from "./repeats.ts";
import { supersedesContract } from "./supersedes.ts";
import { sweepsContract } from "./sweeps.ts";
import { textsContract } from "./texts.ts";
import { unseenContract } from "./unseen.ts";
import { updateContract } from "./update.ts";

/** Requirements on the tools over every storage engine, called by the front door. */
export function toolsContract(name: string, open: OpenEngine): void {
  describe(`the tools over ${name}`, () => {
    describe("remember", () => rememberContract(open));
    describe("remember, the same again", () => duplicatesContract(open));
    describe("remember, superseding", () => supersedesContract(open));
    describe("places", () => placesContract(open));
    describe("texts", () => textsContract(open));
    describe("an entity", () => entitiesContract(open));
    describe("an entity in several spaces", () => entitySpacesContract(open));
    describe("recall of a file", () => recallFileContract(open));
    describe("recall by ids", () => recallIdsContract(open));
    describe("recall, filtered", () => recallFiltersContract(open));
    describe("recall, each thing once", () => recallOnceContract(open));
    describe("recall, in another order", () => recallOrdersContract(open));
    describe("recall, page by page", () => recallPagingContract(open));
    describe("recall, ranked", () => recallRankingContract(open));
    describe("recall by words", () => recallWordsContract(open));
    describe("recall by words and vectors", () => recallVectorsContract(open));
    describe("recall, reranked", () => recallRerankedContract(open));
    describe("what is out of sight", () => unseenContract(open));
    describe("update", () => updateContract(open));
    describe("forget", () => forgetContract(open));
    describe("sweeps", () => sweepsContract(open));
    describe("list entities", () => listEntitiesContract(open));
    describe("metadata", () => metadataContract(open));
    describe("inspect", () => inspectContract(open));
    describe("repeats", () => repeatsContract(open));
  });
}

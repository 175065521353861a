import { type Caller, spaceOf } from "@chest/core/access";
import { subjectOfPlace } from "@chest/core/memory";
import type { Foreseen } from "@chest/core/ports";
import type { Places } from "@chest/store/database/places";
import { findAhead } from "@chest/store/memories/entity-writes";
import { sameWordsAhead } from "@chest/store/memories/memory-writes";
import { liftAhead } from "@chest/store/memories/tombstones";
import { noteSessionAhead } from "@chest/store/sessions/session-writes";
import type { Transaction } from "../writing/transaction.ts";
import type { NearestTexts } from "./nearest-texts.ts";
import { NEXT_ID } from "./next-id.ts";

const MOST_KNOWN = 10_000;

/** Entity ids that this process has seen. They are hints for queries in advance, and decide nothing. */
export class KnownEntities {
  readonly #ids = new Map<string, number>();

  get(place: readonly string[]): number | undefined {
    return this.#ids.get(keyOf(place));
  }

  note(place: readonly string[], id: number): void {
    if (this.#ids.size >= MOST_KNOWN) this.#ids.clear();
    this.#ids.set(keyOf(place), id);
  }
}

const keyOf = (place: readonly string[]): string => place.join("\n");

interface CachedKnowledge {
  readonly places: Places;
  readonly entities: KnownEntities;
  readonly nearest: NearestTexts;
}

/** Sends the first queries of a write in advance, in one round trip. */
export function foresee(tx: Transaction, about: Foreseen | undefined, known: CachedKnowledge): void {
  const { ahead } = tx.connection;
  noteSessionAhead(tx);
  tx.readAhead();
  if (about === undefined) return;
  const { projectKey, visibility, text, layer, entityKey, isForced = false } = about;
  if (projectKey !== undefined) tx.holdAhead(projectKey);
  const project = projectKey === undefined ? undefined : known.places.find(projectKey);
  const space = spaceIn(tx.caller, about, project?.id);
  if (space === undefined) return;
  const subject = about.subject ?? subjectOfPlace({ visibility, projectKey }, project);
  const place = findAhead(ahead, space, { ...subject, key: entityKey });
  liftAhead(tx.connection, ahead, space);
  const entityId = known.entities.get(place);
  if (entityId === undefined) {
    // A new entity has no memories to compare with.
    ahead(NEXT_ID);
    return;
  }
  if (!isForced) sameWordsAhead(tx, ahead, { entityId, space, layer, contentHash: text.contentHash });
  known.nearest.ahead({ entity: { id: entityId }, space });
}

/** Undefined for an unknown project. */
function spaceIn(caller: Caller, { visibility, projectKey }: Foreseen, projectId: number | undefined) {
  if (projectKey !== undefined && projectId === undefined) return undefined;
  return spaceOf(visibility, caller.member, projectId);
}

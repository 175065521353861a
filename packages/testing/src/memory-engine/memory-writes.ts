import { randomUUID } from "node:crypto";
import {
  type Caller,
  type CallerPlace,
  type Clock,
  checkedVector,
  clientLabel,
  closedProject,
  DEFAULT_METADATA,
  type Entity,
  type EntityName,
  expiryOf,
  type FoundEntity,
  flagsOf,
  isExpired,
  isOpenToReadersOf,
  type Memory,
  mayWriteTo,
  momentum,
  type NewMemory,
  nameIsTaken,
  noProjectToMoveTo,
  normaliseName,
  REWORD,
  type Space,
  type StoredVector,
  spaceOf,
  stateOf,
  subjectForTeam,
  subjectOfPlace,
  type Writes,
} from "@chest/core";
import { projectOf, projectsOf, writableProject } from "./memory-access.ts";
import { conflictWrites } from "./memory-conflicts.ts";
import { conversationWrites, triggerWrites } from "./memory-conversations.ts";
import { gapWrites } from "./memory-gaps.ts";
import { promotionWrites } from "./memory-promotions.ts";
import { reads } from "./memory-reads.ts";
import { noteSession, sessionWrites } from "./memory-sessions.ts";
import { sourceWrites } from "./memory-sources.ts";
import { plain, type State, snapshotKey, vectorKey } from "./memory-state.ts";
import { workWrites } from "./memory-work.ts";

const DAY_MS = 86_400_000;

/** Spaces that a transaction may see, and the rows it added. */
interface Bound {
  readonly standing: () => CallerPlace;
  readonly stored: StoredVector[];
  /** Gets the spaces that were written into, or read from. */
  readonly used: Set<Space>;
  /** In place of the caller's. */
  readonly spaces: (() => readonly Space[]) | undefined;
}

export function writes(state: State, caller: Caller, clock: Clock, { standing, stored, used, spaces }: Bound): Writes {
  const reading = reads(() => state, standing, clock.now, caller, spaces);
  const nextId = () => {
    state.lastId += 1;
    return state.lastId;
  };
  const session = noteSession(state, caller, clock.now());
  const place = (draft: Pick<NewMemory, "projectKey" | "visibility">) => {
    const id = draft.projectKey === undefined ? undefined : writableProject(state, draft.projectKey, caller);
    if (id !== undefined) used.add(`p${id}`);
    return { projectId: id, space: spaceOf(draft.visibility, caller.member, id) };
  };
  const change = (id: number, op: string, changes: object, reason?: string) => {
    const row = state.memories.get(id);
    if (!row) throw new Error(`no memory ${id}`);
    const { version, content, layer, importance, tags, visibility, trigger } = row;
    const { title, name, category, confidence, certainty, sourceType, evidence, gitCommit, gitBranch } = row;
    const past = {
      version,
      content,
      layer,
      importance,
      tags,
      visibility,
      trigger,
      metadata: { title, name, category, confidence, certainty, sourceType, evidence, gitCommit, gitBranch },
      op,
      reason,
      by: caller.member.name,
      changedAt: clock.now(),
    };
    state.pastVersions.set(id, [...(state.pastVersions.get(id) ?? []), past]);
    const changed = { ...row, updatedAt: clock.now(), version: row.version + 1, ...changes };
    const isSaidAnew = changed.content !== row.content || changed.title !== row.title;
    const flagged = isSaidAnew ? { ...changed, flags: flagsOf(changed) } : changed;
    state.memories.set(id, flagged);
    return flagged;
  };

  function findOrAddIn(space: Space, { name, kind, key }: Pick<EntityName, "name" | "kind" | "key">): FoundEntity {
    const normal = normaliseName(name) || name.toLowerCase();
    const here = [...state.entities.values()].filter((each) => each.space === space);
    const named = here.find((each) => each.kind === kind && each.names.includes(normal));
    const keyed = here.find(({ canonicalKey }) => key !== undefined && canonicalKey === key);
    if (keyed) return keyed === named ? { entity: keyed } : { entity: keyed, isKnownOtherwise: true };
    if (!named) {
      const added = { id: nextId(), space, name, kind, canonicalKey: key, momentum: 0, names: [normal] };
      state.entities.set(added.id, added);
      return { entity: added };
    }
    if (key === undefined) return { entity: named };
    if (named.canonicalKey !== undefined) return { entity: named, keyConflict: named.canonicalKey };
    const filled = { ...named, canonicalKey: key };
    state.entities.set(named.id, filled);
    return { entity: filled };
  }

  const isNameTaken = ({ name, space }: Memory) =>
    [...state.memories.values()].some((row) => row.space === space && row.name === name && stateOf(row) === "live");

  const memories: Writes["memories"] = {
    ...reading.memories,
    async byId(id) {
      const memory = await reading.memories.byId(id);
      if (memory) used.add(memory.space);
      return memory;
    },
    async byIds(ids, reach) {
      const found = await reading.memories.byIds(ids, reach);
      for (const { space } of found) used.add(space);
      return found;
    },
    async sameWords(draft) {
      const { space } = place(draft);
      return [...state.memories.values()].find(
        (row) =>
          row.space === space &&
          row.entity.id === draft.entity.id &&
          row.layer === draft.layer &&
          row.contentHash === draft.text.contentHash &&
          stateOf(row) === "live",
      );
    },
    async named(name, where) {
      const { space } = place(where);
      return [...state.memories.values()].find(
        (row) => row.space === space && row.name === name && stateOf(row) === "live",
      );
    },
    async addFiles({ id }, paths) {
      const row = state.memories.get(id);
      if (row) state.memories.set(id, { ...row, files: [...new Set([...(row.files ?? []), ...paths])] });
    },
    async takeFiles({ id }, from) {
      const row = state.memories.get(id);
      const taken = from.flatMap((each) => state.memories.get(each.id)?.files ?? []);
      if (row) state.memories.set(id, { ...row, files: [...new Set([...(row.files ?? []), ...taken])] });
    },
    async flag({ id }, flags, reason) {
      return plain(change(id, flags.length === 0 ? "unflag" : "flag", { flags }, reason), state);
    },
    async add(draft) {
      const id = nextId();
      const now = clock.now();
      const { entity, layer, text, importance, visibility, expiresAt, hasOwnExpiry } = draft;
      const tags = draft.tags.toSorted();
      state.authors.set(caller.member.id, caller.member.name);
      const row = {
        id,
        uid: randomUUID(),
        entity: named(entity),
        layer,
        content: text.content,
        contentHash: text.contentHash,
        tags,
        importance,
        visibility,
        requestedVisibility: draft.requestedVisibility,
        ...(draft.beside ? { projectId: draft.beside.projectId, space: draft.beside.space } : place(draft)),
        authorId: caller.member.id,
        createdAt: now,
        updatedAt: now,
        lastAccessedAt: undefined,
        accessCount: 0,
        expiresAt,
        hasOwnExpiry,
        archivedAt: undefined,
        archivedReason: undefined,
        supersededById: undefined,
        activation: undefined,
        version: 1,
        ...DEFAULT_METADATA,
        ...draft.metadata,
        flags: flagsOf({ ...draft.metadata, content: text.content }),
        text,
        session,
        client: clientLabel(caller.client),
        files: draft.files ?? [],
      };
      state.memories.set(id, row);
      return plain(row, state);
    },
    async revise(memory, { text, layer, importance, tags, expiresAt, metadata }, reason) {
      if (text) {
        for (const [key, { memoryId }] of state.vectors) if (memoryId === memory.id) state.vectors.delete(key);
      }
      return change(
        memory.id,
        "revise",
        {
          ...(text && { text, content: text.content, contentHash: text.contentHash }),
          ...(layer && { layer }),
          ...(importance !== undefined && { importance }),
          ...(tags && { tags: tags.toSorted() }),
          ...(expiresAt !== undefined && { expiresAt: expiresAt ?? undefined }),
          ...(expiresAt === null && { hasOwnExpiry: false }),
          ...metadata,
        },
        reason,
      );
    },
    async reword(memory, text, model) {
      for (const [key, { memoryId }] of state.vectors) if (memoryId === memory.id) state.vectors.delete(key);
      return change(memory.id, REWORD, { text, content: text.content, contentHash: text.contentHash }, model);
    },
    async archive(memory, why, reason = why) {
      change(memory.id, "archive", { archivedAt: clock.now(), archivedReason: why }, reason);
    },
    async move(memory, visibility, reason) {
      const { projectId, authorId, name } = memory;
      const project = projectsOf(state).find(({ id }) => id === projectId);
      if (visibility === "project" && !project) throw noProjectToMoveTo(memory.id);
      if (project && !mayWriteTo(project, caller)) throw closedProject(project.key);
      const space = spaceOf(visibility, { id: authorId, name: "" }, projectId);
      if (name !== undefined && space !== memory.space && isNameTaken({ ...memory, space }))
        throw nameIsTaken(memory.id);
      used.add(space);
      const key = state.entities.get(memory.entity.id)?.canonicalKey;
      const own = { ...memory.entity, canonicalKey: key };
      const { canonicalKey, ...subject } = visibility === "team" ? subjectForTeam(own, project) : own;
      const entity = named(findOrAddIn(space, { ...subject, key: canonicalKey }).entity);
      return plain(
        change(memory.id, "move", { visibility, space, entity, requestedVisibility: undefined }, reason),
        state,
      );
    },
    async restore(memory, reason) {
      const now = clock.now();
      const isOver = isExpired(memory, now);
      const row = change(
        memory.id,
        "restore",
        {
          archivedAt: undefined,
          archivedReason: undefined,
          supersededById: undefined,
          lastAccessedAt: now,
          ...(isNameTaken(memory) && { name: undefined }),
          ...(isOver ? { expiresAt: expiryOf(memory.layer, now), hasOwnExpiry: false } : {}),
        },
        reason,
      );
      if (memory.supersededById !== undefined)
        state.links.push({ from: memory.supersededById, to: memory.id, type: "related_to", isManual: true });
      return plain(row, state);
    },
    async isOpenToReadersOf(read, other) {
      const isOpen = (space: Space) =>
        projectsOf(state).some(({ id, access }) => space === `p${id}` && access === "open");
      return isOpenToReadersOf(read.space, other.space, isOpen);
    },
    async supersede(old, successorId) {
      const superseded = { archivedReason: "superseded", supersededById: successorId };
      change(old.id, "supersede", { archivedAt: clock.now(), ...superseded });
    },
  };

  return {
    memories,
    conflicts: conflictWrites(state, {
      reads: reading.conflicts,
      clock,
      author: caller.member.name,
      version: (id, op, reason) => void change(id, op, {}, reason),
      spaceOfDraft: (draft) => place(draft).space,
    }),
    promotions: promotionWrites(state, { caller, spaces: reading.spaces, change }),
    conversations: conversationWrites(state, clock, reading.conversations),
    triggers: triggerWrites(state),
    sessions: sessionWrites(state, {
      caller,
      clock,
      reads: reading.sessions,
      memories,
      place,
      version: (id, op) => void change(id, op, {}),
    }),
    entities: {
      findOrAdd: async ({ name, kind, key, ...where }) => findOrAddIn(place(where).space, { name, kind, key }),
      subjectOf: async (where) =>
        subjectOfPlace(where, where.projectKey === undefined ? undefined : projectOf(state, where.projectKey)),
      async noteEvent(entityId) {
        const entity = state.entities.get(entityId);
        if (!entity) throw new Error(`no entity ${entityId}`);
        const now = clock.now();
        state.events.push({ entityId, at: now });
        const at = state.events
          .filter((event) => event.entityId === entityId)
          .map((event) => now.getTime() - Number(event.at));
        const recent = [...state.memories.values()].filter(
          (row) => row.entity.id === entityId && now.getTime() - row.createdAt.getTime() <= 7 * DAY_MS,
        );
        const score = momentum({
          lastDay: at.filter((age) => age <= DAY_MS).length,
          lastWeek: at.filter((age) => age <= 7 * DAY_MS).length,
          total: at.length,
          days: Math.max(...at) / DAY_MS,
          meanImportance:
            recent.length === 0 ? undefined : recent.reduce((sum, row) => sum + row.importance, 0) / recent.length,
        });
        const updated = { ...entity, momentum: score };
        state.entities.set(entityId, updated);
        return updated;
      },
    },
    gaps: gapWrites(state, caller, clock),
    work: workWrites(state, caller, clock, reading.work),
    snapshots: {
      async put(key, snapshot) {
        const own = snapshotKey(caller.member, key);
        const readCount = (state.snapshots.get(own)?.readCount ?? 0) + 1;
        state.snapshots.set(own, { ...snapshot, path: key.path, lastReadAt: clock.now(), readCount });
      },
      async touch(key, mtimeNs) {
        const own = snapshotKey(caller.member, key);
        const found = state.snapshots.get(own);
        if (!found) return;
        const { readCount } = found;
        const touched = { lastReadAt: clock.now(), readCount: readCount + 1, mtimeNs: mtimeNs ?? found.mtimeNs };
        state.snapshots.set(own, { ...found, ...touched });
      },
    },
    sources: sourceWrites(state, caller, clock),
    links: {
      async put({ id }, { to, type, note }) {
        dropLink(state, id, to, type);
        const made = { author: caller.member.name, at: clock.now() };
        state.links.push({ from: id, to, type, note, isManual: true, ...made });
      },
      async remove({ id }, { to, type }) {
        return dropLink(state, id, to, type);
      },
    },
    vectors: {
      async put(memory, identity, vector) {
        const checked = checkedVector(vector, identity, "vector");
        const key = vectorKey(memory.id, identity);
        state.uncompared.add(memory.id);
        if (!state.vectors.has(key)) state.vectors.set(key, { memoryId: memory.id, identity, vector: checked });
        state.claims.delete(key);
        stored.push({ memoryId: memory.id, identity });
      },
      async isEmbedded({ id }) {
        return state.vectors.has(vectorKey(id, state.identities.active));
      },
      async claim(identity, { claimant, cursor, limit, until, writtenBefore }) {
        const open = reading.spaces("everywhere");
        const isFree = (id: number) =>
          !((state.claims.get(vectorKey(id, identity))?.until ?? new Date(0)) > clock.now());
        const ids = [...state.memories.values()]
          .filter((row) => open.includes(row.space) && stateOf(row) === "live" && row.id > cursor)
          .filter(({ id }) => !state.vectors.has(vectorKey(id, identity)) && isFree(id))
          .filter(({ updatedAt }) => updatedAt <= writtenBefore)
          .map(({ id }) => id)
          .sort((a, b) => a - b)
          .slice(0, limit);
        for (const memoryId of ids) state.claims.set(vectorKey(memoryId, identity), { claimant, memoryId, until });
        return ids;
      },
      async release(claimant, ids) {
        for (const [key, claim] of state.claims) {
          if (claim.claimant === claimant && ids.includes(claim.memoryId)) state.claims.delete(key);
        }
      },
    },
  };
}

function dropLink({ links }: State, from: number, to: number, type: string): boolean {
  const at = links.findIndex((link) => link.from === from && link.to === to && link.type === type);
  if (at >= 0) links.splice(at, 1);
  return at >= 0;
}

const named = ({ id, name, kind, momentum }: Entity) => ({ id, name, kind, momentum });

import { randomUUID } from "node:crypto";
import { type Clock, canonical, LOCAL, noSuch, type Purger, SHARED, withoutWords } from "@chest/core";
import { noteAudit } from "./memory-audit.ts";
import { type State, sessionKey } from "./memory-state.ts";

/** Takes memories of a store in memory away for good. There are no files that could keep them. */
export function memoryEraser(
  state: () => State,
  alone: <T>(work: (draft: State) => Promise<T>) => Promise<T>,
  clock: Clock,
): Purger {
  const existing = (ids: readonly number[]) =>
    [...new Set(ids)].filter((id) => state().memories.has(id)).sort((a, b) => a - b);
  const rows = () => [...state().memories.values()];
  const derivedOf = (ids: readonly number[]) =>
    rows().flatMap(({ id, supersededById }) =>
      supersededById !== undefined && ids.includes(id) && !ids.includes(supersededById) ? [supersededById] : [],
    );
  const dropVectors = ({ vectors }: State, ids: readonly number[]) => {
    for (const [key, { memoryId }] of vectors) if (ids.includes(memoryId)) vectors.delete(key);
  };
  return {
    async find(target) {
      if ("ids" in target) return existing(target.ids);
      if ("session" in target) return rows().flatMap(({ id, session }) => (session === target.session ? [id] : []));
      const members = [SHARED, LOCAL, ...state().members.values()];
      const member = members.find(({ name }) => name === target.member);
      if (!member) throw noSuch("member", target.member);
      return rows()
        .filter(
          ({ authorId, visibility }) => authorId === member.id && (!target.isPrivateOnly || visibility === "private"),
        )
        .map(({ id }) => id);
    },
    async purge(by, given) {
      const ids = existing(given);
      const derived = derivedOf(ids);
      if (ids.length === 0) return { purged: [], derived, backups: [], isLogClean: true };
      await alone(async (draft) => noteAudit(draft, by, clock, { op: "purge", memoryIds: ids, outcome: "begun" }));
      await alone(async (draft) => {
        const entities = new Set(ids.map((id) => draft.memories.get(id)?.entity.id));
        for (const id of ids) {
          const { captureKey: key, session, authorId } = draft.memories.get(id) ?? {};
          if (session !== undefined && authorId !== undefined) eraseSessionTexts(draft, authorId, session);
          if (key !== undefined) draft.purged.add(key);
          draft.memories.delete(id);
          draft.pastVersions.delete(id);
        }
        for (const row of [...draft.memories.values()]) {
          entities.delete(row.entity.id);
          if (row.supersededById !== undefined && ids.includes(row.supersededById))
            draft.memories.set(row.id, { ...row, supersededById: undefined });
        }
        for (const id of entities) if (id !== undefined) draft.entities.delete(id);
        dropVectors(draft, ids);
        noteAudit(draft, by, clock, { op: "purge", memoryIds: ids });
      });
      return { purged: ids, derived, backups: [], isLogClean: true };
    },
    async visit(look) {
      for (const { id, content } of rows()) look({ memoryId: id, field: "content", text: content });
      for (const [memoryId, past] of state().pastVersions)
        for (const { content } of past) look({ memoryId, field: "version", text: content });
      for (const { name } of state().entities.values()) look({ memoryId: undefined, field: "entity", text: name });
      for (const text of state().projects.keys()) look({ memoryId: undefined, field: "project", text });
      for (const { label } of state().tokens.values()) look({ memoryId: undefined, field: "token", text: label });
      for (const { id } of state().sessions.values()) look({ memoryId: undefined, field: "session id", text: id });
      for (const { id, session } of rows())
        if (session !== undefined) look({ memoryId: id, field: "session id", text: session });
    },
    async rewrite(by, given, clean) {
      const ids = existing(given);
      await alone(async (draft) => {
        noteAudit(draft, by, clock, { op: "redact", memoryIds: ids, outcome: "begun" });
        for (const [id, entity] of draft.entities) draft.entities.set(id, { ...entity, name: clean(entity.name) });
        for (const id of ids) {
          const row = draft.memories.get(id);
          if (!row) continue;
          const text = canonical(clean(row.content));
          const entity = { ...row.entity, name: clean(row.entity.name) };
          draft.memories.set(id, { ...row, entity, text, content: text.content, contentHash: text.contentHash });
          const past = draft.pastVersions.get(id) ?? [];
          draft.pastVersions.set(
            id,
            past.map((each) => ({ ...each, content: clean(each.content) })),
          );
        }
        rewriteNames(draft, clean);
        dropVectors(draft, ids);
        noteAudit(draft, by, clock, { op: "redact", memoryIds: ids });
      });
      return { derived: derivedOf(ids), backups: [], isLogClean: true };
    },
  };
}

function rewriteNames(draft: State, clean: (text: string) => string): void {
  const { projects, tokens, sessions, memories, touches, workSnapshots } = draft;
  for (const [key, id] of [...projects]) {
    const renamed = clean(key);
    if (renamed === key) continue;
    projects.delete(key);
    projects.set(projects.has(renamed) ? `${renamed} ${id}` : renamed, id);
  }
  for (const [id, token] of tokens) tokens.set(id, { ...token, label: clean(token.label) });
  const renamed = new Map<string, string>();
  const nameOf = (session: string): string => {
    if (clean(session) === session) return session;
    const name = renamed.get(session) ?? `redacted-${randomUUID()}`;
    renamed.set(session, name);
    return name;
  };
  for (const [key, row] of [...sessions]) {
    const id = nameOf(row.id);
    sessions.delete(key);
    sessions.set(sessionKey(row.memberId, id), { ...row, id });
  }
  for (const [key, row] of [...workSnapshots]) {
    const session = nameOf(row.session);
    workSnapshots.delete(key);
    workSnapshots.set(sessionKey(row.memberId, session), { ...row, session });
  }
  for (const [key, touch] of touches) touches.set(key, { ...touch, session: nameOf(touch.session) });
  for (const [id, row] of memories)
    if (row.session !== undefined) memories.set(id, { ...row, session: nameOf(row.session) });
}

function eraseSessionTexts({ sessions, touches, workSnapshots }: State, memberId: number, id: string): void {
  const own = sessionKey(memberId, id);
  workSnapshots.delete(own);
  for (const [key, touch] of touches)
    if (touch.session === id && touch.memberId === memberId) touches.set(key, { ...touch, intent: undefined });
  const session = sessions.get(own);
  const { progress } = session ?? {};
  if (session && progress?.carry !== undefined)
    sessions.set(own, { ...session, progress: { ...progress, carry: withoutWords(progress.carry) } });
}

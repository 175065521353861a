import { randomUUID } from "node:crypto";
import {
  type Caller,
  type Clock,
  isOfThePast,
  type Member,
  type MemoryWrites,
  type NewMemory,
  RECAPTURE,
  REWORD,
  SESSION_PAUSE_MS,
  type SessionReads,
  type SessionWrites,
  SOURCE_GONE,
  type Space,
  stateOf,
  type TranscriptProgress,
} from "@chest/core";
import { plain, projectIdOf, type State, sessionKey, vectorKey } from "./memory-state.ts";

/** Operations of rules and models, after which a memory still counts as unchanged by a member. */
const OF_RULES: ReadonlySet<string> = new Set(["restore", REWORD, RECAPTURE]);

const KEPT_MS = 14 * 86_400_000;

export function sessionReads(
  state: () => State,
  member: Member,
  now: Clock["now"],
  spaces: () => readonly Space[],
  projectId: () => number | undefined,
  current: () => string | undefined,
): SessionReads {
  const own = (id: string) => state().sessions.get(sessionKey(member.id, id));
  const isOpen = (project: number | undefined) => project === undefined || spaces().includes(`p${project}`);
  return {
    async progress(id) {
      const session = own(id);
      if (!session?.progress || isOpen(session.projectId)) return session?.progress;
      return { ...session.progress, carry: undefined };
    },
    async trace(id) {
      const session = own(id);
      const open = spaces();
      const files = new Map<string, number>();
      for (const { session: of, memberId, operation, path, space } of state().touches.values()) {
        if (
          of !== id ||
          memberId !== member.id ||
          !open.includes(space) ||
          (operation !== "edit" && operation !== "write")
        )
          continue;
        files.set(path, (files.get(path) ?? 0) + 1);
      }
      const rows = [...state().memories.values()]
        .filter((row) => row.session === id && row.authorId === member.id && stateOf(row) === "live")
        .filter((row) => open.includes(row.space))
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id);
      return {
        files: [...files].map(([path, edits]) => ({ path, edits })).sort((a, b) => b.edits - a.edits),
        memories: rows.map((row) => ({
          memory: plain(row, state()),
          rule: row.rule,
          captureKey: row.captureKey,
        })),
        carry: isOpen(session?.projectId) ? session?.progress?.carry : undefined,
      };
    },
    async ownIds(id) {
      const rows = [...state().memories.values()];
      return new Set(rows.flatMap((row) => (row.session === id && row.authorId === member.id ? [row.id] : [])));
    },
    current: async () => current(),
    async project(id) {
      const session = state().sessions.get(sessionKey(member.id, id));
      if (!session) return undefined;
      return [...state().projects].find(([, project]) => project === session.projectId)?.[0];
    },
    async workSnapshot(id) {
      const found = state().workSnapshots.get(sessionKey(member.id, id));
      if (!found || !isOpen(found.projectId)) return undefined;
      return now().getTime() - found.createdAt.getTime() < KEPT_MS ? found : undefined;
    },
    async lastWork() {
      const rows = [...state().workSnapshots.values()]
        .filter((row) => row.memberId === member.id && row.projectId === projectId() && isOpen(row.projectId))
        .filter(({ createdAt }) => now().getTime() - createdAt.getTime() < KEPT_MS);
      return rows.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).at(0);
    },
    async handoffs(limit) {
      return [...state().workSnapshots.values()]
        .filter((row) => row.memberId === member.id && isOpen(row.projectId))
        .filter(({ createdAt }) => now().getTime() - createdAt.getTime() < KEPT_MS)
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .slice(0, limit);
    },
    async lastSeenAt(besides) {
      return [...state().sessions.values()]
        .filter((row) => row.memberId === member.id && row.projectId === projectId() && row.id !== besides)
        .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
        .sort((a, b) => b.getTime() - a.getTime())
        .at(0);
    },
  };
}

/** Notes the session of a call, which is made where its client sent no id and has none that goes on. */
export function noteSession(state: State, caller: Caller, now: Date): string | undefined {
  const { session = inferredSession(state, caller) } = caller.client;
  if (session === undefined) return undefined;
  const key = sessionKey(caller.member.id, session);
  const projectId = caller.project === undefined ? undefined : projectIdOf(state, caller.project);
  const fresh = { id: session, memberId: caller.member.id, projectId, progress: undefined };
  state.sessions.set(key, { ...fresh, ...state.sessions.get(key), lastSeenAt: now });
  return session;
}

function inferredSession(state: State, caller: Caller): string | undefined {
  const { origin, activeSince } = caller.client.inferred ?? {};
  if (origin === undefined || activeSince === undefined) return undefined;
  return lastInferred(state, caller) ?? `auto-${caller.member.id}-${origin}-${randomUUID()}`;
}

/** The session that a caller is in, where it has begun. */
export const sessionOf = (state: State, caller: Pick<Caller, "member" | "client">): string | undefined =>
  caller.client.session ?? lastInferred(state, caller);

function lastInferred(
  state: State,
  { client: { inferred }, member }: Pick<Caller, "member" | "client">,
): string | undefined {
  const { origin, activeSince } = inferred ?? {};
  if (origin === undefined || activeSince === undefined) return undefined;
  const name = `auto-${member.id}-${origin}-`;
  const last = [...state.sessions.values()].filter(({ id }) => id.startsWith(name)).at(-1);
  const lastAt = last?.lastSeenAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return activeSince.getTime() - lastAt < SESSION_PAUSE_MS ? last?.id : undefined;
}

const NO_GIT = { commit: undefined, branch: undefined };

const knownAt = (at: Date, now: Date): Date | undefined => (isOfThePast(at, now) ? now : undefined);

interface SessionParts {
  readonly caller: Caller;
  readonly clock: Clock;
  readonly reads: SessionReads;
  readonly memories: MemoryWrites;
  place(draft: Pick<NewMemory, "projectKey" | "visibility">): {
    readonly projectId: number | undefined;
    readonly space: Space;
  };
  /** Keeps a version of a memory. */
  version(id: number, op: string): void;
}

export function sessionWrites(
  state: State,
  { caller, clock, reads, memories, place, version }: SessionParts,
): SessionWrites {
  const projectOf = (projectKey: string | undefined) => place({ projectKey, visibility: "project" }).projectId;
  const open = (id: string, progress: TranscriptProgress | undefined, projectKey: string | undefined) => {
    const key = sessionKey(caller.member.id, id);
    const projectId = state.sessions.get(key)?.projectId ?? projectOf(projectKey);
    state.sessions.set(key, { ...state.sessions.get(key), id, memberId: caller.member.id, projectId, progress });
  };
  return {
    progress: reads.progress,
    async capture({ captureKey, session, rule, at, ...draft }) {
      if (state.purged.has(captureKey)) return { outcome: "purged", id: undefined };
      const known = [...state.memories.values()].find((row) => row.captureKey === captureKey);
      if (known) {
        const { id } = known;
        const past = state.pastVersions.get(id) ?? [];
        const isBack = stateOf(known) !== "live" && past.at(-1)?.reason === SOURCE_GONE;
        const ruled = past.at(-1)?.op === REWORD ? past.at(-1)?.content : undefined;
        const isSame = known.contentHash === draft.text.contentHash || ruled === draft.text.content;
        if (isSame && !isBack) return { outcome: "unchanged", id };
        if (stateOf(known) !== "live" && !isBack) return { outcome: "kept", id };
        if (isBack && (await memories.sameWords(draft))) return { outcome: "same_words", id };
        const back = isBack ? { ...known, ...(await memories.restore(known)) } : known;
        const isChanged = past.some(({ op, reason }) => !OF_RULES.has(op) && reason !== SOURCE_GONE);
        if (isSame || isChanged) return { outcome: isBack ? "updated" : "kept", id };
        const { text } = draft;
        const words = { text, content: text.content, contentHash: text.contentHash, updatedAt: clock.now() };
        for (const [key, { memoryId, identity }] of state.vectors) {
          if (memoryId === known.id && key === vectorKey(memoryId, identity)) state.vectors.delete(key);
        }
        if (ruled !== undefined) version(id, RECAPTURE);
        state.memories.set(known.id, { ...back, ...words, version: state.memories.get(id)?.version ?? back.version });
        return { outcome: "updated", id: known.id };
      }
      const twin = await memories.sameWords(draft);
      if (twin) return { outcome: "same_words", id: twin.id };
      const { id } = await memories.add(draft);
      const row = state.memories.get(id);
      if (row)
        state.memories.set(id, { ...row, captureKey, session, rule, createdAt: at, knownAt: knownAt(at, clock.now()) });
      return { outcome: "inserted", id };
    },
    async retire(memory) {
      await memories.archive(memory, "forget");
      const past = state.pastVersions.get(memory.id) ?? [];
      state.pastVersions.set(memory.id, [
        ...past.slice(0, -1),
        ...past.slice(-1).map((version) => ({ ...version, reason: SOURCE_GONE })),
      ]);
    },
    async touch(touch) {
      const memberId = caller.member.id;
      const key = JSON.stringify([memberId, touch.session, touch.turn, touch.ordinal]);
      if (state.touches.has(key)) return false;
      const of = [...state.memories.values()].find((row) => row.captureKey === touch.captureKey);
      const { space } = place({
        projectKey: touch.projectKey,
        visibility: touch.projectKey === undefined ? "team" : "project",
      });
      const memoryId = touch.captureKey === undefined ? undefined : of?.id;
      state.touches.set(key, { ...touch, memberId, memoryId, space });
      return true;
    },
    async workIn(projectKey) {
      const { session } = caller.client;
      if (session === undefined) return;
      const key = sessionKey(caller.member.id, session);
      const known = state.sessions.get(key);
      if (!known || known.progress) return;
      state.sessions.set(key, { ...known, projectId: projectOf(projectKey) });
    },
    async keepProgress(id, progress, projectKey) {
      open(id, progress, projectKey);
    },
    async keepWorkSnapshot(id, { text, kind = "compact", keywords = [], git = NO_GIT }) {
      open(id, await reads.progress(id), caller.project);
      const key = sessionKey(caller.member.id, id);
      state.workSnapshots.set(key, {
        text,
        kind,
        keywords,
        git,
        session: id,
        createdAt: clock.now(),
        memberId: caller.member.id,
        projectId: projectOf(caller.project) ?? state.workSnapshots.get(key)?.projectId,
        takenBy: undefined,
      });
    },
    async takeWork(id, by) {
      const key = sessionKey(caller.member.id, id);
      const found = state.workSnapshots.get(key);
      if (!found || found.takenBy !== undefined) return false;
      state.workSnapshots.set(key, { ...found, takenBy: by });
      return true;
    },
    close: async () => undefined,
  };
}

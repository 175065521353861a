import {
  type Clock,
  type ConversationReads,
  type ConversationWrites,
  type Reach,
  type Space,
  stateOf,
  type TriggerReads,
  type TriggerWrites,
  TURN_RULE,
  type TurnQuery,
} from "@chest/core";
import { projectOf } from "./memory-access.ts";
import { projectIdOf, type State, type StoredMemory, type Turn } from "./memory-state.ts";

type TurnRow = StoredMemory & { readonly turn: Turn };

export function conversationReads(state: () => State, spaces: () => readonly Space[]): ConversationReads {
  const rowsOf = ({ conversationId, projectKey }: Omit<TurnQuery, "limit">): TurnRow[] => {
    const projectId = projectKey === undefined ? undefined : (projectIdOf(state(), projectKey) ?? -1);
    return [...state().memories.values()]
      .filter((row): row is TurnRow => row.turn !== undefined && stateOf(row) === "live")
      .filter((row) => spaces().includes(row.space) && row.projectId === projectId)
      .filter(({ turn }) => conversationId === undefined || turn.conversationId === conversationId)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id);
  };
  return {
    async turns(query) {
      return rowsOf(query)
        .slice(0, query.limit)
        .map(({ id, createdAt, turn }) => ({ id, at: createdAt, ...turn }));
    },
    async turnsWith(text, query) {
      const rows = rowsOf(query).filter(({ content }) => content.includes(text));
      return rows.slice(0, query.limit).map(({ id }) => id);
    },
    async list({ projectKey, limit, offset }) {
      const byId = new Map<string, TurnRow[]>();
      for (const row of rowsOf({ conversationId: undefined, projectKey })) {
        const { conversationId } = row.turn;
        byId.set(conversationId, [...(byId.get(conversationId) ?? []), row]);
      }
      const all = [...byId].map(([id, rows]) => ({
        id,
        turns: rows.length,
        firstAt: rows.at(-1)?.createdAt ?? new Date(0),
        lastAt: rows[0]?.createdAt ?? new Date(0),
        score: rows.reduce((sum, { turn }) => sum + turn.score, 0),
      }));
      all.sort((a, b) => b.turns - a.turns || b.lastAt.getTime() - a.lastAt.getTime() || (a.id < b.id ? -1 : 1));
      return { total: all.length, conversations: all.slice(offset, offset + limit) };
    },
  };
}

export function conversationWrites(state: State, clock: Clock, { turnsWith }: ConversationReads): ConversationWrites {
  return {
    turnsWith,
    async mark({ id }, { conversationId, keywords, at }) {
      const row = state.memories.get(id);
      if (!row) throw new Error(`no memory ${id}`);
      const createdAt = new Date(Math.floor(at.getTime() / 1000) * 1000);
      const knownAt = createdAt < clock.now() ? clock.now() : undefined;
      const turn = { conversationId, keywords, score: 0 };
      state.memories.set(id, { ...row, createdAt, knownAt, rule: TURN_RULE, turn });
    },
  };
}

export function triggerReads(state: () => State, spaces: (reach: Reach) => readonly Space[]): TriggerReads {
  return {
    async all(reach) {
      const open = spaces(reach);
      return [...state().memories.values()]
        .filter((row) => stateOf(row) === "live" && open.includes(row.space))
        .flatMap(({ id, importance, trigger }) =>
          trigger === undefined ? [] : [{ memoryId: id, importance, condition: trigger }],
        )
        .sort((a, b) => b.importance - a.importance || b.memoryId - a.memoryId);
    },
    async of(id) {
      const row = state().memories.get(id);
      return row && spaces("everywhere").includes(row.space) ? row.trigger : undefined;
    },
    async keysOf(key) {
      const project = projectOf(state(), key);
      return project && spaces("everywhere").includes(`p${project.id}`) ? [project.key, ...project.aliases] : [];
    },
  };
}

export function triggerWrites(state: State): TriggerWrites {
  return {
    async set({ id }, trigger) {
      const row = state.memories.get(id);
      if (!row) throw new Error(`no memory ${id}`);
      state.memories.set(id, { ...row, trigger });
    },
  };
}

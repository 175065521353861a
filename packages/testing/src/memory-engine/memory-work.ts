import type { Caller, Clock, Space, WorkItem, WorkReads, WorkWrites } from "@chest/core";
import { writableProject } from "./memory-access.ts";
import { noteAudit } from "./memory-audit.ts";
import type { State } from "./memory-state.ts";

export type WorkRow = WorkItem & { readonly projectId: number | undefined };

export function workReads(state: () => State, spaces: () => readonly Space[]): WorkReads {
  const visible = () =>
    [...state().work.values()].filter(({ projectId }) =>
      spaces().includes(projectId === undefined ? "team" : `p${projectId}`),
    );
  const plain = ({ projectId: _, closedByMemoryId: id, ...item }: WorkRow): WorkItem => {
    const { space = "" } = (id !== undefined && state().memories.get(id)) || {};
    return { ...item, closedByMemoryId: spaces().includes(space) ? id : undefined };
  };
  return {
    async open(projectKey) {
      const wanted = projectKey === undefined ? undefined : (state().projects.get(projectKey) ?? -1);
      return visible()
        .filter(({ status, projectId }) => status === "open" && (wanted === undefined || projectId === wanted))
        .sort((a, b) => a.priority - b.priority || a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id)
        .map(plain);
    },
    async ended(projectKey, limit) {
      const wanted = projectKey === undefined ? undefined : (state().projects.get(projectKey) ?? -1);
      return visible()
        .filter(({ status, projectId }) => status !== "open" && (wanted === undefined || projectId === wanted))
        .sort((a, b) => Number(b.closedAt) - Number(a.closedAt) || b.id - a.id)
        .slice(0, limit)
        .map(plain);
    },
    async byId(id) {
      const row = visible().find((each) => each.id === id);
      return row && plain(row);
    },
  };
}

export function workWrites(state: State, caller: Caller, clock: Clock, reads: WorkReads): WorkWrites {
  return {
    ...reads,
    async add({ projectKey, ...draft }) {
      const projectId = projectKey === undefined ? undefined : writableProject(state, projectKey, caller);
      state.lastId += 1;
      const item: WorkItem = {
        ...draft,
        id: state.lastId,
        status: "open",
        author: caller.member.name,
        reason: undefined,
        closedByMemoryId: undefined,
        createdAt: clock.now(),
        closedAt: undefined,
      };
      state.work.set(item.id, { ...item, projectId });
      noteAudit(state, caller, clock, { op: "work.add", subject: `work:${item.id}` });
      return item;
    },
    async end({ id }, { status, reason, memoryId }) {
      const row = state.work.get(id);
      if (row?.status !== "open") return;
      state.work.set(id, { ...row, status, reason, closedByMemoryId: memoryId, closedAt: clock.now() });
      noteAudit(state, caller, clock, { op: `work.${status}`, subject: `work:${id}` });
    },
    async reopen({ id }) {
      const row = state.work.get(id);
      if (!row || row.status === "open") return;
      const anew = { status: "open", reason: undefined, closedByMemoryId: undefined, closedAt: undefined } as const;
      state.work.set(id, { ...row, ...anew });
      noteAudit(state, caller, clock, { op: "work.reopen", subject: `work:${id}` });
    },
  };
}

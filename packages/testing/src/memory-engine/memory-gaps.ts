import {
  type Caller,
  type Clock,
  type Gap,
  type GapReads,
  type GapWrites,
  MOST_GAPS,
  opensTo,
  type Space,
} from "@chest/core";
import { projectsOf } from "./memory-access.ts";
import { projectIdOf, type State } from "./memory-state.ts";

export type GapRow = Omit<Gap, "project"> & { readonly projectId: number | undefined };

export const gapReads = (state: () => State, spaces: () => readonly Space[]): GapReads => ({
  async list(limit) {
    const keys = new Map([...state().projects].map(([key, id]) => [id, key]));
    return [...state().gaps]
      .filter(({ projectId }) => spaces().includes(projectId === undefined ? "team" : `p${projectId}`))
      .sort((a, b) => b.times - a.times || b.lastAt.getTime() - a.lastAt.getTime())
      .slice(0, limit)
      .map(({ projectId, ...gap }) => ({ ...gap, project: projectId === undefined ? undefined : keys.get(projectId) }));
  },
});

export const gapWrites = (state: State, caller: Caller, clock: Clock): GapWrites => ({
  async note(question) {
    const projectId = caller.project === undefined ? undefined : projectIdOf(state, caller.project);
    const project = projectsOf(state).find(({ id }) => id === projectId);
    if (caller.project !== undefined && (!project || !opensTo(project, caller))) return;
    const now = clock.now();
    const isIt = (gap: GapRow) => gap.projectId === projectId && gap.question === question;
    const known = state.gaps.find(isIt);
    const others = state.gaps.filter((gap) => !isIt(gap));
    const counted = {
      question,
      projectId,
      times: (known?.times ?? 0) + 1,
      firstAt: known?.firstAt ?? now,
      lastAt: now,
    };
    const here = others.filter((gap) => gap.projectId === projectId);
    const oldest = here.length < MOST_GAPS ? undefined : here.reduce((a, b) => (b.lastAt < a.lastAt ? b : a));
    state.gaps.splice(0, state.gaps.length, ...others.filter((gap) => gap !== oldest), counted);
  },
});

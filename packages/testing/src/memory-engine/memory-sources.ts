import {
  type Caller,
  type Clock,
  confirmedConfidence,
  type MemorySource,
  type Reach,
  type SourceReads,
  type SourceWrites,
  type Space,
  stateOf,
} from "@chest/core";
import { projectIdOf, type State } from "./memory-state.ts";

export function sourceReads(
  state: () => State,
  spaces: (reach: Reach) => readonly Space[],
  { project }: Pick<Caller, "project">,
): SourceReads {
  return {
    async find({ reach, ids, path = "", isHere, limit }) {
      const open = spaces(reach);
      const here = project === undefined ? undefined : projectIdOf(state(), project);
      const sources = [...state().memories.values()]
        .filter((row) => open.includes(row.space) && (ids ? ids.includes(row.id) : stateOf(row) === "live"))
        .filter(({ projectId }) => !isHere || projectId === here)
        .flatMap((row) =>
          (row.sources ?? []).map((source) => ({ ...source, memoryId: row.id, isHere: row.projectId === here })),
        )
        .filter((source) => path === "" || source.path === path || source.path.startsWith(`${path}/`))
        .sort(
          (a, b) =>
            Number(a.checkedAt ?? 0) - Number(b.checkedAt ?? 0) ||
            a.memoryId - b.memoryId ||
            (a.path < b.path ? -1 : 1),
        );
      return { total: sources.length, sources: sources.slice(0, limit) };
    },
  };
}

export function sourceWrites(state: State, { member }: Pick<Caller, "member">, clock: Clock): SourceWrites {
  const row = (id: number) => {
    const found = state.memories.get(id);
    if (!found) throw new Error(`no memory ${id}`);
    return found;
  };
  return {
    of: async ({ id }) => row(id).sources ?? [],
    async put({ id }, sources, replaces) {
      const given = sources.map(
        (source): MemorySource => ({ ...source, status: "unknown", checkedAt: undefined, checkedBy: undefined }),
      );
      const paths = new Set(given.map(({ path }) => path));
      const kept = replaces ? [] : (row(id).sources ?? []).filter(({ path }) => !paths.has(path));
      const all = [...kept, ...given].sort((a, b) => (a.path < b.path ? -1 : 1));
      state.memories.set(id, { ...row(id), sources: all });
    },
    async check({ id }, checks) {
      const now = clock.now();
      const byPath = new Map(checks.map((check) => [check.path, check]));
      const sources = (row(id).sources ?? []).map((source): MemorySource => {
        const check = byPath.get(source.path);
        if (!check) return source;
        return { ...source, ...check.anchor, status: check.status, checkedAt: now, checkedBy: member.name };
      });
      const isVerified = checks.every(({ status }) => status === "ok");
      const { confidence, lastVerifiedAt } = row(id);
      const verified = {
        confidence: confirmedConfidence(confidence, lastVerifiedAt, now),
        lastVerifiedAt: now,
      };
      state.memories.set(id, { ...row(id), sources, ...(isVerified ? verified : {}) });
    },
  };
}

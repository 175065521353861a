import {
  type Caller,
  isReviewer,
  type PromotionReads,
  type PromotionWrites,
  placesOf,
  type Reach,
  type Space,
  stateOf,
} from "@chest/core";
import { plain, type State, type StoredMemory } from "./memory-state.ts";

type Asker = Pick<Caller, "member" | "scopes">;

function waitingFor(state: State, caller: Asker, spaces: readonly Space[]): StoredMemory[] {
  const { projectIds, isAtLarge } = placesOf(spaces);
  return [...state.memories.values()]
    .filter((row) => row.requestedVisibility !== undefined && stateOf(row) === "live")
    .filter(({ authorId }) => isReviewer(caller) || authorId === caller.member.id)
    .filter(({ projectId }) => (projectId === undefined ? isAtLarge : projectIds.includes(projectId)))
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id);
}

export function promotionReads(
  state: () => State,
  caller: Asker,
  spaces: (reach: Reach) => readonly Space[],
): PromotionReads {
  return {
    async waiting({ reach, limit, offset }) {
      const rows = waitingFor(state(), caller, spaces(reach));
      return { total: rows.length, memories: rows.slice(offset, offset + limit).map((row) => plain(row, state())) };
    },
  };
}

interface Bound {
  readonly caller: Asker;
  readonly spaces: (reach: Reach) => readonly Space[];
  /** Changes a memory and keeps the version before. */
  change(id: number, op: string, changes: object, reason?: string): StoredMemory;
}

export function promotionWrites(state: State, { caller, spaces, change }: Bound): PromotionWrites {
  return {
    async byId(id) {
      const row = waitingFor(state, caller, spaces("everywhere")).find((each) => each.id === id);
      return row && plain(row, state);
    },
    request: async ({ id }, reason) => plain(change(id, "request", { requestedVisibility: "team" }, reason), state),
    decline: async ({ id }, reason) => plain(change(id, "decline", { requestedVisibility: undefined }, reason), state),
  };
}

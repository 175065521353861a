import { type EmbeddingIdentity, type IdentityBook, identityParts, isSameIdentity, stateOf } from "@chest/core";
import { type State, vectorKey } from "./memory-state.ts";

/** @param alone runs a change by itself. */
export function memoryIdentities(
  current: () => State,
  alone: <T>(work: (draft: State) => Promise<T>) => Promise<T>,
): IdentityBook {
  const live = (state: State) => [...state.memories.values()].filter((row) => stateOf(row) === "live");
  const done = (state: State, identity: EmbeddingIdentity) =>
    live(state).filter(({ id }) => state.vectors.has(vectorKey(id, identity))).length;
  return {
    current: async () => current().identities,
    async shares() {
      const state = current();
      const { active, next } = state.identities;
      const stored = [...state.vectors.values()].map(({ identity }) => identity);
      const named = [active, ...(next ? [next] : [])];
      const all = new Map([...named, ...stored].map((identity) => [identityParts(identity).join(), identity]));
      return [...all.values()]
        .map((identity) => ({ identity, done: done(state, identity) }))
        .filter((share) => share.done > 0 || named.includes(share.identity));
    },
    begin: (next) =>
      alone(async (state) => {
        const { active } = state.identities;
        const isInUse = [...state.vectors.values()].some(({ identity }) => isSameIdentity(identity, active));
        if (isSameIdentity(next, active)) state.identities = { active, next: undefined };
        else state.identities = isInUse ? { active, next } : { active: next, next: undefined };
        return state.identities;
      }),
    settle: () =>
      alone(async (state) => {
        const { next } = state.identities;
        const rows = live(state).length;
        if (!next || rows - done(state, next) > rows / 100) return false;
        state.identities = { active: next, next: undefined };
        return true;
      }),
    dropOthers: () =>
      alone(async (state) => {
        const { active, next } = state.identities;
        const others = [...state.vectors].filter(
          ([, { identity }]) => !isSameIdentity(identity, active) && !(next && isSameIdentity(identity, next)),
        );
        for (const [key] of others) state.vectors.delete(key);
        return others.length;
      }),
  };
}

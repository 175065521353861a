import { endpoints, ownTimeZone } from "@chest/contracts";
import { type AccessAdmin, type Caller, localCaller, openAccessAdmin, systemClock } from "@chest/core";
import { RELEASE } from "@chest/runtime";
import { withBackend } from "./backend.ts";
import type { Config, Reach } from "./config.ts";
import { withStore } from "./local-store.ts";

/**
 * Management of members, tokens and projects: through a backend with the rights of the token, or directly in the store.
 */
export async function withAccessAdmin<T>(config: Config, work: (admin: AccessAdmin) => Promise<T>): Promise<T> {
  if (config.remote) return withRemoteAccessAdmin(config.remote, work);
  return withStore(config, ({ access }) => work(openAccessAdmin(access, operatorHere(), systemClock)));
}

/** Caller for users who can open the store's file. */
export const operatorHere = (project?: string): Caller => ({
  ...localCaller(project, { name: "chest-index", version: RELEASE }),
  timeZone: ownTimeZone(),
});

function withRemoteAccessAdmin<T>(reach: Reach, work: (admin: AccessAdmin) => Promise<T>): Promise<T> {
  const named = (given: unknown): Record<string, string> =>
    Object.fromEntries(Object.entries(given as object).map(([name, value]) => [name, String(value)]));
  return withBackend(reach, (backend) =>
    work({
      createToken: (body) => backend.call(endpoints.createToken, { body }),
      renewToken: (given) => backend.call(endpoints.renewToken, { parts: named(given), body: {} }),
      listTokens: async (given) => (await backend.call(endpoints.listTokens, { query: named(given) })).tokens,
      revokeToken: (given) => backend.call(endpoints.revokeToken, { parts: named(given) }),
      addMember: (body) => backend.call(endpoints.addMember, { body }),
      listMembers: async () => (await backend.call(endpoints.listMembers)).members,
      disableMember: (given) => backend.call(endpoints.disableMember, { parts: named(given) }),
      handOver: (body) => backend.call(endpoints.handOver, { body }),
      listProjects: async (given = {}) =>
        (await backend.call(endpoints.listProjects, { query: named(given) })).projects,
      setProject: (body) => backend.call(endpoints.setProject, { body }),
      joinProjects: (body) => backend.call(endpoints.joinProjects, { body }),
      splitProject: (body) => backend.call(endpoints.splitProject, { body }),
    }),
  );
}

import { endpoints, ownTimeZone } from "@chest/contracts";
import { type AccessAdmin, type Caller, localCaller, openAccessAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { RELEASE } from "@chest/runtime";
import { textsOf, withBackend } from "./backend.ts";
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
  return withBackend(reach, (backend) =>
    work({
      createToken: (body) => backend.call(endpoints.createToken, { body }),
      renewToken: (input) => backend.call(endpoints.renewToken, { parts: textsOf(input), body: {} }),
      listTokens: async (input) => (await backend.call(endpoints.listTokens, { query: textsOf(input) })).tokens,
      revokeToken: (input) => backend.call(endpoints.revokeToken, { parts: textsOf(input) }),
      addMember: (body) => backend.call(endpoints.addMember, { body }),
      listMembers: async () => (await backend.call(endpoints.listMembers)).members,
      disableMember: (input) => backend.call(endpoints.disableMember, { parts: textsOf(input) }),
      handOver: (body) => backend.call(endpoints.handOver, { body }),
      listProjects: async (input = {}) =>
        (await backend.call(endpoints.listProjects, { query: textsOf(input) })).projects,
      setProject: (body) => backend.call(endpoints.setProject, { body }),
      joinProjects: (body) => backend.call(endpoints.joinProjects, { body }),
      splitProject: (body) => backend.call(endpoints.splitProject, { body }),
    }),
  );
}

import { ChestError } from "@chest/contracts";
import type { ProjectRow } from "../ports/access.ts";
import type { Caller } from "./caller.ts";
import { LOCAL } from "./member.ts";

/** Longest key a project may have. */
export const MAX_PROJECT_KEY = 200;

/** `git@Host:Org/repo.git` and `https://user@host/Org/repo` are both `host/Org/repo`; undefined when it is no remote. */
export function projectKeyOfRemote(remote: string): string | undefined {
  const trimmed = remote
    .trim()
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/:@]+)(?::\d+)?\/(.+)$/i.exec(trimmed);
  const scp = /^(?:[^@/\s]+@)?([^/:\s]+):(?!\/)(.+)$/.exec(trimmed);
  const [, host, path] = url ?? scp ?? [];
  if (!host || !path) return undefined;
  return `${host.toLowerCase()}/${path.replace(/^\/+/, "")}`.slice(0, MAX_PROJECT_KEY);
}

/** Whether a caller may open a project. Whoever holds the file opens them all. */
export function opensTo({ id, access, memberIds }: ProjectRow, { member, token }: Pick<Caller, "member" | "token">) {
  if (token?.projectIds && !token.projectIds.includes(id)) return false;
  return access === "open" || member.id === LOCAL.id || memberIds.includes(member.id);
}

/** May this caller write into a project; undefined is one that nobody has made yet. */
export const mayWriteTo = (project: ProjectRow | undefined, caller: Pick<Caller, "member" | "token">): boolean =>
  project ? opensTo(project, caller) : caller.token?.projectIds === undefined;

export function closedProject(key: string): ChestError {
  return new ChestError("NOT_FOUND", `project \`${key}\` not found among those you may open`, {
    hint: "ask an admin to open it to you, or name another `project`",
    details: { id: key },
  });
}

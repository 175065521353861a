import { ChestError } from "@chest/contracts";
import type { ProjectRow } from "../ports/access.ts";
import type { Caller } from "./caller.ts";
import { LOCAL } from "./member.ts";
import { repositoryKeyOf } from "./project-key.ts";

/** Whether a caller may open a project. A caller with the file itself opens them all. */
export function opensTo(
  { id, access, memberIds }: ProjectRow,
  { member, token, beside }: Pick<Caller, "member" | "token" | "beside">,
): boolean {
  const mayBeside = beside === undefined || access === "open" || memberIds.includes(beside.id);
  if (!mayBeside) return false;
  if (token?.projectIds && !token.projectIds.includes(id)) return false;
  return access === "open" || member.id === LOCAL.id || memberIds.includes(member.id);
}

/** The project of a key, an alias, or another spelling of the same repository; undefined when there is none yet. */
export function projectOfKey(projects: readonly ProjectRow[], key: string): ProjectRow | undefined {
  const find = (wanted: string) =>
    projects.find((each) => each.key === wanted) ?? projects.find(({ aliases }) => aliases.includes(wanted));
  return find(key) ?? find(repositoryKeyOf(key));
}

/** Keys of the projects that are named to a caller, by id: an admin is told all, others those that they may open. */
export const keysToldTo = (
  projects: readonly ProjectRow[],
  caller: Pick<Caller, "member" | "token" | "scopes">,
): ReadonlyMap<number, string> =>
  new Map(
    projects
      .filter((project) => caller.scopes.has("admin") || opensTo(project, caller))
      .map(({ id, key }) => [id, key] as const),
  );

/** Whether this caller may write into a project; undefined is one that does not exist yet. */
export const mayWriteTo = (project: ProjectRow | undefined, caller: Pick<Caller, "member" | "token">): boolean =>
  project ? opensTo(project, caller) : caller.token?.projectIds === undefined;

const closed = new WeakSet<ChestError>();

/** Whether an error refuses a closed project. Its code does not tell whether the project exists. */
export const isClosedProject = (error: ChestError): boolean => closed.has(error);

export function closedProject(key: string): ChestError {
  const error = new ChestError("NOT_FOUND", `project \`${key}\` not found among those you may open`, {
    hint: "ask an admin to open it to you, or name another `project`",
    details: { id: key },
  });
  closed.add(error);
  return error;
}

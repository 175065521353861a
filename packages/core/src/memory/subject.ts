import type { ProjectRow } from "../ports/access.ts";
import type { Entity } from "./entity.ts";
import { normaliseName } from "./entity-name.ts";

type Subject = Pick<Entity, "name" | "kind">;

const NOTHING_IN_PARTICULAR: Subject = { name: "general", kind: "other" };

const lastPart = (key: string): string => key.split("/").at(-1) || key;

/** Default subject of a memory: its project, unless the name would reveal a closed project to the team. */
export function subjectOfPlace(
  { visibility, projectKey }: { readonly visibility: string; readonly projectKey: string | undefined },
  project: ProjectRow | undefined,
): Subject {
  if (projectKey === undefined || (visibility === "team" && project?.access === "members"))
    return NOTHING_IN_PARTICULAR;
  return { name: lastPart(projectKey), kind: "project" };
}

/** Subject of a memory that moves to the team: its present one, unless that is the name of its closed project. */
export function subjectForTeam(
  subject: Pick<Entity, "name" | "kind" | "canonicalKey">,
  project: ProjectRow | undefined,
): Pick<Entity, "name" | "kind" | "canonicalKey"> {
  if (subject.kind !== "project" || project?.access !== "members") return subject;
  const names = [project.key, ...project.aliases].map((key) => normaliseName(lastPart(key)));
  return names.includes(normaliseName(subject.name)) ? { ...NOTHING_IN_PARTICULAR, canonicalKey: undefined } : subject;
}

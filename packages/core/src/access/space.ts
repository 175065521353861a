import type { Member } from "./member.ts";

export const VISIBILITIES = ["private", "project", "team"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** The one place a memory lies in: `team`, `p12` (project 12), `m7` or `m7p12` (member 7's own, at large or in a project). */
export type Space = string;

/**
 * How far a question reaches: this project and what is shared, all a caller may open, the other projects that are open to
 * every member, or one named project.
 */
export type Reach = "here" | "everywhere" | "elsewhere" | { readonly projectKey: string };

/** Facts from which the spaces of a caller are computed. */
export interface CallerPlace {
  readonly member: Member;
  /** The project the caller works in; undefined when it named none, or one that holds nothing yet. */
  readonly projectId: number | undefined;
  /** Did the caller name a project at all. */
  readonly hasProject: boolean;
  /** Every project this caller may open. */
  readonly openProjectIds: readonly number[];
  /** Ids of the projects among them that are closed to other members. */
  readonly closedProjectIds: readonly number[];
  /** Nothing that is one member's alone is opened: see `beside` of a caller. */
  readonly isBeside?: boolean;
}

export function spaceOf(visibility: Visibility, member: Member, projectId: number | undefined): Space {
  if (visibility === "team") return "team";
  if (visibility === "project") return projectId === undefined ? "team" : `p${projectId}`;
  return projectId === undefined ? `m${member.id}` : `m${member.id}p${projectId}`;
}

/**
 * Whether every reader of one space opens another: only then may a memory there replace one here. A member's own space
 * has no other readers, and a writer opens the space that it writes to.
 */
export function isOpenToReadersOf(read: Space, other: Space, isOpenProject: (space: Space) => boolean): boolean {
  if (read === other || other === "team" || read.startsWith("m")) return true;
  return other.startsWith("p") && isOpenProject(other);
}

/**
 * The spaces a caller opens: the whole of visibility, on every engine and every route.
 * @param named id of the project that a `{ projectKey }` reach resolved to; undefined when no project has that key.
 */
export function spacesFor(standing: CallerPlace, reach: Reach, named?: number): readonly Space[] {
  const spaces = ownSpacesFor(standing, reach, named);
  return standing.isBeside ? spaces.filter((space) => !space.startsWith("m")) : spaces;
}

function ownSpacesFor(standing: CallerPlace, reach: Reach, named: number | undefined): readonly Space[] {
  const own = `m${standing.member.id}`;
  const inProject = (id: number): Space[] => [`p${id}`, `${own}p${id}`];
  const ifOpen = (id: number | undefined): Space[] =>
    id !== undefined && standing.openProjectIds.includes(id) ? inProject(id) : [];
  if (typeof reach === "object") return ifOpen(named);
  if (reach === "elsewhere") {
    const isOther = (id: number) => id !== standing.projectId && !standing.closedProjectIds.includes(id);
    return standing.openProjectIds.filter(isOther).flatMap(inProject);
  }
  // A 1.5 client names no project and reaches all it may.
  if (reach === "here" && standing.hasProject) return ["team", own, ...ifOpen(standing.projectId)];
  return ["team", own, ...standing.openProjectIds.flatMap(inProject)];
}

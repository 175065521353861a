import {
  type Caller,
  type CallerPlace,
  opensTo,
  type Reach,
  repositoryKeyOf,
  type Space,
  spacesFor,
} from "@chest/core/access";
import type { ProjectAccess, ProjectRow } from "@chest/core/ports";
import type { Reading } from "./connection.ts";
import { listIn, statements } from "./dialect.ts";

/** SELECT of projects `p` with their members and aliases, without a condition. */
export const projectsOf = statements(
  (d) => `SELECT p.id, p.key, p.access,
    ${d.listOf("member_id", "project_members m WHERE m.project_id = p.id")} AS member_ids,
    ${d.listOf("a.key", "project_aliases a WHERE a.project_id = p.id")} AS aliases
  FROM projects p`,
);

export interface ProjectCells {
  readonly id: number;
  readonly key: string;
  readonly access: ProjectAccess;
  readonly member_ids: readonly number[] | string;
  readonly aliases: readonly string[] | string;
}

export const toProject = ({ id, key, access, member_ids, aliases }: ProjectCells): ProjectRow => ({
  id,
  key,
  aliases: [...listIn(aliases)],
  access,
  memberIds: [...listIn(member_ids)],
});

/**
 * SQL for the id of a project by key, alias, or another spelling of its repository, over the values of `spellingsOf`.
 * An exact key wins, so that two spellings stored as separate projects stay separate.
 */
export const PROJECT_OF_KEY = `coalesce((SELECT id FROM projects WHERE key = ?), (SELECT project_id FROM project_aliases WHERE key = ?),
  (SELECT id FROM projects WHERE key = ?), (SELECT project_id FROM project_aliases WHERE key = ?))`;

export function spellingsOf(key: string): readonly [string, string, string, string] {
  const one = repositoryKeyOf(key);
  return [key, key, one, one];
}

const MOST_KEPT = 1000;

/** State of the projects at one moment, with the spaces that they open. */
export class Places {
  readonly #projects: readonly ProjectRow[];
  /** By key and alias. */
  readonly #byKey: ReadonlyMap<string, ProjectRow>;
  readonly #openSpaces: ReadonlySet<Space>;
  /** Spaces by caller and reach, cached because a call asks several times, and agents repeat the same calls. */
  readonly #spaces = new Map<string, readonly Space[]>();

  constructor(projects: readonly ProjectRow[]) {
    this.#projects = projects;
    this.#byKey = new Map([
      ...projects.flatMap((project) => project.aliases.map((key) => [key, project] as const)),
      ...projects.map((project) => [project.key, project] as const),
    ]);
    this.#openSpaces = new Set(projects.filter(({ access }) => access === "open").map(({ id }) => `p${id}`));
  }

  /** Finds a project by key, alias, or another spelling of its repository; undefined if there is none. */
  find(key: string): ProjectRow | undefined {
    return this.#byKey.get(key) ?? this.#byKey.get(repositoryKeyOf(key));
  }

  byId(id: number): ProjectRow | undefined {
    return this.#projects.find((project) => project.id === id);
  }

  /** Whether every member may open the project of this space. */
  isOpen(space: Space): boolean {
    return this.#openSpaces.has(space);
  }

  /** Spaces of a reach that the caller may open. */
  spaces(caller: Caller, reach: Reach): readonly Space[] {
    const key = JSON.stringify([caller.member.id, caller.beside?.id, caller.token?.projectIds, caller.project, reach]);
    const known = this.#spaces.get(key);
    if (known) return known;
    const spaces = this.#computed(caller, reach);
    if (this.#spaces.size >= MOST_KEPT) this.#spaces.clear();
    this.#spaces.set(key, spaces);
    return spaces;
  }

  #computed(caller: Caller, reach: Reach): readonly Space[] {
    const opened = this.#projects.filter((project) => opensTo(project, caller));
    const place: CallerPlace = {
      member: caller.member,
      projectId: caller.project === undefined ? undefined : this.find(caller.project)?.id,
      hasProject: caller.project !== undefined,
      isBeside: caller.beside !== undefined,
      openProjectIds: opened.map(({ id }) => id),
      closedProjectIds: opened.filter(({ access }) => access !== "open").map(({ id }) => id),
    };
    return spacesFor(place, reach, typeof reach === "object" ? this.find(reach.projectKey)?.id : undefined);
  }
}

/** Reads all projects. */
export async function readPlaces(connection: Reading): Promise<Places> {
  const rows = await connection.all<ProjectCells>(`${projectsOf(connection.dialect)} ORDER BY p.id`);
  return new Places(rows.map(toProject));
}

/** Reads the version of the projects, which every change replaces. */
export const PLACES_STATE = "SELECT value FROM meta WHERE key = 'places'";

/** The projects, read again after a change by any process. */
export class KnownPlaces {
  readonly #connection: Reading;
  #state: string | undefined;
  #places = new Places([]);

  constructor(connection: Reading) {
    this.#connection = connection;
  }

  /** Reads the version, and the projects only if it changed. */
  async now(): Promise<Places> {
    return this.as((await this.#connection.get<{ value: string }>(PLACES_STATE))?.value);
  }

  /** The last read projects, which may be outdated. */
  get last(): Places {
    return this.#places;
  }

  /** The projects of a version; undefined if another version was read last. */
  at(state: string | undefined): Places | undefined {
    return state !== undefined && state === this.#state ? this.#places : undefined;
  }

  /** @param state version of the projects, just read; the projects are at least as new. */
  async as(state: string | undefined): Promise<Places> {
    const known = this.at(state);
    if (known) return known;
    const places = await readPlaces(this.#connection);
    [this.#places, this.#state] = [places, state];
    return places;
  }
}

/** Every space with a memory, by skipping through the index: `DISTINCT` would scan all rows. */
export async function everySpace(connection: Reading): Promise<readonly Space[]> {
  const rows = await connection.all<{ space: Space }>(
    `WITH RECURSIVE each (space) AS (
       SELECT min(space) FROM memories
       UNION ALL SELECT (SELECT min(m.space) FROM memories m WHERE m.space > each.space) FROM each WHERE each.space IS NOT NULL)
     SELECT space FROM each WHERE space IS NOT NULL`,
  );
  return rows.map(({ space }) => space);
}

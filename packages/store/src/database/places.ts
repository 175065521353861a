import {
  type Caller,
  type CallerPlace,
  opensTo,
  type ProjectAccess,
  type ProjectRow,
  type Reach,
  repositoryKeyOf,
  type Space,
  spacesFor,
} from "@chest/core";
import type { Reading } from "./connection.ts";
import { listIn, statements } from "./dialect.ts";

/** SELECT of projects `p` with their members and aliases, to be narrowed down. */
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
 * Id of a project by its key, an alias, or another spelling of the same repository, as an expression of SQL over the values of
 * `spellingsOf`. A key as it was given comes first: two spellings that were kept as two projects stay two.
 */
export const PROJECT_OF_KEY = `coalesce((SELECT id FROM projects WHERE key = ?), (SELECT project_id FROM project_aliases WHERE key = ?),
  (SELECT id FROM projects WHERE key = ?), (SELECT project_id FROM project_aliases WHERE key = ?))`;

export function spellingsOf(key: string): readonly [string, string, string, string] {
  const one = repositoryKeyOf(key);
  return [key, key, one, one];
}

const MOST_KEPT = 1000;

/** The projects as of one moment, and the spaces that they open. */
export class Places {
  readonly #projects: readonly ProjectRow[];
  /** Aliases among the keys. */
  readonly #byKey: ReadonlyMap<string, ProjectRow>;
  readonly #openSpaces: ReadonlySet<Space>;
  /** Spaces by caller and reach: one question asks for the same several times, and agents ask the same all day. */
  readonly #spaces = new Map<string, readonly Space[]>();

  constructor(projects: readonly ProjectRow[]) {
    this.#projects = projects;
    this.#byKey = new Map([
      ...projects.flatMap((project) => project.aliases.map((key) => [key, project] as const)),
      ...projects.map((project) => [project.key, project] as const),
    ]);
    this.#openSpaces = new Set(projects.filter(({ access }) => access === "open").map(({ id }) => `p${id}`));
  }

  /** By its key, an alias, or another spelling of the same repository; undefined when there is none yet. */
  find(key: string): ProjectRow | undefined {
    return this.#byKey.get(key) ?? this.#byKey.get(repositoryKeyOf(key));
  }

  byId(id: number): ProjectRow | undefined {
    return this.#projects.find((project) => project.id === id);
  }

  /** Whether this is the space of a project that every member may open. */
  isOpen(space: Space): boolean {
    return this.#openSpaces.has(space);
  }

  /** The spaces that a reach opens to a caller. */
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

/** Reads the projects on any connection. */
export async function readPlaces(connection: Reading): Promise<Places> {
  const rows = await connection.all<ProjectCells>(`${projectsOf(connection.dialect)} ORDER BY p.id`);
  return new Places(rows.map(toProject));
}

/** Statement for the state of the projects: a value that every change of them replaces. */
export const PLACES_STATE = "SELECT value FROM meta WHERE key = 'places'";

/** The projects, read again when any process has changed them. */
export class KnownPlaces {
  readonly #connection: Reading;
  #state: string | undefined;
  #places = new Places([]);

  constructor(connection: Reading) {
    this.#connection = connection;
  }

  /** Reads their state, and the projects only if it has changed. */
  async now(): Promise<Places> {
    return this.as((await this.#connection.get<{ value: string }>(PLACES_STATE))?.value);
  }

  /** The projects as they were read last: they may have changed since. */
  get last(): Places {
    return this.#places;
  }

  /** The projects as of a state; undefined where it is not the one that was read last. */
  at(state: string | undefined): Places | undefined {
    return state !== undefined && state === this.#state ? this.#places : undefined;
  }

  /** @param state of the projects, as it was read a moment ago: what is read after it is no older. */
  async as(state: string | undefined): Promise<Places> {
    const known = this.at(state);
    if (known) return known;
    const places = await readPlaces(this.#connection);
    [this.#places, this.#state] = [places, state];
    return places;
  }
}

/** Every space that holds a memory, from one to the next: `DISTINCT` would walk the index of all rows. */
export async function everySpace(connection: Reading): Promise<readonly Space[]> {
  const rows = await connection.all<{ space: Space }>(
    `WITH RECURSIVE each (space) AS (
       SELECT min(space) FROM memories
       UNION ALL SELECT (SELECT min(m.space) FROM memories m WHERE m.space > each.space) FROM each WHERE each.space IS NOT NULL)
     SELECT space FROM each WHERE space IS NOT NULL`,
  );
  return rows.map(({ space }) => space);
}

import {
  type Caller,
  opensTo,
  type ProjectAccess,
  type ProjectRow,
  type Reach,
  type Space,
  spacesFor,
} from "@chest/core";
import type { Reading } from "./connection.ts";

export const PROJECTS = `SELECT p.id, p.key, p.access,
    ARRAY(SELECT member_id FROM project_members m WHERE m.project_id = p.id ORDER BY member_id) AS member_ids,
    ARRAY(SELECT a.key FROM project_aliases a WHERE a.project_id = p.id ORDER BY a.key) AS aliases
  FROM projects p`;

export interface ProjectRowOfTable {
  readonly id: number;
  readonly key: string;
  readonly access: ProjectAccess;
  readonly member_ids: readonly number[];
  readonly aliases: readonly string[];
}

export const toProject = ({ id, key, access, member_ids, aliases }: ProjectRowOfTable): ProjectRow => ({
  id,
  key,
  aliases: [...aliases],
  access,
  memberIds: [...member_ids],
});

/** The projects as of one moment, and the spaces that they open. */
export class Places {
  readonly #projects: readonly ProjectRow[];
  /** Aliases among the keys. */
  readonly #byKey: ReadonlyMap<string, ProjectRow>;
  readonly #openSpaces: ReadonlySet<Space>;

  constructor(projects: readonly ProjectRow[]) {
    this.#projects = projects;
    this.#byKey = new Map([
      ...projects.flatMap((project) => project.aliases.map((key) => [key, project] as const)),
      ...projects.map((project) => [project.key, project] as const),
    ]);
    this.#openSpaces = new Set(projects.filter(({ access }) => access === "open").map(({ id }) => `p${id}`));
  }

  /** By its key or an alias; undefined when there is none yet. */
  find(key: string): ProjectRow | undefined {
    return this.#byKey.get(key);
  }

  byId(id: number): ProjectRow | undefined {
    return this.#projects.find((project) => project.id === id);
  }

  /** Whether this is the space of a project that every member may open. */
  isOpen(space: Space): boolean {
    return this.#openSpaces.has(space);
  }

  spaces(caller: Caller, reach: Reach): readonly Space[] {
    const standing = {
      member: caller.member,
      projectId: caller.project === undefined ? undefined : this.#byKey.get(caller.project)?.id,
      hasProject: caller.project !== undefined,
      openProjectIds: this.#projects.filter((project) => opensTo(project, caller)).map(({ id }) => id),
    };
    return spacesFor(standing, reach, typeof reach === "object" ? this.#byKey.get(reach.projectKey)?.id : undefined);
  }
}

/** Reads the projects on any connection. */
export const readPlaces = async (connection: Reading): Promise<Places> =>
  new Places((await connection.all<ProjectRowOfTable>(`${PROJECTS} ORDER BY p.id`)).map(toProject));

/** The projects, read again when any backend has changed them. */
export class KnownPlaces {
  readonly #connection: Reading;
  #state: string | undefined;
  #places = new Places([]);

  constructor(connection: Reading) {
    this.#connection = connection;
  }

  /** @param state of the projects, as it was read a moment ago: what is read after it is no older. */
  async as(state: string | undefined): Promise<Places> {
    if (state === this.#state && state !== undefined) return this.#places;
    const places = await readPlaces(this.#connection);
    [this.#places, this.#state] = [places, state];
    return places;
  }
}

/** Every space that holds a memory, from one to the next: `DISTINCT` would walk the index of all rows. */
export async function everySpace(connection: Reading): Promise<readonly Space[]> {
  const rows = await connection.all<{ space: Space }>(
    `WITH RECURSIVE each (space) AS (
       (SELECT space FROM memories ORDER BY space LIMIT 1)
       UNION ALL SELECT (SELECT m.space FROM memories m WHERE m.space > each.space ORDER BY m.space LIMIT 1)
       FROM each WHERE each.space IS NOT NULL)
     SELECT space FROM each WHERE space IS NOT NULL`,
  );
  return rows.map(({ space }) => space);
}

import {
  type Caller,
  type CallerPlace,
  opensTo,
  type ProjectRow,
  type Reach,
  type Space,
  spacesFor,
} from "@chest/core";
import { KnownPlaces } from "@chest/store/database/places";
import { PROJECTS, type ProjectRowOfTable, toProject } from "./access-rows.ts";
import { readingOf } from "./async-connection.ts";
import type { Reading } from "./connection.ts";

// From one space to the next: `DISTINCT` would walk the index of all rows.
const EVERY_SPACE = `WITH RECURSIVE each (space) AS (
    SELECT min(space) FROM memories
    UNION ALL SELECT (SELECT min(space) FROM memories WHERE space > each.space) FROM each WHERE each.space IS NOT NULL
  ) SELECT space FROM each WHERE space IS NOT NULL`;

const MOST_KEPT = 1000;

/** The projects and their access, kept until any process changes them. */
export class Projects {
  readonly #connection: Reading;
  readonly places: KnownPlaces;
  #state: string | undefined;
  #rows: readonly ProjectRow[] = [];
  /** Aliases among the keys. */
  #byKey: ReadonlyMap<string, ProjectRow> = new Map();
  /** Cache of computed spaces: one question asks for the same several times, and agents ask the same all day. */
  readonly #spaces = new Map<string, readonly Space[]>();

  constructor(connection: Reading) {
    this.#connection = connection;
    this.places = new KnownPlaces(readingOf(connection));
  }

  /** The spaces that a reach opens to a caller. */
  spaces(caller: Caller, reach: Reach): readonly Space[] {
    this.#refresh();
    const key = JSON.stringify([caller.member.id, caller.token?.projectIds, caller.project, reach]);
    const known = this.#spaces.get(key);
    if (known) return known;
    const spaces = this.#computed(caller, reach);
    if (this.#spaces.size >= MOST_KEPT) this.#spaces.clear();
    this.#spaces.set(key, spaces);
    return spaces;
  }

  #computed(caller: Caller, reach: Reach): readonly Space[] {
    const standing: CallerPlace = {
      member: caller.member,
      projectId: caller.project === undefined ? undefined : this.#byKey.get(caller.project)?.id,
      hasProject: caller.project !== undefined,
      openProjectIds: this.#rows.filter((project) => opensTo(project, caller)).map(({ id }) => id),
    };
    return spacesFor(standing, reach, typeof reach === "object" ? this.#byKey.get(reach.projectKey)?.id : undefined);
  }

  /** By its key or an alias; undefined when there is none yet. */
  find(key: string): ProjectRow | undefined {
    this.#refresh();
    return this.#byKey.get(key);
  }

  byId(id: number): ProjectRow | undefined {
    this.#refresh();
    return this.#rows.find((project) => project.id === id);
  }

  /** Whether this is the space of a project that every member may open. */
  isOpen(space: Space): boolean {
    this.#refresh();
    return this.#rows.some(({ id, access }) => space === `p${id}` && access === "open");
  }

  /** Every space that holds a memory. */
  everySpace(): readonly Space[] {
    return this.#connection.all<{ space: Space }>(EVERY_SPACE).map(({ space }) => space);
  }

  #refresh(): void {
    const state = this.#connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'places'")?.value;
    if (state === this.#state) return;
    this.#rows = this.#connection.all<ProjectRowOfTable>(PROJECTS).map(toProject);
    this.#byKey = new Map([
      ...this.#rows.flatMap((row) => row.aliases.map((key) => [key, row] as const)),
      ...this.#rows.map((row) => [row.key, row] as const),
    ]);
    this.#spaces.clear();
    this.#state = state;
  }
}

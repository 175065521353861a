import { type Caller, type Reach, type Space, type Standing, spacesFor } from "@chest/core";
import type { Connection } from "./connection.ts";

// From one space to the next: `DISTINCT` would walk the index of all rows.
const EVERY_SPACE = `WITH RECURSIVE each (space) AS (
    SELECT min(space) FROM memories
    UNION ALL SELECT (SELECT min(space) FROM memories WHERE space > each.space) FROM each WHERE each.space IS NOT NULL
  ) SELECT space FROM each WHERE space IS NOT NULL`;

/** Which projects there are, kept until another one appears. */
export class Projects {
  readonly #connection: Connection;
  #newest = -1;
  #byKey = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The spaces that a reach opens to a caller. */
  spaces(caller: Caller, reach: Reach): readonly Space[] {
    this.#refresh();
    const standing: Standing = {
      member: caller.member,
      projectId: caller.project === undefined ? undefined : this.#byKey.get(caller.project),
      hasProject: caller.project !== undefined,
      openProjectIds: [...this.#byKey.values()],
    };
    return spacesFor(standing, reach, typeof reach === "object" ? this.#byKey.get(reach.projectKey) : undefined);
  }

  /** Every space that holds a memory. */
  everySpace(): readonly Space[] {
    return this.#connection.all<{ space: Space }>(EVERY_SPACE).map(({ space }) => space);
  }

  #refresh(): void {
    const newest = this.#connection.get<{ id: number | null }>("SELECT max(id) AS id FROM projects")?.id ?? 0;
    if (newest === this.#newest) return; // Also after a rollback: the number falls back.
    const rows = this.#connection.all<{ key: string; id: number }>(
      "SELECT key, id FROM projects WHERE access = 'open'",
    );
    this.#byKey = new Map(rows.map(({ key, id }) => [key, id]));
    this.#newest = newest;
  }
}

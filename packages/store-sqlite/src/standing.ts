import { type Caller, type Reach, type Space, type Standing, spacesFor } from "@chest/core";
import type { Connection } from "./connection.ts";

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

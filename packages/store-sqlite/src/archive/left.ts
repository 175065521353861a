import type { Statements } from "../database/connection.ts";

/** Tells whether a uid was purged, so that no older archive restores it. Old stores have no such table. */
export function purgedIn(connection: Pick<Statements, "get">): (uid: string) => boolean {
  if (connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'purged'") === undefined) return () => false;
  return (uid) => connection.get("SELECT 1 FROM purged WHERE uid = ?", uid) !== undefined;
}

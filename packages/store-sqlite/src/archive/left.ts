import type { Statements } from "../database/connection.ts";

/** Was a uid taken away here for good: an archive of before does not bring it back. A store of early days knows of none. */
export function purgedIn(connection: Pick<Statements, "get">): (uid: string) => boolean {
  if (connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'purged'") === undefined) return () => false;
  return (uid) => connection.get("SELECT 1 FROM purged WHERE uid = ?", uid) !== undefined;
}

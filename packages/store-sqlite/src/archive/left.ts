import type { LeftOut, MemoryRecord } from "@chest/core";
import type { Statements } from "../database/connection.ts";

/** Was a uid taken away here for good: an archive of before does not bring it back. A store of early days knows of none. */
export function purgedIn(connection: Pick<Statements, "get">): (uid: string) => boolean {
  if (connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'purged'") === undefined) return () => false;
  return (uid) => connection.get("SELECT 1 FROM purged WHERE uid = ?", uid) !== undefined;
}

export const leftAsPurged = ({ id }: MemoryRecord): LeftOut => ({
  type: "left",
  what: "memory",
  ref: id,
  reason: "it was purged here",
  isByDesign: true,
});

/** An entity that no memory of the archive is about: there is nothing to keep of it, and no space that it could lie in. */
export const leftAsBare = (name: string): LeftOut => ({
  type: "left",
  what: "entity name",
  ref: name,
  reason: "no memory is about it",
  isByDesign: true,
});

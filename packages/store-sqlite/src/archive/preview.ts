import { existsSync } from "node:fs";
import {
  type ArchiveRecord,
  type EntityRecord,
  type ImportReport,
  ImportTally,
  leftAsBare,
  leftAsPurged,
  type MemoryRecord,
  type SkippedRecord,
} from "@chest/core/archive";
import { canonical, normaliseName } from "@chest/core/memory";
import { redact } from "@chest/core/redaction";
import { isUnused } from "@chest/store/archive/importer";
import { readingOf } from "../database/async-connection.ts";
import { Connection, type Statements } from "../database/connection.ts";
import { assertNotLost } from "../store-file/missing-store-guard.ts";

type Records = AsyncIterable<ArchiveRecord | SkippedRecord> | Iterable<ArchiveRecord | SkippedRecord>;

/** Reports the outcome of an import over a read-only connection. */
export async function previewImport(path: string, records: Records): Promise<ImportReport> {
  assertNotLost(path);
  const tally = new ImportTally();
  const reader = existsSync(path) ? new Connection(path, { readonly: true }) : undefined;
  const isPurged = reader && purgedIn(reader);
  const seen = new Set<string>();
  const isFirst = (mark: string) => seen.size < seen.add(mark).size;
  const isNewMemory = ({ uid }: MemoryRecord) =>
    isFirst(uid) && reader?.get("SELECT 1 FROM memories WHERE uid = ?", uid) === undefined;
  const isNewEntity = (record: EntityRecord) => {
    const normal = normaliseName(redact(record.name)) || record.name.toLowerCase();
    const asked = "SELECT 1 FROM entities WHERE uid = ? OR (kind = ? AND normalised_name = ?) OR canonical_key = ?";
    return (
      isFirst(`${record.kind}\n${normal}`) &&
      reader?.get(asked, record.uid, record.kind, normal, record.key ?? null) === undefined
    );
  };
  const entities = new Map<string, EntityRecord>();
  try {
    tally.keptIds = reader === undefined || (await isUnused(readingOf(reader)));
    for await (const record of records) {
      if (record.type === "left") tally.leave(record);
      else if (record.type === "entity") entities.set(record.uid, record);
      else if (record.type === "memory") {
        const about = entities.get(record.entity);
        if (about && isFirst(`entity\n${about.uid}`)) tally.entities[isNewEntity(about) ? "inserted" : "known"]++;
        if (isPurged?.(record.uid)) {
          tally.leave(leftAsPurged(record));
          continue;
        }
        const isNew = isNewMemory(record);
        tally.memories[isNew ? "inserted" : "unchanged"]++;
        const isSame = canonical(record.content).content === record.content;
        if (isNew) tally.vectors[isSame ? "kept" : "dropped"] += record.vectors.length;
      } else if (record.type === "link") tally.links++;
      else if (record.type === "edit") tally.edits++;
      else if (record.type === "work") tally.work++;
    }
    for (const { uid, name } of entities.values()) if (isFirst(`entity\n${uid}`)) tally.leave(leftAsBare(name));
    return tally.report();
  } finally {
    reader?.close();
  }
}

/** Tells whether a uid was purged, so that no older archive restores it. Old stores have no such table. */
function purgedIn(connection: Pick<Statements, "get">): (uid: string) => boolean {
  if (connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'purged'") === undefined) return () => false;
  return (uid) => connection.get("SELECT 1 FROM purged WHERE uid = ?", uid) !== undefined;
}

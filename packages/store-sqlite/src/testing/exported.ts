import type { ArchiveRecord } from "@chest/core/archive";
import { exportRecords } from "../index.ts";

/** All records of a store. */
export const exportedFrom = (path: string, withVectors = false): Promise<ArchiveRecord[]> =>
  exportRecords({ path, withVectors }, async ({ records }) => {
    const all: ArchiveRecord[] = [];
    for await (const record of records) all.push(record);
    return all;
  });

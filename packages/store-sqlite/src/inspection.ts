import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { ChestError } from "@chest/contracts";
import type { Inspection } from "@chest/core/ports";
import { countsOf, type RowCounts, SUMMARY } from "@chest/store/queries/row-counts";
import type { Connection } from "./database/connection.ts";
import type { Writer } from "./database/write-queue.ts";
import { examine } from "./integrity/diagnosis.ts";
import { schemaOf } from "./integrity/inspect-file.ts";
import type { Searcher } from "./threads/search-pool.ts";

const MIN_FREE_BYTES = 64 * 1024 * 1024;

type Counts = RowCounts<(typeof SUMMARY)[number]>;

export interface Inspected {
  readonly path: string;
  readonly reader: Connection;
  readonly writer: Writer;
  readonly pool: Searcher;
}

export function inspection({ path, reader, writer, pool }: Inspected): Inspection {
  return {
    async ping() {
      reader.get("SELECT value FROM meta WHERE key = 'seq'");
    },
    async assertWritable() {
      const { bavail, bsize } = await statfs(dirname(path));
      if (bavail * bsize < MIN_FREE_BYTES) {
        throw new ChestError("STORAGE_FULL", "the disk under the database is almost full", {
          hint: "the operator frees space",
        });
      }
      // Takes and releases the write lock; only the sequence number changes.
      await writer.call(async () => undefined);
    },
    async assertSearchable() {
      await pool.ask("ping", {});
    },
    examine: () => examine({ path, writer }),
    async summary() {
      const { size } = await stat(path);
      const counts = reader.get<Counts>(countsOf(SUMMARY)) as Counts;
      return { where: path, sizeBytes: size, schemaVersion: schemaOf(reader), ...counts };
    },
  };
}

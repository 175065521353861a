import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { ChestError } from "@chest/contracts";
import type { Inspection } from "@chest/core";
import type { Connection } from "./database/connection.ts";
import type { Writer } from "./database/write-queue.ts";
import type { PrismaClient } from "./generated/client.ts";
import { examine } from "./integrity/diagnosis.ts";
import type { SearchPool } from "./threads/search-pool.ts";

const MIN_FREE_BYTES = 64 * 1024 * 1024;

/**
 * The rarely read tables, through a Prisma client whose writes the database itself refuses. Loaded at the first question:
 * a backend that nobody asks for its operator's things does without its 40 MB.
 */
export class OperatorReads {
  readonly #path: string;
  #opened: Promise<PrismaClient> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  client(): Promise<PrismaClient> {
    this.#opened ??= connect(this.#path);
    return this.#opened;
  }

  async close(): Promise<void> {
    const client = await this.#opened;
    await client?.$disconnect();
  }
}

async function connect(path: string): Promise<PrismaClient> {
  const [{ PrismaBetterSqlite3 }, { PrismaClient }] = await Promise.all([
    import("@prisma/adapter-better-sqlite3"),
    import("./generated/client.ts"),
  ]);
  return new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}`, readonly: true }) });
}

export interface Inspected {
  readonly path: string;
  readonly reads: OperatorReads;
  readonly reader: Connection;
  readonly writer: Writer;
  readonly pool: SearchPool;
}

export function inspection({ path, reads, reader, writer, pool }: Inspected): Inspection {
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
      // Takes the write lock and gives it back: the sequence number moves, nothing else does.
      await writer.call(async () => undefined);
    },
    async assertSearchable() {
      await pool.ask("ping", {});
    },
    examine: () => examine({ path, writer }),
    async summary() {
      const client = await reads.client();
      const [archived, superseded, all, pending, version, textRows, file] = await Promise.all([
        client.memories.count({ where: { archived_at: { not: null }, superseded_by_id: null } }),
        client.memories.count({ where: { superseded_by_id: { not: null } } }),
        client.memories.count(),
        client.memories.count({ where: { archived_at: null, embedding_status: "pending" } }),
        client.meta.findUnique({ where: { key: "schema_version" } }),
        client.$queryRaw<{ n: number | bigint }[]>`SELECT count(*) AS n FROM memory_text`,
        stat(path),
      ]);
      return {
        where: path,
        sizeBytes: file.size,
        schemaVersion: version?.value ?? "none",
        live: all - archived - superseded,
        archived,
        superseded,
        textRows: Number(textRows[0]?.n ?? 0),
        pending,
      };
    },
  };
}

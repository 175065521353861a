import { statfs, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { ChestError } from "@chest/contracts";
import type { AccessBook, Inspection } from "@chest/core";
import { PrismaClient } from "./generated/client.ts";
import type { SearchPool } from "./search/pool.ts";
import type { Writer } from "./writer.ts";

const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** The rarely read tables, through a Prisma client whose writes the database itself refuses. */
export class OperatorReads {
  readonly #path: string;
  #opened: PrismaClient | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get client(): PrismaClient {
    this.#opened ??= new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${this.#path}`, readonly: true }) });
    return this.#opened;
  }

  async close(): Promise<void> {
    await this.#opened?.$disconnect();
  }
}

export function accessBook(reads: OperatorReads): AccessBook {
  return {
    async memberByName(name) {
      const row = await reads.client.members.findUnique({ where: { name, status: "active" }, select: { id: true, name: true } });
      return row ?? undefined;
    },
    projects: () => reads.client.projects.findMany({ select: { id: true, key: true }, orderBy: { id: "asc" } }),
  };
}

export function inspection(path: string, reads: OperatorReads, writer: Writer, pool: SearchPool): Inspection {
  return {
    async ping() {
      await reads.client.meta.findUnique({ where: { key: "seq" } });
    },
    async assertWritable() {
      const { bavail, bsize } = await statfs(dirname(path));
      if (bavail * bsize < MIN_FREE_BYTES) {
        throw new ChestError("STORAGE_FULL", "the disk under the database is almost full", { hint: "the operator frees space" });
      }
      // Takes the write lock and gives it back: the sequence number moves, nothing else does.
      await writer.call(async () => undefined);
    },
    async assertSearchable() {
      await pool.ask("ping", {});
    },
    async summary() {
      const { client } = reads;
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

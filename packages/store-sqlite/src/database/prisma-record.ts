import { setTimeout as wait } from "node:timers/promises";
import { recordForPrisma as record } from "@chest/store/database/prisma-record";
import { statementsOf } from "./async-connection.ts";
import type { Connection } from "./connection.ts";
import type { Migration } from "./migrations.ts";
import { sqliteCode } from "./sqlite-errors.ts";
import type { StoreLog } from "./store-log.ts";

const PATIENCE_MS = 5000;

/**
 * Makes Prisma's record of migrations a copy of the ledger.
 * @param writing the connection that writes, which does not wait for the lock
 */
export const recordForPrisma = (
  writing: Connection,
  migrations: () => readonly Migration[],
  log: StoreLog,
): Promise<void> =>
  record({
    reading: statementsOf(writing),
    migrations,
    warn: (...told) => log.warn(...told),
    async transaction(work) {
      await begin(writing);
      try {
        const result = await work(statementsOf(writing));
        writing.run("COMMIT");
        return result;
      } finally {
        if (writing.db.inTransaction) writing.run("ROLLBACK");
      }
    },
  });

/** Takes the write lock as soon as it is free; a waiting statement would block this process, which may hold it. */
async function begin(writing: Connection): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      writing.run("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!sqliteCode(error)?.startsWith("SQLITE_BUSY") || Date.now() > deadline) throw error;
      await wait(10 + Math.random() * 20);
    }
  }
}

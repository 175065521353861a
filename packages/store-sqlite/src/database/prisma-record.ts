import { recordForPrisma as record } from "@chest/store/database/prisma-record";
import { statementsOf } from "./async-connection.ts";
import type { Connection } from "./connection.ts";
import type { Migration } from "./migrations.ts";
import type { StoreLog } from "./store-log.ts";

const BUSY_MS = 5000;

/**
 * Makes Prisma's record of migrations a copy of the ledger.
 * @param writing the connection that writes, which waits for no lock before and after
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
      const { db } = writing;
      db.pragma(`busy_timeout = ${BUSY_MS}`);
      try {
        db.exec("BEGIN IMMEDIATE");
        const result = await work(statementsOf(writing));
        db.exec("COMMIT");
        return result;
      } finally {
        if (db.inTransaction) db.exec("ROLLBACK");
        db.pragma("busy_timeout = 0");
      }
    },
  });

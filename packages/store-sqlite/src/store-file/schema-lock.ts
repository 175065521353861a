import { chmodSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { CannotOpen } from "@chest/core/ports";
import Database from "better-sqlite3";
import { touchFile } from "../database/create-file.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";

const PATIENCE_MS = 30_000;
// Wait for a process that is closing.
const LEAVING_MS = 1000;

/**
 * Lock that keeps other processes out while one changes a store's schema: a small SQLite file beside the store, whose
 * lock the system frees when a process dies. It is shared while a store is open, and exclusive for a migration or
 * restore.
 */
export class OpeningLock {
  readonly #db: Database.Database;
  readonly #storePath: string;
  readonly #patienceMs: number;

  constructor(storePath: string, patienceMs: number = PATIENCE_MS) {
    this.#storePath = storePath;
    this.#patienceMs = patienceMs;
    const path = `${storePath}.lock`;
    touchFile(path);
    chmodSync(path, 0o600);
    // The first statement takes the lock, because another process may hold it, which is no error.
    this.#db = new Database(path, { timeout: 50 });
  }

  /**
   * Runs `work` exclusively, once other processes have left the store, if `isNeeded` still holds then. Throws
   * `CannotOpen` if they stay.
   */
  async exclusively(isNeeded: () => boolean, work: () => Promise<void>): Promise<void> {
    const deadline = Date.now() + this.#patienceMs;
    while (isNeeded()) {
      if (this.#begin("BEGIN EXCLUSIVE")) {
        try {
          if (isNeeded()) await work();
        } finally {
          this.#db.exec("ROLLBACK");
        }
        return;
      }
      if (Date.now() > deadline)
        throw inUse(`an older release of Chest has \`${this.#storePath}\` open, and this one must change it first`);
      await wait(20 + Math.random() * 60);
    }
  }

  /** Runs `work` if no other process uses the store. */
  ifAlone(work: () => void): void {
    if (!this.#begin("BEGIN EXCLUSIVE")) return;
    try {
      work();
    } finally {
      this.#db.exec("ROLLBACK");
    }
  }

  /** Releases the share, and runs `work` if no other process uses the store. */
  ifLast(work: () => void): void {
    this.#db.exec("ROLLBACK");
    this.ifAlone(work);
  }

  /** Locks every other process out until `release`; false if one is using the store. */
  async take(): Promise<boolean> {
    const deadline = Date.now() + LEAVING_MS;
    while (!this.#begin("BEGIN EXCLUSIVE")) {
      if (Date.now() > deadline) return false;
      await wait(20 + Math.random() * 60);
    }
    return true;
  }

  /** Takes a share of the lock until `release`. */
  async share(): Promise<void> {
    const deadline = Date.now() + this.#patienceMs;
    this.#db.exec("BEGIN");
    while (!this.#begin("SELECT count(*) FROM sqlite_master")) {
      if (Date.now() > deadline) throw inUse(`another process is changing \`${this.#storePath}\``);
      await wait(20 + Math.random() * 60);
    }
  }

  release(): void {
    if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
    this.#db.close();
  }

  #begin(sql: string): boolean {
    try {
      if (sql.startsWith("SELECT")) this.#db.prepare(sql).get();
      else this.#db.exec(sql);
      return true;
    } catch (error) {
      if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return false;
      throw error;
    }
  }
}

const inUse = (message: string): CannotOpen =>
  new CannotOpen(message, "end the backend and the agents that run there, then try again");

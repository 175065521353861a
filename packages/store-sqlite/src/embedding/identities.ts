import type { EmbeddingIdentity } from "@chest/core/ports";
import { adoptIdentity as adoptIn, missingIdentity } from "@chest/store/embedding/identities";
import { statementsOf } from "../database/async-connection.ts";
import { Connection } from "../database/connection.ts";

const OPENING_BUSY_MS = 30_000;

/** Sets the store's embedding identity before it is opened. */
export async function adoptIdentity(path: string, given: EmbeddingIdentity | undefined): Promise<void> {
  const connection = new Connection(path, { busyTimeoutMs: OPENING_BUSY_MS });
  const statements = statementsOf(connection);
  try {
    // Usually nothing has to be written.
    if (!(await missingIdentity(statements, given))) return;
    connection.run("BEGIN IMMEDIATE");
    await adoptIn(statements, given);
    connection.run("COMMIT");
  } finally {
    // Closing rolls back an uncommitted transaction.
    connection.close();
  }
}

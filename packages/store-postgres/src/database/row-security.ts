import type { Space } from "@chest/core/access";
import type { Connections, Piped, Reading, SqlValue } from "./connection.ts";
import { readable } from "./errors.ts";

/** Statements that read, one by one or several in a transaction. */
export type Reader = Reading & Pick<Connections, "transaction">;

const SET = "SELECT set_config('chest.spaces', ?, true)";

/** Reads in transactions that row policies limit to some spaces. */
export function boundReader(connections: Connections, spacesOf: () => Promise<readonly Space[]>): Reader {
  const transaction: Reader["transaction"] = async (work) => {
    const spaces = await spacesOf();
    return connections
      .transaction((tx) => {
        tx.later(SET, spaces.join(","));
        return work(tx);
      })
      .catch((error: unknown) => {
        throw readable(error);
      });
  };
  /** Runs one statement with its transaction in one round trip. */
  const alone = async <T>(ask: (tx: Piped) => Promise<T>) => {
    const answers: Promise<T>[] = [];
    await transaction(async (tx) => {
      const answer = ask(tx);
      // The commit behind it fails with the same error.
      answer.catch(() => undefined);
      answers.push(answer);
    });
    return answers[0] as Promise<T>;
  };
  return {
    dialect: connections.dialect,
    transaction,
    get: (sql: string, ...values: readonly SqlValue[]) => alone((tx) => tx.get(sql, ...values)),
    all: (sql: string, ...values: readonly SqlValue[]) => alone((tx) => tx.all(sql, ...values)),
    allPlanned: (sql: string, ...values: readonly SqlValue[]) => alone((tx) => tx.allPlanned(sql, ...values)),
    ids: (sql: string, ...values: readonly SqlValue[]) => alone((tx) => tx.ids(sql, ...values)),
  };
}

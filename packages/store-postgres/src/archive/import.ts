import type { ImportReport } from "@chest/core/archive";
import { systemClock } from "@chest/core/ports";
import type { AdoptParts } from "@chest/store/archive/adopt";
import { type ImportOptions as AnyImport, Importer } from "@chest/store/archive/importer";
import { adoptIdentity } from "@chest/store/embedding/identities";
import { codeOf } from "../database/errors.ts";
import { migrate } from "../database/migrations.ts";
import { Writer } from "../database/write.ts";
import { vectorParts } from "../embedding/vector-parts.ts";
import {
  assertCurrent,
  assertServer,
  assertWhole,
  type DatabaseOptions,
  type PostgresOptions,
  withConnections,
} from "../open.ts";
import type { Transaction } from "../writing/transaction.ts";
import { transactionsOf } from "../writing/transactions.ts";

export interface ImportOptions extends AnyImport, DatabaseOptions, Pick<PostgresOptions, "active" | "clock"> {}

const STATEMENT_TIMEOUT_MS = 60_000;

const COLUMNS = `SELECT column_name AS name, udt_name AS type FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = 'memories' AND is_generated = 'NEVER'`;

/** Imports records, each once: a record whose uid exists is skipped. */
export function importRecords(options: ImportOptions): Promise<ImportReport> {
  return withConnections({ ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (connections) => {
    const writer = new Writer(connections, 2);
    await assertServer(connections);
    if (options.isDry) await assertCurrent(connections);
    else await migrate(connections);
    await assertWhole(connections);
    if (!options.isDry) await writer.write((tx) => adoptIdentity(tx, options.active));
    const rows = await connections.all<{ name: string; type: string }>(COLUMNS);
    const columns = new Map(rows.map(({ name, type }) => [name, type]));
    const report = await new Importer(
      {
        reader: connections,
        transactions: transactionsOf(writer, options.clock ?? systemClock),
        adopting: (tx) => adoptingIn(tx as Transaction, columns),
      },
      options,
    ).run();
    if (report.keptIds && !options.isDry) await connections.script(NEXT_ID);
    return report;
  });
}

// Error classes of refused values: invalid data, and violated constraints.
const IS_REFUSED = /^(?:22|23)/;

function adoptingIn(tx: Transaction, columns: AdoptParts["columns"]): AdoptParts {
  const { connection } = tx;
  return {
    columns,
    vectors: vectorParts(tx),
    async tried(insert) {
      connection.later("SAVEPOINT adopting");
      try {
        const made = await insert();
        connection.later("RELEASE adopting");
        return made;
      } catch (error) {
        if (!IS_REFUSED.test(codeOf(error) ?? "")) throw error;
        connection.later("ROLLBACK TO adopting");
        return undefined;
      }
    },
  };
}

// Moves the sequence beyond the ids that were kept.
const NEXT_ID = `SELECT setval(s.name, greatest(nextval(s.name), (SELECT coalesce(max(id), 0) + 1 FROM memories)), false)
  FROM pg_get_serial_sequence('memories', 'id') AS s (name)`;

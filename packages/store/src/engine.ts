import { WIRE_VERSION } from "@chest/contracts";
import { localCaller } from "@chest/core/access";
import { pendingQueue, type StoredNews } from "@chest/core/embedding";
import type { Call } from "@chest/core/executor";
import type { AuditLog, Clock, Engine, Store } from "@chest/core/ports";
import { accessBook, type BearerReads } from "./access/access-book.ts";
import type { Answers } from "./access/answers.ts";
import { authorizationRecords } from "./access/authorization-records.ts";
import type { TokenUses } from "./access/token-uses.ts";
import { webhookBook } from "./access/webhook-book.ts";
import type { Reading } from "./database/connection.ts";
import type { Transactions } from "./database/transact.ts";
import { identityBook } from "./embedding/identities.ts";
import { type PurgerParts, purger } from "./purge/purge.ts";

/** Engine-specific parts from which the shared interfaces are built. */
export interface EngineParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly uses: TokenUses;
  readonly bearers: BearerReads;
  readonly answers: Answers;
  readonly audit: AuditLog;
  readonly purging: Omit<PurgerParts, "reader" | "transactions">;
  /** A store that opens every space. */
  storeOfAll(call: Call): Store;
  readonly stored: StoredNews;
}

type Books = Pick<
  Engine,
  "access" | "authorizations" | "audit" | "webhooks" | "purger" | "identities" | "pending" | "onVectorsStored"
>;

/** The parts of an engine that concern the whole store. */
export function booksOver({
  uses,
  bearers,
  answers,
  audit,
  purging,
  storeOfAll,
  stored,
  ...parts
}: EngineParts): Books {
  const { reader, transactions, clock } = parts;
  return {
    access: accessBook({ ...parts, uses, bearers, answers }),
    authorizations: authorizationRecords(parts),
    audit,
    webhooks: webhookBook({ ...parts, newest: audit.newest }),
    purger: purger({ reader, transactions, ...purging }),
    identities: identityBook(reader, transactions),
    pending: pendingQueue(storeOfAll(ownWork()), clock),
    onVectorsStored: stored.listen,
  };
}

/** Call for work of this process, without a member. */
const ownWork = (): Call => ({
  caller: localCaller(undefined, { name: "chest-embedder", version: WIRE_VERSION }),
  requestId: "own",
  signal: new AbortController().signal,
});

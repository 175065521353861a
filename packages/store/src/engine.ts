import { WIRE_VERSION } from "@chest/contracts";
import {
  type AuditLog,
  type Call,
  type Clock,
  type Engine,
  localCaller,
  pendingQueue,
  type Store,
  type StoredNews,
} from "@chest/core";
import { accessBook, type BearerReads } from "./access/access-book.ts";
import type { Answers } from "./access/answers.ts";
import { authorizationRecords } from "./access/authorization-records.ts";
import type { TokenUses } from "./access/token-uses.ts";
import { webhookBook } from "./access/webhook-book.ts";
import type { Reading } from "./database/connection.ts";
import type { Transactions } from "./database/transact.ts";
import { identityBook } from "./embedding/identities.ts";
import { type PurgerParts, purger } from "./purge/purge.ts";

/** The parts of an engine that its shared books are made of. */
export interface EngineParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly uses: TokenUses;
  readonly bearers: BearerReads;
  readonly answers: Answers;
  readonly audit: AuditLog;
  readonly purging: Omit<PurgerParts, "reader" | "transactions">;
  /** A store that opens every space there is. */
  storeOfAll(call: Call): Store;
  readonly stored: StoredNews;
}

type Books = Pick<
  Engine,
  "access" | "authorizations" | "audit" | "webhooks" | "purger" | "identities" | "pending" | "onVectorsStored"
>;

/** The parts of an engine that lie in no caller's space. */
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

/** Call for this process's own work, in no member's name. */
const ownWork = (): Call => ({
  caller: localCaller(undefined, { name: "chest-embedder", version: WIRE_VERSION }),
  requestId: "own",
  signal: new AbortController().signal,
});

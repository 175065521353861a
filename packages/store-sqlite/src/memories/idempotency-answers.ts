import {
  type Caller,
  closedAnswer,
  idempotencyMismatch,
  isSameRequest,
  type Once,
  requestHash,
  type Space,
} from "@chest/core";
import type { Answers } from "@chest/store/access/access-book";
import type { Transaction } from "@chest/store/database/transaction";
import type { Reading } from "../database/connection.ts";

interface StoredAnswer {
  readonly request_hash: string;
  readonly answer: string;
  readonly spaces: string;
}

/**
 * The answer that this request was given under its key before; asked inside the transaction, so that two at once meet here.
 * @param open the spaces that are open to the caller now. Throws where the answer is about another.
 */
export function firstAnswer(
  connection: Reading,
  caller: Caller,
  { idempotencyKey, request, onReplay }: Once,
  open: readonly Space[],
): { readonly answer: unknown } | undefined {
  if (idempotencyKey === undefined || !request) return undefined;
  const kept = connection.get<StoredAnswer>(
    "SELECT request_hash, answer, spaces FROM idempotency WHERE member_id = ? AND key = ?",
    caller.member.id,
    idempotencyKey,
  );
  if (!kept) return undefined;
  if (!isSameRequest(kept.request_hash, request, caller)) throw idempotencyMismatch();
  const spaces: readonly Space[] = JSON.parse(kept.spaces);
  if (!spaces.every((space) => open.includes(space))) throw closedAnswer();
  onReplay?.();
  return { answer: JSON.parse(kept.answer) };
}

/** Keeps an answer in the transaction of its write. @param spaces that it is about. */
function keepAnswer(
  { connection, caller, nowS }: Transaction,
  { idempotencyKey, request }: Once,
  answer: unknown,
  spaces: Iterable<Space>,
): void {
  if (idempotencyKey === undefined || !request) return;
  connection.later(
    "INSERT INTO idempotency (member_id, key, tool, request_hash, answer, at, spaces) VALUES (?, ?, ?, ?, ?, ?, ?)",
    caller.member.id,
    idempotencyKey,
    request.tool,
    requestHash(request, caller),
    JSON.stringify(answer ?? null),
    nowS,
    JSON.stringify([...new Set(spaces)]),
  );
}

/** The answers that are kept in a store, for transactions on its writing connection. */
export const answersOf = (writing: Reading): Answers => ({
  claim: async (tx, once, open) => firstAnswer(writing, tx.caller, once, await open()),
  keep: keepAnswer,
});

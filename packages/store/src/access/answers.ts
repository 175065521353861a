import type { Caller, Space } from "@chest/core/access";
import { closedAnswer, idempotencyMismatch, isSameRequest, type Once, requestHash } from "@chest/core/idempotency";
import type { Reading, SqlValue } from "../database/connection.ts";
import { listIn } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";

type First = { readonly answer: unknown } | undefined;
type Open = () => Promise<readonly Space[]>;

/** The answers that changes were given before, by their idempotency keys. */
export interface Answers {
  /** Takes the key for this transaction, or gives the answer that it got before. */
  claim(tx: Transaction, once: Once, open: Open): Promise<First>;
  /** Keeps an answer in the transaction of its write. @param spaces that it is about */
  keep(tx: Transaction, once: Once, answer: unknown, spaces: Iterable<Space>): void;
}

/**
 * The answer that this request was given under its key before.
 * @param open the spaces that are open to the caller now. Throws where the answer is about another.
 */
export async function firstAnswer(
  connection: Reading,
  caller: Caller,
  { idempotencyKey, request, onReplay }: Once,
  open: Open,
): Promise<First> {
  if (idempotencyKey === undefined || !request) return undefined;
  const kept = await connection.get<{ request_hash: string; answer: string; spaces: readonly Space[] | string }>(
    "SELECT request_hash, answer, spaces FROM idempotency WHERE member_id = ? AND key = ?",
    caller.member.id,
    idempotencyKey,
  );
  if (!kept) return undefined;
  if (!isSameRequest(kept.request_hash, request, caller)) throw idempotencyMismatch();
  const opened = await open();
  if (!listIn(kept.spaces).every((space) => opened.includes(space))) throw closedAnswer();
  onReplay?.();
  return { answer: JSON.parse(kept.answer) };
}

/** @param alsoKept further columns in which an engine keeps an answer */
export const answersOf = (alsoKept: (answer: unknown) => Readonly<Record<string, SqlValue>> = () => ({})): Answers => ({
  claim(tx, once, open) {
    const { idempotencyKey, request } = once;
    // Of two at once the second waits here until the first is through.
    if (idempotencyKey !== undefined && request)
      tx.connection.dialect.lock(tx.connection, "answer", `${tx.caller.member.id} ${idempotencyKey}`);
    return firstAnswer(tx.connection, tx.caller, once, open);
  },
  keep({ connection, caller, nowS }, { idempotencyKey, request }, answer, spaces) {
    if (idempotencyKey === undefined || !request) return;
    const cells = {
      member_id: caller.member.id,
      key: idempotencyKey,
      tool: request.tool,
      request_hash: requestHash(request, caller),
      answer: JSON.stringify(answer ?? null),
      at: nowS,
      spaces: [...new Set(spaces)],
      ...alsoKept(answer),
    };
    const columns = Object.keys(cells);
    connection.later(
      `INSERT INTO idempotency (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      ...Object.values(cells),
    );
  },
});

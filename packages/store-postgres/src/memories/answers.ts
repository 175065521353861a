import {
  type Caller,
  closedAnswer,
  idempotencyMismatch,
  isSameRequest,
  type Once,
  requestHash,
  type Space,
} from "@chest/core";
import type { Transaction } from "@chest/store/database/transaction";
import type { Reading } from "../database/connection.ts";

interface KeptAnswer {
  readonly request_hash: string;
  readonly answer: string;
  readonly spaces: readonly string[];
}

const FIRST = "SELECT request_hash, answer, spaces FROM idempotency WHERE member_id = ? AND key = ?";

type Open = () => Promise<readonly Space[]>;

/**
 * The answer that this request was given under its key before.
 * @param open the spaces that are open to the caller now. Throws where the answer is about another.
 */
export async function firstAnswer(
  connection: Reading,
  caller: Caller,
  { idempotencyKey, request, onReplay }: Once,
  open: Open,
): Promise<{ readonly answer: unknown } | undefined> {
  if (idempotencyKey === undefined || !request) return undefined;
  const kept = await connection.get<KeptAnswer>(FIRST, caller.member.id, idempotencyKey);
  if (!kept) return undefined;
  if (!isSameRequest(kept.request_hash, request, caller)) throw idempotencyMismatch();
  const opened = await open();
  if (!kept.spaces.every((space) => opened.includes(space))) throw closedAnswer();
  onReplay?.();
  return { answer: JSON.parse(kept.answer) };
}

/**
 * Takes a key for this transaction, or gives the answer that it got before. Of two at once the second waits here until the
 * first is through.
 */
export async function claimKey(
  tx: Transaction,
  once: Once,
  open: Open,
): Promise<{ readonly answer: unknown } | undefined> {
  const { idempotencyKey, request } = once;
  if (idempotencyKey === undefined || !request) return undefined;
  for (;;) {
    const taken = await tx.connection.run(
      `INSERT INTO idempotency (member_id, key, tool, request_hash, answer, at) VALUES (?, ?, ?, ?, '', ?)
       ON CONFLICT DO NOTHING`,
      tx.caller.member.id,
      idempotencyKey,
      request.tool,
      requestHash(request, tx.caller),
      tx.nowS,
    );
    if (taken.changes === 1) return undefined;
    const first = await firstAnswer(tx.connection, tx.caller, once, open);
    if (first) return first;
  }
}

/** Keeps an answer in the transaction of its write. @param spaces that it is about. */
export function keepAnswer(
  { connection, caller }: Transaction,
  { idempotencyKey, request }: Once,
  answer: unknown,
  spaces: Iterable<Space>,
): void {
  if (idempotencyKey === undefined || !request) return;
  connection.later(
    "UPDATE idempotency SET answer = ?, memory_id = ?, spaces = ? WHERE member_id = ? AND key = ?",
    JSON.stringify(answer ?? null),
    memoryOf(answer),
    [...new Set(spaces)],
    caller.member.id,
    idempotencyKey,
  );
}

/** The memory that an answer is about: a purge of it takes the answer away. */
function memoryOf(answer: unknown): number | null {
  if (typeof answer !== "object" || answer === null || !("memory_id" in answer)) return null;
  return typeof answer.memory_id === "number" ? answer.memory_id : null;
}

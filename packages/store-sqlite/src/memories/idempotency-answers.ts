import { type Caller, idempotencyMismatch, isSameRequest, type Once, requestHash } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import type { Transaction } from "../database/transaction.ts";

interface Kept {
  readonly request_hash: string;
  readonly answer: string;
}

/** Returns the earlier answer under this request's key; asked inside the transaction, so that two at once meet here. */
export function firstAnswer(
  connection: Reading,
  caller: Caller,
  { idempotencyKey, request, onReplay }: Once,
): { readonly answer: unknown } | undefined {
  if (idempotencyKey === undefined || !request) return undefined;
  const kept = connection.get<Kept>(
    "SELECT request_hash, answer FROM idempotency WHERE member_id = ? AND key = ?",
    caller.member.id,
    idempotencyKey,
  );
  if (!kept) return undefined;
  if (!isSameRequest(kept.request_hash, request, caller)) throw idempotencyMismatch();
  onReplay?.();
  return { answer: JSON.parse(kept.answer) };
}

/** Keeps an answer in the transaction of its write. */
export function keepAnswer(
  { connection, caller, nowS }: Transaction,
  { idempotencyKey, request }: Once,
  answer: unknown,
): void {
  if (idempotencyKey === undefined || !request) return;
  connection.run(
    "INSERT INTO idempotency (member_id, key, tool, request_hash, answer, at) VALUES (?, ?, ?, ?, ?, ?)",
    caller.member.id,
    idempotencyKey,
    request.tool,
    requestHash(request, caller),
    JSON.stringify(answer ?? null),
    nowS,
  );
}

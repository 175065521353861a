import {
  type Caller,
  closedAnswer,
  idempotencyMismatch,
  isSameRequest,
  type Once,
  requestHash,
  type Space,
} from "@chest/core";
import type { State } from "./memory-state.ts";

const nameOf = ({ member }: Caller, key: string): string => `${member.id}\n${key}`;

/** Returns the earlier answer under this request's key. */
export function firstAnswer(
  { answers }: State,
  by: Caller,
  { idempotencyKey, request, onReplay }: Once,
  open: readonly Space[],
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of its own answer.
): { readonly answer: any } | undefined {
  if (idempotencyKey === undefined || !request) return undefined;
  const first = answers.get(nameOf(by, idempotencyKey));
  if (!first) return undefined;
  if (!isSameRequest(first.hash, request, by)) throw idempotencyMismatch();
  if (!first.spaces.every((space) => open.includes(space))) throw closedAnswer();
  onReplay?.();
  return { answer: JSON.parse(first.answer) };
}

export function keepAnswer(
  { answers }: State,
  by: Caller,
  { idempotencyKey, request }: Once,
  answer: unknown,
  spaces: Iterable<Space>,
): void {
  if (idempotencyKey === undefined || !request) return;
  const kept = { hash: requestHash(request, by), answer: JSON.stringify(answer ?? null), spaces: [...spaces] };
  answers.set(nameOf(by, idempotencyKey), kept);
}

import type { WebhookRow } from "../ports/webhooks.ts";

const DAYS: Readonly<Record<string, number>> = { digest: 1, "digest:weekly": 7 };
const DAY_MS = 86_400_000;

/** Days between the digests of a webhook; undefined for a webhook of changes. */
export const digestDays = (ops: readonly string[] | undefined): number | undefined =>
  ops?.length === 1 && Object.hasOwn(DAYS, ops[0] ?? "") ? DAYS[ops[0] ?? ""] : undefined;

/** End of the last digest that a webhook has sent; the next one begins there. */
export const toldUntil = ({ deliveredAt, createdAt }: Pick<WebhookRow, "createdAt" | "deliveredAt">): Date =>
  deliveredAt ?? createdAt;

/** Time of the next digest of a webhook; undefined for a webhook of changes. */
export function digestDueAt(webhook: Pick<WebhookRow, "createdAt" | "deliveredAt" | "ops">): Date | undefined {
  const days = digestDays(webhook.ops);
  return days === undefined ? undefined : new Date(toldUntil(webhook).getTime() + days * DAY_MS);
}

import type { Get } from "../../api/queries.ts";

/** Days before and after the end of a token in which its member is told of it. */
const TOLD_DAYS = 14;
const DAY_MS = 86_400_000;

type Token = Pick<Get<"/api/tokens">["tokens"][number], "id" | "member" | "label" | "scopes" | "expires_at">;

/** Tokens of a member that end soon or have ended lately, without those that another of the same purpose has replaced. */
export function endingTokens<T extends Token>(tokens: readonly T[], member: string | undefined, now = Date.now()) {
  const own = tokens.filter((token) => token.member === member);
  const endOf = ({ expires_at }: Token) => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at));
  const purposeOf = ({ label, scopes }: Token) => JSON.stringify([label, [...scopes].sort()]);
  return own.filter((token): token is T & { readonly expires_at: string } => {
    const isTold = Math.abs(endOf(token) - now) < TOLD_DAYS * DAY_MS;
    return isTold && !own.some((other) => purposeOf(other) === purposeOf(token) && endOf(other) > endOf(token));
  });
}

import type { Config } from "../config.ts";

/** Account of a person as the identity provider knows it. */
export interface Identity {
  /** Stays the same when the person's name and address change. */
  readonly subject: string;
  /** Verified by the provider; undefined where it is not. */
  readonly email: string | undefined;
  /** Undefined where the provider says nothing of them. */
  readonly groups: readonly string[] | undefined;
}

export type SsoConfig = NonNullable<Config["sso"]>;

/** Request that was sent to the provider, as it is remembered until the browser comes back. */
export interface SentRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Identity provider: where a browser is sent, and who it is when it comes back. */
export interface IdentityProvider {
  authorizationUrl(sent: SentRequest): Promise<URL>;
  /** Throws for an answer that is not the provider's. */
  identify(callback: URL, sent: SentRequest): Promise<Identity>;
}

/** Whether an account is let in, and as what. */
export function roleOf(
  { email, groups = [] }: Identity,
  { domains, groups: allowed, adminGroups }: SsoConfig,
): "admin" | "member" | undefined {
  if (email === undefined) return undefined;
  const isOf = (wanted: readonly string[]) => wanted.some((each) => groups.includes(each));
  const isAdmin = isOf(adminGroups);
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  const isIn = isAdmin || domains.some((each) => each.toLowerCase() === domain) || isOf(allowed);
  if (!isIn) return undefined;
  return isAdmin ? "admin" : "member";
}

/** Whether a refusal rests on what the provider says, and not on what it leaves out: only then does a membership end. */
export function isCertain({ email, groups }: Identity, { groups: allowed, adminGroups }: SsoConfig): boolean {
  return email !== undefined && (groups !== undefined || allowed.length + adminGroups.length === 0);
}

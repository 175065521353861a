import type { Config } from "../config.ts";

/** A person's account at the identity provider. */
export interface Identity {
  /** Identifier that stays the same when the person's name or address changes. */
  readonly subject: string;
  /** Address verified by the provider; undefined without verification. */
  readonly email: string | undefined;
  /** Undefined where the provider does not report groups. */
  readonly groups: readonly string[] | undefined;
}

export type SsoConfig = NonNullable<Config["sso"]>;

/** Sign-in request that was sent to the provider, kept until the browser returns. */
export interface SentRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Identity provider: builds the address to send a browser to, and reads the account when the browser returns. */
export interface IdentityProvider {
  authorizationUrl(sent: SentRequest): Promise<URL>;
  /** Throws when the answer does not come from the provider. */
  identify(callback: URL, sent: SentRequest): Promise<Identity>;
}

/** Decides whether an account may sign in, and with which role. */
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

/**
 * Tells whether a refusal rests on facts the provider reported. A membership ends only then, not because a fact is
 * missing.
 */
export function isCertain({ email, groups }: Identity, { groups: allowed, adminGroups }: SsoConfig): boolean {
  return email !== undefined && (groups !== undefined || allowed.length + adminGroups.length === 0);
}

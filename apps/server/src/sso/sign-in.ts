import type { Scope } from "@chest/contracts";
import {
  type AccessBook,
  type AuthorizationRecords,
  type Browser,
  type Clock,
  hashSecret,
  isBuiltIn,
  localCaller,
  type MemberRow,
  newSecret,
  openDesk,
  signInWith,
} from "@chest/core";
import { type Identity, type IdentityProvider, roleOf, type SentRequest, type SsoConfig } from "./identity.ts";

const REQUEST_MS = 10 * 60_000;
const LONG_MS = 100 * 365 * 86_400_000;
const SENT = "SsoRequest";
/** Account of the provider to member; a member has one account. */
const ACCOUNT = "SsoAccount";
const MEMBER = "SsoMember";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Why a browser was not signed in; the page says it in the reader's language. */
export type Refusal = "away" | "over" | "refused" | "disabled";

export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
  readonly reason: Refusal;

  constructor(reason: Refusal, cause?: unknown) {
    super(`not signed in: ${reason}`, { cause });
    this.reason = reason;
  }
}

export interface SsoParts {
  readonly config: SsoConfig;
  readonly provider: IdentityProvider;
  readonly access: AccessBook;
  readonly records: AuthorizationRecords;
  readonly clock: Clock;
}

/** Signing in by an identity provider. */
export interface SingleSignOn {
  /** @returns the address to send the browser to, and the secret that has to come back with it. */
  begin(returnTo: string): Promise<{ readonly url: URL; readonly state: string }>;
  /** @returns the session cookie. Throws `NotSignedIn`. */
  finish(callback: URL, state: string, browser: Browser): Promise<{ cookie: string; returnTo: string }>;
}

export function openSingleSignOn({ config, provider, access, records, clock }: SsoParts): SingleSignOn {
  const desk = openDesk(access, localCaller(undefined), clock);
  const until = (ms: number) => new Date(clock.now().getTime() + ms);
  const idOf = (subject: string) => hashSecret(`${config.issuer} ${subject}`);

  /** The member of an account; undefined for one that has none yet. Throws for a name that is another account's. */
  async function memberOf({ subject, email }: Identity): Promise<MemberRow | undefined> {
    const members = await access.members();
    const known = await records.find(ACCOUNT, idOf(subject));
    if (known) return members.find(({ id }) => id === known.payload.memberId);
    const named = members.find(({ name }) => name === email);
    if (named && (isBuiltIn(named) || (await records.find(MEMBER, String(named.id))))) throw new NotSignedIn("refused");
    return named;
  }

  async function bind(subject: string, memberId: number): Promise<void> {
    const kept = { grantId: undefined, expiresAt: until(LONG_MS) };
    await records.put({ kind: ACCOUNT, id: idOf(subject), payload: { memberId }, ...kept });
    await records.put({ kind: MEMBER, id: String(memberId), payload: { account: idOf(subject) }, ...kept });
  }

  /** Makes the member at its first sign-in, and its role what the groups say; disables one that is not let in any more. */
  async function admit(identity: Identity): Promise<MemberRow> {
    const known = await memberOf(identity);
    const role = roleOf(identity, config);
    if (role === undefined) {
      const isBound = known && (await records.find(MEMBER, String(known.id)));
      if (known?.isActive && isBound) await desk.disableMember({ name: known.name });
      throw new NotSignedIn("refused");
    }
    if (known && !known.isActive) throw new NotSignedIn("disabled");
    const { email = "" } = identity;
    if (!known && !NAME.test(email)) throw new NotSignedIn("refused");
    return access.change(localCaller(undefined), async (tx) => {
      const member = known ?? (await tx.memberByName(email)) ?? (await tx.addMember(email, role));
      const isMapped = config.adminGroups.length > 0 && member.role !== role;
      if (!isMapped) return member;
      // A browser's sign-in as an admin ends with the role.
      for (const { id, kind, memberId } of role === "member" ? await tx.tokens() : [])
        if (kind === "session" && memberId === member.id) await tx.revokeToken(id);
      return tx.setMember(member.id, { role });
    });
  }

  return {
    async begin(returnTo) {
      const sent: SentRequest = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
      const url = await provider.authorizationUrl(sent).catch((cause: unknown) => {
        throw new NotSignedIn("away", cause);
      });
      const record = { kind: SENT, id: hashSecret(sent.state), grantId: undefined, expiresAt: until(REQUEST_MS) };
      const { nonce, verifier } = sent;
      await records.put({ ...record, payload: { nonce, verifier, returnTo } });
      return { url, state: sent.state };
    },

    async finish(callback, state, browser) {
      const id = hashSecret(state);
      const sent = await records.find(SENT, id);
      if (!sent || callback.searchParams.get("state") !== state || !(await records.consume(SENT, id)))
        throw new NotSignedIn("over");
      const { nonce, verifier, returnTo } = sent.payload as Record<string, string>;
      const asked: SentRequest = { state, nonce: nonce ?? "", verifier: verifier ?? "" };
      const identity = await provider.identify(callback, asked).catch((cause: unknown) => {
        throw new NotSignedIn(isAway(cause) ? "away" : "over", cause);
      });
      const member = await admit(identity);
      await bind(identity.subject, member.id);
      const scopes = new Set<Scope>(["read", "write", ...(member.role === "admin" ? ADMIN : [])]);
      const cookie = await signInWith(access, { member, scopes }, browser);
      if (cookie === undefined) throw new NotSignedIn("over");
      return { cookie, returnTo: returnTo ?? "" };
    },
  };
}

const ADMIN = ["operate", "admin"] as const;

/** Tells a provider that does not answer from one that answers with a refusal. */
function isAway(error: unknown): boolean {
  const { name = "", cause, code = "" } = (error ?? {}) as { name?: string; cause?: unknown; code?: string };
  if (name === "TypeError" || name === "TimeoutError" || /^E[A-Z]+$|TIMEOUT/.test(code)) return true;
  return cause !== undefined && isAway(cause);
}

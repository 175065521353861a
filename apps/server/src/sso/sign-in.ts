import { hash } from "node:crypto";
import type { Scope } from "@chest/contracts";
import {
  type Browser,
  hashSecret,
  isBuiltIn,
  localCaller,
  nameTrouble,
  newSecret,
  openAccessAdmin,
  signInWith,
} from "@chest/core/access";
import type { AccessBook, AuthorizationRecords, Clock, MemberRow } from "@chest/core/ports";
import {
  type Identity,
  type IdentityProvider,
  isCertain,
  roleOf,
  type SentRequest,
  type SsoConfig,
} from "./identity.ts";

const REQUEST_MS = 10 * 60_000;
const LONG_MS = 100 * 365 * 86_400_000;
const SENT = "SsoRequest";
/** Maps accounts of the provider to members; each member has at most one account. */
const ACCOUNT = "SsoAccount";
const MEMBER = "SsoMember";
/** Most pending sign-in requests, which need no token; beyond this the oldest are dropped. */
const MOST_SENT = 2000;
const LONGEST_ADDRESS = 320;

/** Reason why a browser was not signed in; the page explains it in the reader's language. */
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

/** Signs browsers in through an identity provider. */
export interface SingleSignOn {
  /** @returns the address to send the browser to, and a secret that the browser must bring back. */
  begin(returnTo: string): Promise<{ readonly url: URL; readonly state: string }>;
  /** @returns the session cookie. @throws `NotSignedIn`. */
  finish(callback: URL, state: string, browser: Browser): Promise<{ cookie: string; returnTo: string }>;
}

export function openSingleSignOn({ config, provider, access, records, clock }: SsoParts): SingleSignOn {
  const admin = openAccessAdmin(access, localCaller(undefined), clock);
  const until = (ms: number) => new Date(clock.now().getTime() + ms);
  const idOf = (subject: string) => hashSecret(`${config.issuer} ${subject}`);

  /** Finds the member of an account; undefined for an account without a member. */
  async function memberOf({ subject }: Identity): Promise<MemberRow | undefined> {
    const known = await records.find(ACCOUNT, idOf(subject));
    return known && access.memberById(Number(known.payload.memberId));
  }

  /**
   * Chooses the name of a new member, or the existing member that the operator lets this account take over. Throws when
   * the name belongs to another account.
   */
  async function placeFor({ subject, email = "" }: Identity): Promise<string | MemberRow> {
    const name = nameFor(email, subject);
    const named = await access.memberByName(name);
    if (!named) return name;
    const bound = await records.find(MEMBER, String(named.id));
    if (bound && (bound.payload.email ?? named.name) === email) throw new NotSignedIn("refused");
    // Two addresses can make the same name, so a digest is added.
    if (bound || isBuiltIn(named) || name !== email) {
      const other = nameFor(email, subject, true);
      if (await access.memberByName(other)) throw new NotSignedIn("refused");
      return other;
    }
    if (config.adopted.includes(name)) return named;
    throw new NotSignedIn(
      "refused",
      new Error(`the member ${name} was made by hand; CHEST_OIDC_ADOPTED_MEMBERS may name it`),
    );
  }

  async function bind({ subject, email = "" }: Identity, memberId: number): Promise<void> {
    const kept = { grantId: undefined, expiresAt: until(LONG_MS) };
    await records.put({ kind: ACCOUNT, id: idOf(subject), payload: { memberId }, ...kept });
    const known = await records.find(MEMBER, String(memberId));
    // The address is stored, because it distinguishes the person from others with a similar name.
    const first = known?.payload.email ?? email;
    await records.put({
      kind: MEMBER,
      id: String(memberId),
      payload: { account: idOf(subject), email: first },
      ...kept,
    });
  }

  /**
   * Creates the member at its first sign-in, sets its role from its groups, and disables a member that is no longer
   * allowed.
   */
  async function admit(identity: Identity): Promise<MemberRow> {
    const known = await memberOf(identity);
    const role = roleOf(identity, config);
    if (role === undefined) {
      if (known?.isActive && isCertain(identity, config)) await admin.disableMember({ name: known.name });
      throw new NotSignedIn("refused");
    }
    if (known && !known.isActive) throw new NotSignedIn("disabled");
    const { email = "" } = identity;
    if (!known && (email.length > LONGEST_ADDRESS || nameTrouble(email) !== undefined))
      throw new NotSignedIn("refused");
    const place = known ?? (await placeFor(identity));
    if (typeof place !== "string" && !place.isActive) throw new NotSignedIn("disabled");
    return access.change(localCaller(undefined), async (tx) => {
      const member = typeof place === "string" ? await tx.addMember(place, role) : place;
      const isMapped = config.adminGroups.length > 0 && member.role !== role;
      if (!isMapped) return member;
      // Sign-ins with the admin role end when the member loses the role.
      for (const { id, kind, memberId } of role === "member" ? await tx.tokens() : [])
        if (kind === "session" && memberId === member.id) await tx.revokeToken(id);
      return tx.setMember(member.id, { role });
    });
  }

  // Two simultaneous callbacks of one person create one member.
  let lastTurn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
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
      await records.sweep(SENT, MOST_SENT);
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
      const member = await inTurn(async () => {
        const admitted = await admit(identity);
        await bind(identity, admitted.id);
        return admitted;
      });
      const scopes = new Set<Scope>(["read", "write", ...(member.role === "admin" ? ADMIN : [])]);
      const cookie = await signInWith(access, { member, scopes }, browser);
      if (cookie === undefined) throw new NotSignedIn("over");
      return { cookie, returnTo: returnTo ?? "" };
    },
  };
}

const ADMIN = ["operate", "admin"] as const;

/** Distinguishes a provider that does not answer from one that refuses. */
function isAway(error: unknown): boolean {
  const { name = "", cause, code = "" } = (error ?? {}) as { name?: string; cause?: unknown; code?: string };
  if (name === "TypeError" || name === "TimeoutError" || /^E[A-Z]+$|TIMEOUT/.test(code)) return true;
  return cause !== undefined && isAway(cause);
}

const LONGEST_NAME = 64;
const DIACRITICS = /\p{M}/gu;
const NOT_IN_NAMES = /[^A-Za-z0-9._@-]+/g;

/**
 * Makes a valid member name from an address, or keeps the address where it is valid as a name.
 * @param subject makes the name differ where `isOther` says that it belongs to another person
 */
function nameFor(email: string, subject: string, isOther = false): string {
  const plain = email
    .normalize("NFKD")
    .replace(DIACRITICS, "")
    .replace(NOT_IN_NAMES, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const suffix = isOther || plain === "" ? `-${hash("sha256", subject, "hex").slice(0, 8)}` : "";
  const name = plain.slice(0, LONGEST_NAME - suffix.length) + suffix;
  return name.startsWith("-") ? `m${name}` : name;
}

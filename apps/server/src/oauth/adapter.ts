import type { Scope } from "@chest/contracts";
import { type Caller, hashSecret, UNSTATED_CLIENT } from "@chest/core/access";
import type { AccessBook, AuthorizationRecords, Clock, TokenRow } from "@chest/core/ports";
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { OAUTH_SCOPES, type OauthScope } from "./addresses.ts";

const DAY_S = 86_400;
/** A registered client without a grant is deleted after this time. */
const UNUSED_CLIENT_S = DAY_S;
/**
 * Most unauthenticated clients and authorization requests. Above these numbers, clients that were never used and the
 * oldest requests are deleted.
 */
const MOST_BEGUN: ReadonlyMap<string, number> = new Map([
  ["Client", 2000],
  ["Interaction", 2000],
]);
/**
 * A client that lost the answer to a refresh may repeat it with the old refresh token for this long, and gets new
 * tokens of the same family. The stored record tells a second backend about the first use.
 */
const RETRY_MS = 10_000;
const SWEEP_EVERY_MS = 600_000;

export interface AdapterParts {
  readonly access: AccessBook;
  readonly records: AuthorizationRecords;
  readonly clock: Clock;
}

async function grantOf(access: AccessBook, id: string): Promise<TokenRow | undefined> {
  const found = /^\d{1,15}$/.test(id) ? await access.tokenById(Number(id)) : undefined;
  return found?.kind === "grant" ? found : undefined;
}

/** Finds a grant that is valid now: neither the grant nor its member has ended. */
async function liveGrant({ access, clock }: Pick<AdapterParts, "access" | "clock">, id: string) {
  const grant = await grantOf(access, id);
  if (!grant || grant.revokedAt || (grant.expiresAt && grant.expiresAt <= clock.now())) return undefined;
  const member = await access.memberById(grant.memberId);
  return member?.isActive ? { grant, member } : undefined;
}

/** Builds the caller in whose name the authorization server writes. */
const callerOf = ({ id, name }: { readonly id: number; readonly name: string }): Caller => ({
  member: { id, name },
  scopes: new Set(),
  project: undefined,
  client: UNSTATED_CLIENT,
});

/** Keeps the state of `oidc-provider` in the store: grants and access tokens as tokens, the rest as records. */
export function storeAdapter(parts: AdapterParts): (kind: string) => Adapter {
  const { access, records, clock } = parts;
  let sweptAt = 0;

  const isRetried = (kind: string, usedAt: Date | undefined): boolean =>
    kind === "RefreshToken" && usedAt !== undefined && clock.now().getTime() - usedAt.getTime() < RETRY_MS;

  async function endGrant(id: string): Promise<void> {
    const found = await grantOf(access, id);
    if (!found) return;
    const member = await access.memberById(found.memberId);
    if (!found.revokedAt && member) await access.change(callerOf(member), async (tx) => tx.revokeToken(found.id));
    await records.removeGrant(found.id);
  }

  async function addAccessToken(text: string, { grantId = "", scope = "" }: AdapterPayload, expiresAt: Date) {
    const live = await liveGrant(parts, grantId);
    if (!live) throw new errors.InvalidGrant("the grant has ended");
    const { grant, member } = live;
    await access.change(callerOf(member), async (tx) =>
      tx.addToken({
        kind: "access",
        memberId: grant.memberId,
        label: grant.label,
        hash: hashSecret(text),
        scopes: scopesOf(scope, grant),
        projectIds: grant.projectIds,
        parentId: grant.id,
        client: grant.client,
        expiresAt,
      }),
    );
  }

  return (kind) => ({
    async upsert(id, { jti: _, ...payload }, expiresIn = UNUSED_CLIENT_S) {
      // The library's own sessions are not stored: the sign-in to the page says who the member is.
      if (kind === "Session") return;
      const expiresAt = new Date(clock.now().getTime() + expiresIn * 1000);
      if (kind === "AccessToken") await addAccessToken(id, payload, expiresAt);
      const grantId = kind === "Grant" ? id : payload.grantId;
      await records.put({
        ...{ kind, id: hashSecret(id), payload, expiresAt },
        grantId: grantId === undefined ? undefined : Number(grantId),
      });
      const now = clock.now().getTime();
      const most = MOST_BEGUN.get(kind);
      if (most === undefined && now - sweptAt < SWEEP_EVERY_MS) return;
      sweptAt = now;
      await records.sweep(kind, most ?? Number.MAX_SAFE_INTEGER);
    },
    async find(id) {
      const kept = await records.find(kind, hashSecret(id));
      if (!kept || (kind === "Grant" && !(await liveGrant(parts, id)))) return undefined;
      const usedAt = isRetried(kind, kept.consumedAt) ? undefined : kept.consumedAt;
      const consumed = usedAt && Math.floor(usedAt.getTime() / 1000);
      return { ...kept.payload, ...(kind !== "Client" && { jti: id }), ...(consumed && { consumed }) };
    },
    async consume(id) {
      if (await records.consume(kind, hashSecret(id))) return;
      // The code or token was used before, perhaps by a request at the same moment: the grant ends with all its tokens.
      const kept = await records.find(kind, hashSecret(id));
      if (isRetried(kind, kept?.consumedAt)) return;
      const { grantId } = (kept?.payload ?? {}) as AdapterPayload;
      if (grantId !== undefined) await endGrant(grantId);
      throw new errors.InvalidGrant("used before");
    },
    async destroy(id) {
      if (kind === "Grant") await endGrant(id);
      else await records.remove(kind, hashSecret(id));
    },
    revokeByGrantId: endGrant,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  });
}

const scopesOf = (scope: string, { scopes }: TokenRow): Scope[] =>
  scope
    .split(" ")
    .flatMap((each) => OAUTH_SCOPES[each as OauthScope] ?? [])
    .filter((each) => scopes.includes(each));

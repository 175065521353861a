import { type Caller, hashSecret, localCaller, newSecret, openAccessAdmin } from "@chest/core/access";
import type { Engine } from "@chest/core/ports";
import { expect, it } from "vitest";
import type { FixedClock } from "../fakes.ts";

const HOUR_MS = 3_600_000;

/** Requirements on an engine's grants, access tokens, and records of the authorization server. */
export function authorizationContract(engine: () => Engine, clock: () => FixedClock): void {
  const local = localCaller(undefined);
  const admin = (caller: Caller = local) => openAccessAdmin(engine().access, caller, clock());
  const inHours = (hours: number) => new Date(clock().now().getTime() + hours * HOUR_MS);
  const record = (id: string, over: object = {}) => ({
    ...{ kind: "Client", id, payload: { name: id }, grantId: undefined, expiresAt: inHours(1) },
    ...over,
  });
  const isThere = async (id: string) => (await engine().authorizations.find("Client", id)) !== undefined;

  /** A grant of a member with one access token. */
  async function granted(member: string, hours = 1000) {
    await admin().createToken({ member });
    const { id: memberId = 0 } = (await engine().access.memberByName(member)) ?? {};
    const rights = { memberId, label: "Claude", scopes: ["read"], projectIds: undefined } as const;
    const grant = await engine().access.change(local, async (tx) =>
      tx.addToken({
        ...{ ...rights, kind: "grant", hash: hashSecret(newSecret()), client: "https://claude.ai/client" },
        ...{ expiresAt: inHours(hours), parentId: undefined },
      }),
    );
    /** Adds an access token; the function tries it. */
    const add = async () => {
      const text = newSecret();
      const ends = { parentId: grant.id, expiresAt: inHours(1) };
      await engine().access.change(local, async (tx) =>
        tx.addToken({ ...rights, ...ends, kind: "access", hash: hashSecret(text) }),
      );
      return () => engine().access.bearer(text, "access");
    };
    return { grant, add, come: await add() };
  }

  it("knows an access token by the grant that it belongs to, until either ends", async () => {
    const { grant, come } = await granted("alice");
    expect(await come()).toMatchObject({
      member: { name: "alice" },
      token: { id: grant.id },
      scopes: new Set(["read"]),
    });

    expect(await admin().listTokens({})).toMatchObject([
      {},
      { id: grant.id, label: "Claude", client: "https://claude.ai/client" },
    ]);
    await admin().revokeToken({ id: grant.id });
    expect(await come()).toBeUndefined();

    const other = await granted("bob");
    clock().advance(HOUR_MS);
    expect(await other.come()).toBeUndefined();
    const third = await granted("carol");
    await admin().disableMember({ name: "carol" });
    expect(await third.come()).toBeUndefined();
  });

  it("lets no access token outlive its grant, nor one that is added when it has ended", async () => {
    const brief = await granted("alice", 0.5);
    expect(await brief.come()).toBeDefined();
    clock().advance(HOUR_MS / 2);
    expect(await brief.come()).toBeUndefined();

    const revoked = await granted("bob");
    await admin().revokeToken({ id: revoked.grant.id });
    const late = await revoked.add();
    expect(await late()).toBeUndefined();
  });

  it("finds a record by its id until it ends, and replaces it", async () => {
    const { authorizations } = engine();
    await authorizations.put(record("a"));
    await authorizations.put(record("a", { payload: { name: "anew" } }));

    expect(await authorizations.find("Client", "a")).toMatchObject({ payload: { name: "anew" } });
    expect(await authorizations.find("Session", "a")).toBeUndefined();
    const { grant } = await granted("alice");
    await authorizations.keepFor(grant.id, "a", inHours(2));
    clock().advance(HOUR_MS);
    expect(await isThere("a")).toBe(true);
    clock().advance(HOUR_MS);
    expect(await isThere("a")).toBe(false);
  });

  it("uses a record up for one of several", async () => {
    const { authorizations } = engine();
    await authorizations.put(record("code"));
    const tries = await Promise.all([1, 2, 3].map(() => authorizations.consume("Client", "code")));

    expect(tries.filter((each) => each)).toHaveLength(1);
    expect(await authorizations.find("Client", "code")).toMatchObject({ consumedAt: expect.any(Date) });
    expect(await authorizations.consume("Client", "none")).toBe(false);
  });

  it("removes the records of a grant, one of them, what has ended, and what is over a number", async () => {
    const { authorizations } = engine();
    const { grant } = await granted("alice");
    await authorizations.put(record("of the grant", { kind: "RefreshToken", grantId: grant.id }));
    await authorizations.put(record("alone"));
    await authorizations.removeGrant(grant.id);
    expect(await authorizations.find("RefreshToken", "of the grant")).toBeUndefined();
    expect(await isThere("alone")).toBe(true);
    await authorizations.remove("Client", "alone");
    expect(await isThere("alone")).toBe(false);

    for (const id of ["first", "second", "third"]) await authorizations.put(record(id));
    const kept = await granted("bob");
    await authorizations.keepFor(kept.grant.id, "first", inHours(5));
    await authorizations.put(record("short", { kind: "Session", expiresAt: inHours(0) }));
    expect(await authorizations.sweep("Client", 1)).toBe(2);
    expect([await isThere("first"), (await isThere("second")) !== (await isThere("third"))]).toEqual([true, true]);
  });

  it("counts registrations without a grant alone, and one whose last grant has ended as such", async () => {
    const { authorizations } = engine();
    const grants = [await granted("alice"), await granted("bob")];
    await authorizations.put(record("in use"));
    for (const { grant } of grants) await authorizations.keepFor(grant.id, "in use", inHours(900));
    await authorizations.put(record("new"));
    await authorizations.sweep("Client", 1);
    expect([await isThere("in use"), await isThere("new")]).toEqual([true, true]);
    expect(await authorizations.hasGrant("https://claude.ai/client")).toBe(true);

    await admin().revokeToken({ id: grants[1]?.grant.id ?? 0 });
    await authorizations.sweep("Client", 0);
    expect(await isThere("in use")).toBe(true);
    await admin().disableMember({ name: "alice" });
    expect(await authorizations.hasGrant("https://claude.ai/client")).toBe(false);
    await authorizations.sweep("Client", 0);
    expect(await isThere("in use")).toBe(false);
  });

  it("finds one token and one member by its id, and no access token", async () => {
    const { grant } = await granted("alice");
    expect(await engine().access.tokenById(grant.id)).toMatchObject({ id: grant.id, kind: "grant" });
    expect(await engine().access.memberById(grant.memberId)).toMatchObject({ name: "alice" });
    expect([await engine().access.tokenById(999), await engine().access.memberById(999)]).toEqual([
      undefined,
      undefined,
    ]);
  });
}

import { hashSecret, localCaller, newSecret } from "@chest/core/access";
import type { Engine } from "@chest/core/ports";
import { expect, it } from "vitest";
import type { FixedClock } from "../fakes.ts";

/** Requirements on an engine's webhooks, and on the audit log that they follow. */
export function webhookContract(engine: () => Engine, clock: () => FixedClock): void {
  const local = localCaller(undefined);
  const inMinutes = (minutes: number) => new Date(clock().now().getTime() + minutes * 60_000);
  const hook = (over: object = {}) => ({
    ...{ url: "https://ci.example.org/chest", ops: ["chest_*"], secret: "whsec_AAAA", memberId: local.member.id },
    ...{ projectIds: [3, 4], tokenId: undefined, ...over },
  });
  const found = async (id: number) => (await engine().webhooks.list()).find((each) => each.id === id);

  it("follows the log upwards from a number, up to one below which none is to come", async () => {
    const { access, audit } = engine();
    expect(await audit.newest()).toBe(0);
    for (const name of ["ada", "ben", "cyd"]) await access.change(local, (tx) => tx.addMember(name, "member"));
    const [first, second, third] = (await audit.list({ limit: 10 })).map(({ seq }) => seq).toReversed();

    expect((await audit.list({ after: 0, limit: 2 })).map(({ seq }) => seq)).toEqual([first, second]);
    expect((await audit.list({ after: second ?? 0, limit: 2 })).map(({ seq }) => seq)).toEqual([third]);
    expect(await audit.newest()).toBe(third);
  });

  it("keeps a webhook as it was made, beginning after the newest event, and notes who made it", async () => {
    const { access, audit, webhooks } = engine();
    const token = await access.change(local, (tx) =>
      tx.addToken({
        ...{ kind: "token", memberId: local.member.id, label: "", hash: hashSecret(newSecret()), scopes: ["read"] },
        ...{ projectIds: undefined, expiresAt: undefined, parentId: undefined },
      }),
    );
    const newest = await audit.newest();
    const made = await webhooks.add(local, hook({ tokenId: token.id }));
    const bare = await webhooks.add(local, hook({ ops: undefined, projectIds: undefined }));

    expect(made).toMatchObject({ ...hook({ tokenId: token.id }), cursor: newest, failures: 0, trouble: undefined });
    expect(await found(made.id)).toEqual(made);
    expect(bare).toMatchObject({ ops: undefined, projectIds: undefined, tokenId: undefined });
    expect(await webhooks.remove(local, made.id)).toBe(true);
    expect(await webhooks.remove(local, made.id)).toBe(false);
    expect(await webhooks.list()).toEqual([bare]);
    expect((await audit.list({ after: newest, limit: 10 })).map(({ op, subject }) => `${op} ${subject}`)).toEqual([
      `webhook.add webhook:${made.id}`,
      `webhook.add webhook:${bare.id}`,
      `webhook.remove webhook:${made.id}`,
    ]);
  });

  it("is claimed by one of several, and again when its rest is over; its progress is kept", async () => {
    const { webhooks } = engine();
    const { id, cursor } = await webhooks.add(local, hook());
    const claims = await Promise.all([1, 2, 3].map(() => webhooks.claim(id, inMinutes(1))));
    expect(claims.filter((each) => each)).toHaveLength(1);

    const progress = { cursor: cursor + 5, failures: 2, trouble: "it answered 500", deliveredAt: inMinutes(0) };
    await webhooks.note(id, { ...progress, restsUntil: inMinutes(2) });
    clock().advance(60_000);
    expect(await webhooks.claim(id, inMinutes(9))).toBe(false);
    clock().advance(60_000);
    expect(await webhooks.claim(id, inMinutes(9))).toBe(true);
    expect(await found(id)).toMatchObject(progress);

    await webhooks.remove(local, id);
    await webhooks.note(id, { ...progress, restsUntil: inMinutes(2) });
    expect([await webhooks.claim(id, inMinutes(99)), await webhooks.list()]).toEqual([false, []]);
  });
}

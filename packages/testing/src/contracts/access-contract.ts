import { type Caller, localCaller, openAccessAdmin, openSignInAdmin, signInByLink } from "@chest/core/access";
import { canonical } from "@chest/core/memory";
import type { Engine, Store } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { triggeredFor } from "@chest/core/triggers";
import { expect, it } from "vitest";
import { aCall, aCaller, type FixedClock } from "../fakes.ts";

const DAY_MS = 86_400_000;
const APPLE = "host/org/apple";
const BROWSER = { label: "Firefox, Linux", client: { name: "test", version: "1" } };

/** Requirements on an engine's members, tokens and projects. */
export function accessContract(engine: () => Engine, clock: () => FixedClock): void {
  const admin = (caller: Caller = localCaller(undefined)) => openAccessAdmin(engine().access, caller, clock());
  const as = (caller: Caller): Store => engine().as(aCall({ caller }));

  /** A member's token, and a caller with it. */
  async function login(input: object, project?: string) {
    const { token, id } = await admin().createToken(input);
    const come = async (): Promise<Caller | undefined> => {
      const bearer = await engine().access.bearer(token);
      return bearer && { ...bearer, project, client: { name: "test", version: "1" } };
    };
    const caller = await come();
    if (!caller) throw new Error("a token that was just made is none");
    return { id, token, come, caller };
  }

  const remember = (caller: Caller, content: string, over: object = {}) =>
    as(caller).write(async (tx) => {
      const { entity } = await tx.entities.findOrAdd({
        name: "acme",
        kind: "project",
        key: undefined,
        visibility: "team",
        projectKey: undefined,
      });
      const visibility = caller.project ? "project" : "team";
      const rest = { layer: "learning", tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false } as const;
      const memory = { entity, text: canonical(content), projectKey: caller.project, visibility, ...rest } as const;
      return tx.memories.add({ ...memory, ...over });
    });
  const find = async (caller: Caller, text: string) => {
    const where = { reach: "everywhere", withArchived: false, withSuperseded: false } as const;
    return ((await as(caller).search.matchWords(readQuery(text), where, 50)) ?? []).map(({ id }) => id);
  };

  it("knows a member by its token, and nobody by anything else", async () => {
    const { token, id, caller } = await login({ member: "alice", scopes: ["read"] });

    expect(token).toMatch(new RegExp(`^cht_${id}_[\\w-]{43}$`));
    expect(caller).toMatchObject({ member: { name: "alice" }, token: { id }, scopes: new Set(["read"]) });
    const last = token.endsWith("A") ? "B" : "A";
    for (const wrong of [
      "",
      "cht_",
      `${token}x`,
      token.slice(0, -1) + last,
      token.replace(`_${id}_`, "_999_"),
      "x".repeat(43),
    ]) {
      expect(await engine().access.bearer(wrong)).toBeUndefined();
    }
  });

  it("keeps tokens, links and sign-ins apart, and ends a sign-in that nobody uses", async () => {
    const { caller } = await login({ member: "alice", scopes: ["read"] });
    const book = engine().access;
    const links = openSignInAdmin(book, caller, clock());
    const { link } = await links.createLink({});
    const bearer = await book.bearer(link, "link");
    if (!bearer) throw new Error("a link that was just made is none");

    const both = await Promise.all([signInByLink(book, bearer, BROWSER), signInByLink(book, bearer, BROWSER)]);
    // An engine with several writers lets either of them be the first.
    const [cookie, ...more] = both.filter((each) => each !== undefined);

    expect(more).toEqual([]);
    expect(await book.bearer(cookie ?? "", "session")).toMatchObject({ member: caller.member });
    expect([await book.bearer(cookie ?? ""), await book.bearer(link)]).toEqual([undefined, undefined]);
    expect(await admin().listTokens({})).toHaveLength(1);
    expect(await links.list()).toMatchObject([{ member: "alice", label: BROWSER.label }]);
    clock().advance(DAY_MS / 2);
    expect([await book.bearer(cookie ?? "", "session"), await links.list()]).toEqual([undefined, []]);
  });

  it("makes a token once under a key, and says so to a repeat", async () => {
    const once = { idempotencyKey: "k", request: { tool: "token", input: {} } };
    const make = () =>
      openAccessAdmin(engine().access, localCaller(undefined), clock(), once).createToken({ member: "alice" });
    const both = await Promise.allSettled([make(), make()]);
    const [first, second] = both.sort((a, b) => (a.status < b.status ? -1 : 1));
    const tokens = await admin().listTokens({});

    expect(first).toMatchObject({ status: "fulfilled", value: { member: "alice" } });
    expect(second).toMatchObject({ reason: { code: "ALREADY_DONE", details: { id: tokens[0]?.id } } });
    expect(tokens).toHaveLength(1);
  });

  it("lists tokens without what they are made of", async () => {
    // Not used yet: an engine notes a use some milliseconds later.
    const { token } = await admin().createToken({ member: "alice", label: "laptop", projects: [APPLE] });

    const listed = await admin().listTokens({});

    expect(listed).toMatchObject([{ member: "alice", label: "laptop", projects: [APPLE], last_used_at: null }]);
    expect(JSON.stringify(listed)).not.toContain(token.slice(-43));
    expect(JSON.stringify(await engine().access.tokens())).not.toMatch(/[0-9a-f]{64}/);
  });

  it("renews a member's own token while it is valid, with its rights and lifetime anew", async () => {
    const { id, caller, come } = await login({
      member: "renewing",
      scopes: ["read", "write"],
      expires: "10d",
      label: "pc",
    });
    clock().advance(9 * DAY_MS);
    const made = await admin(caller).renewToken({ id: String(id) });
    expect(made).toMatchObject({ member: "renewing", scopes: ["read", "write"], label: "pc" });
    expect(Date.parse(made.expires_at ?? "")).toBe(clock().now().getTime() + 10 * DAY_MS);
    expect(await come()).toBeDefined();
    clock().advance(2 * DAY_MS);
    expect(await come()).toBeUndefined();
    expect(await engine().access.bearer(made.token)).toMatchObject({ member: { name: "renewing" } });
    await expect(admin(caller).renewToken({ id: String(id) })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const other = await login({ member: "someone-else" });
    await expect(admin(other.caller).renewToken({ id: String(made.id) })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await admin().revokeToken({ id: String(id) });
    expect(await engine().access.bearer(made.token)).toBeUndefined();
  });

  it("ends a token when it expires, when it is revoked, and with its member", async () => {
    const short = await login({ member: "alice", expires: "1d" });
    const usual = await login({ member: "alice" });
    const endless = await login({ member: "bob", expires: "never" });

    clock().advance(DAY_MS);
    expect([await short.come(), (await usual.come())?.member.name]).toEqual([undefined, "alice"]);
    const first = await admin().revokeToken({ id: usual.id });
    expect(await usual.come()).toBeUndefined();
    clock().advance(DAY_MS);
    expect(await admin().revokeToken({ id: usual.id })).toEqual(first);
    clock().advance(3000 * DAY_MS);
    expect((await endless.come())?.member.name).toBe("bob");
    await admin().disableMember({ name: "bob" });
    expect(await endless.come()).toBeUndefined();
    await admin().addMember({ name: "bob" });
    expect(await endless.come()).toBeUndefined();
  });

  it("gives `admin` to admins only, and takes it away with the role", async () => {
    await expect(admin().createToken({ member: "alice", scopes: ["admin"] })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await admin().addMember({ name: "alice", admin: true });
    const { caller, come } = await login({ member: "alice", scopes: ["read", "admin"] });
    expect(caller.scopes).toEqual(new Set(["read", "admin"]));
    const { id } = caller.member;
    await engine().access.change(localCaller(undefined), (tx) => tx.setMember(id, { role: "member" }));
    expect((await come())?.scopes).toEqual(new Set(["read"]));
  });

  it("lets a member make tokens for itself, no wider than its own, that end with it", async () => {
    const { caller, id } = await login({
      member: "alice",
      scopes: ["read", "write"],
      projects: [APPLE],
      expires: "10d",
    });
    const own = admin(caller);

    const made = await own.createToken({ scopes: ["read"] });
    expect(made).toMatchObject({ member: "alice", scopes: ["read"], projects: [APPLE] });
    expect(Date.parse(made.expires_at ?? "")).toBe(clock().now().getTime() + 10 * DAY_MS);
    for (const wider of [{ scopes: ["operate"] }, { member: "bob" }]) {
      await expect(own.createToken(wider)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await expect(own.createToken({ expires: "11d" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(own.createToken({ projects: ["host/org/pear"] })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await login({ member: "bob" });
    expect((await own.listTokens({})).map(({ member }) => member)).toEqual(["alice", "alice"]);
    await admin().revokeToken({ id });
    expect(await engine().access.bearer(made.token)).toBeUndefined();
    for (const refused of [
      own.listMembers(),
      own.addMember({ name: "eve" }),
      own.setProject({ key: APPLE, access: "open" }),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN", details: { scope: "admin" } });
    }
  });

  it("has neither a token nor a change for the members that are built in", async () => {
    for (const name of ["shared", "local", "maintenance"]) {
      await expect(admin().createToken({ member: name })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      await expect(admin().disableMember({ name })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      await expect(admin().addMember({ name, admin: true })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
    await expect(admin(aCaller()).createToken({})).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("changes nothing when it refuses", async () => {
    await expect(admin().createToken({ member: "carol", scopes: ["admin"] })).rejects.toThrow();
    await expect(admin().disableMember({ name: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });

    expect((await admin().listMembers()).map(({ name }) => name).sort()).toEqual(["local", "shared"]);
  });

  it("closes a project to all but its members, at once, for reading and writing", async () => {
    const alice = (await login({ member: "alice" }, APPLE)).caller;
    const bob = (await login({ member: "bob" }, APPLE)).caller;
    const { id } = await remember(alice, "the orchard is fenced");
    expect(await find(bob, "orchard")).toEqual([id]);

    const closed = await admin().setProject({ key: APPLE, access: "members", add: ["alice"] });

    expect(closed).toEqual({ key: APPLE, access: "members", members: ["alice"] });
    expect([await find(alice, "orchard"), await find(bob, "orchard")]).toEqual([[id], []]);
    expect(await as(bob).memories.byId(id)).toBeUndefined();
    await expect(remember(bob, "from outside the fence")).rejects.toMatchObject({ code: "NOT_FOUND" });
    // A team memory can still be written from a working copy of it, under no project.
    expect((await remember({ ...bob, project: undefined }, "for everybody")).space).toBe("team");
    expect([await admin(bob).listProjects(), (await admin(alice).listProjects()).length]).toEqual([[], 1]);
    await admin().setProject({ key: APPLE, add: ["bob"] });
    expect(await find(bob, "orchard")).toEqual([id]);
    await admin().setProject({ key: APPLE, remove: ["bob"] });
    expect(await find(bob, "orchard")).toEqual([]);
    await admin().setProject({ key: APPLE, access: "open" });
    expect(await find(bob, "orchard")).toEqual([id]);
  });

  it("opens to a token of some projects those, the team's and the member's own, and makes it no other", async () => {
    const all = (await login({ member: "alice" }, APPLE)).caller;
    const inApple = await remember(all, "squirrels in the apple tree");
    const inPear = await remember({ ...all, project: "host/org/pear" }, "squirrels in the pear tree");
    const ofTeam = await remember({ ...all, project: undefined }, "squirrels everywhere");
    const { caller } = await login({ member: "alice", projects: [APPLE] }, APPLE);

    expect((await find(caller, "squirrels")).sort()).toEqual([inApple.id, ofTeam.id].sort());
    expect(await as(caller).memories.byId(inPear.id)).toBeUndefined();
    for (const project of ["host/org/pear", "host/org/new"]) {
      await expect(remember({ ...caller, project }, "a nut")).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect((await remember(caller, "a nut in the apple tree")).projectId).toBe(inApple.projectId);
  });

  it("renames a project, so that both keys lead to it, and takes an alias away", async () => {
    const { caller } = await login({ member: "renamer" }, "host/old/pear");
    const wombat = await remember(caller, "a wombat of the pear", { metadata: { name: "marsupial" } });
    const { id } = wombat;
    const { key, aliases } = await admin().setProject({ key: "host/old/pear", rename: "host/new/pear" });
    expect({ key, aliases }).toEqual({ key: "host/new/pear", aliases: ["host/old/pear"] });
    const findIn = (project: string) => find({ ...caller, project }, "wombat");
    expect(await findIn("host/new/pear")).toEqual([id]);
    expect(await findIn("host/old/pear")).toEqual([id]);
    const where = { withArchived: false, withSuperseded: false };
    const named = { ...where, reach: { projectKey: "host/old/pear" }, fromProject: "host/old/pear" };
    expect((await as(caller).memories.newest(named, 9)).map((row) => row.id)).toEqual([id]);
    const turn = { conversationId: "kitchen", keywords: [], at: clock().now() };
    await as(caller).write(async (tx) => tx.conversations.mark(wombat, turn));
    const turns = { conversationId: "kitchen", projectKey: "host/old/pear", limit: 9, offset: 0 };
    expect((await as(caller).conversations.turns(turns)).map((row) => row.id)).toEqual([id]);
    expect(await as(caller).conversations.list(turns)).toMatchObject({ total: 1 });
    const old = { visibility: "project", projectKey: "host/old/pear" } as const;
    for (const condition of ['{"projects":["host/old/pear"]}', `"context.project == 'host/old/pear'"`]) {
      await as(caller).write(async (tx) => tx.triggers.set(wombat, condition));
      for (const project of ["host/new/pear", "host/old/pear"]) {
        const situation = { messages: [], now: clock().now(), project };
        expect((await triggeredFor(as({ ...caller, project }), situation)).map((row) => row.id)).toEqual([id]);
      }
    }
    expect((await as(caller).write((tx) => tx.memories.byName("marsupial", old)))?.id).toBe(id);
    const back = await remember({ ...caller, project: "host/old/pear" }, "another wombat");
    expect(await findIn("host/new/pear")).toContain(back.id);
    expect(await as(caller).listings.names([back])).toMatchObject({
      projects: new Map([[back.projectId, "host/new/pear"]]),
    });
    await admin().setProject({ key: "host/old/pear", add_aliases: ["host/fork/pear"] });
    expect(await findIn("host/fork/pear")).toHaveLength(2);
    const after = await admin().setProject({
      key: "host/new/pear",
      remove_aliases: ["host/old/pear", "host/fork/pear"],
    });
    expect(after).not.toHaveProperty("aliases");
    expect(await admin().listProjects()).toContainEqual({ key: "host/new/pear", access: "open" });
    await expect(admin().setProject({ key: "host/no/pear", rename: "host/x/pear" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("names a project to nobody whom it is closed to, on what the team has of it either", async () => {
    const { caller: ann } = await login({ member: "closed-ann" }, "host/org/fig");
    const { caller: ben } = await login({ member: "closed-ben" }, "host/org/fig");
    const session = { client: { name: "test", version: "1", session: "fig-session" } };
    const row = await remember({ ...ann, ...session }, "a fig for all", { visibility: "team", session: "fig-session" });
    await admin().setProject({ key: "host/org/fig", access: "members", add: ["closed-ann"] });
    const here = { reach: "here", fromProject: "host/org/fig", withArchived: false, withSuperseded: false } as const;
    const named = async (caller: Caller) => {
      const { listings, memories } = as(caller);
      const [names, { shares }, { sessions }, from] = await Promise.all([
        listings.names([row]),
        listings.statistics("here"),
        listings.sessions({ reach: "here", limit: 200, offset: 0 }),
        memories.newest(here, 9),
      ]);
      const projects = [...names.projects.values(), ...[...shares, ...sessions].map(({ project }) => project)];
      return [projects.filter((key) => key === "host/org/fig").length, from.map(({ id }) => id)];
    };
    expect(await named(ann)).toEqual([3, [row.id]]);
    expect(await named(ben)).toEqual([0, []]);
  });

  it("makes one project of two only when that is asked for, and lets nobody in by it", async () => {
    const { caller: ann } = await login({ member: "merge-ann" }, "host/org/plum");
    const { caller: ben } = await login({ member: "merge-ben" }, "host/org/prune");
    const plum = (await remember(ann, "a quoll in the plum")).id;
    const prune = (await remember(ben, "a quoll in the prune")).id;
    await admin().setProject({ key: "host/org/plum", access: "members", add: ["merge-ann"] });
    const asked = { key: "host/org/plum", add_aliases: ["host/org/prune"] };
    await expect(admin().setProject(asked)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "merge" },
    });
    expect(await find(ben, "quoll")).toEqual([prune]);
    expect(await admin().setProject({ ...asked, merge: true })).toMatchObject({
      key: "host/org/plum",
      access: "members",
      members: ["merge-ann"],
      aliases: ["host/org/prune"],
    });
    expect((await find(ann, "quoll")).toSorted((a, b) => a - b)).toEqual([plum, prune]);
    expect(await find(ben, "quoll")).toEqual([]);
  });

  it("hands what is a disabled member's alone to another, or purges just that", async () => {
    const { caller: leaver } = await login({ member: "leaver-lea" }, "host/org/fig");
    const { caller: heir } = await login({ member: "heir-hal" }, "host/org/fig");
    const secret = (await remember(leaver, "an echidna of my own", { visibility: "private" })).id;
    const shared = (await remember(leaver, "an echidna for all")).id;
    const given = { from: "leaver-lea", to: "heir-hal" };
    await expect(admin().handOver(given)).rejects.toMatchObject({ code: "INVALID_INPUT", details: { field: "from" } });
    await admin().disableMember({ name: "leaver-lea" });
    await expect(openAccessAdmin(engine().access, heir, clock()).handOver(given)).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await admin().handOver(given)).toEqual({ ...given, confirmed: false, memories: 1 });
    expect(await find(heir, "echidna")).toEqual([shared]);
    expect(await engine().purger.find({ member: "leaver-lea", isPrivateOnly: true })).toEqual([secret]);
    expect(await admin().handOver({ ...given, confirm: true })).toMatchObject({ confirmed: true, memories: 1 });
    expect((await find(heir, "echidna")).toSorted((a, b) => a - b)).toEqual([secret, shared]);
    expect(await as(heir).memories.byId(secret)).toMatchObject({ authorId: heir.member.id, visibility: "private" });
    expect(await engine().purger.find({ member: "leaver-lea", isPrivateOnly: true })).toEqual([]);
  });
}

import { type Caller, localCaller, openAccessAdmin } from "@chest/core/access";
import { canonical, type Memory } from "@chest/core/memory";
import type { Engine, Store } from "@chest/core/ports";
import { readQuery } from "@chest/core/recall";
import { expect, it } from "vitest";
import { aCall, type FixedClock } from "../fakes.ts";

/** Requirements on the keys of an engine's projects. */
export function projectsContract(engine: () => Engine, clock: () => FixedClock): void {
  const admin = (caller: Caller = localCaller(undefined)) => openAccessAdmin(engine().access, caller, clock());
  const as = (caller: Caller): Store => engine().as(aCall({ caller }));

  async function login(input: object, project?: string): Promise<Caller> {
    const bearer = await engine().access.bearer((await admin().createToken(input)).token);
    if (!bearer) throw new Error("a token that was just made is none");
    return { ...bearer, project, client: { name: "test", version: "1" } };
  }

  const remember = (caller: Caller, content: string, over: object = {}) =>
    as(caller).write(async (tx) => {
      const place = { visibility: "project", projectKey: caller.project } as const;
      const { entity } = await tx.entities.findOrAdd({ name: "acme", kind: "project", key: undefined, ...place });
      const rest = { layer: "learning", tags: [], importance: 0.5, expiresAt: undefined, hasOwnExpiry: false } as const;
      return tx.memories.add({ entity, text: canonical(content), ...place, ...rest, ...over });
    });
  const find = async (caller: Caller, text: string, reach: "here" | "everywhere" = "here") => {
    const where = { reach, withArchived: false, withSuperseded: false } as const;
    const found = (await as(caller).search.matchWords(readQuery(text), where, 50)) ?? [];
    return found.map(({ id }) => id).toSorted((a, b) => a - b);
  };

  it("knows one repository by every spelling of its address", async () => {
    const ann = await login({ member: "ann" }, "github.com/Acme/Shop");
    const spelt = (project: string): Caller => ({ ...ann, project });
    const spellings = ["github.com/acme/shop", "ssh.github.com/ACME/Shop", "github.com/Acme/Shop"].map(spelt);
    const { id } = await remember(ann, "a numbat of the shop", { metadata: { name: "numbat" } });

    for (const caller of spellings) {
      expect(await find(caller, "numbat")).toEqual([id]);
      const { project: key = "" } = caller;
      const where = { reach: { projectKey: key }, fromProject: key, withArchived: false, withSuperseded: false };
      expect((await as(caller).memories.newest(where, 9)).map((row) => row.id)).toEqual([id]);
      const place = { visibility: "project", projectKey: key } as const;
      expect((await as(caller).write((tx) => tx.memories.byName("numbat", place)))?.id).toBe(id);
    }
    await remember(spelt("SSH.github.com/x/y".toLowerCase()), "another repository");
    const all = await Promise.all(spellings.map((caller, nth) => remember(caller, `the same numbat ${nth}`)));
    expect(new Set(all.map(({ projectId }) => projectId)).size).toBe(1);
    expect((await admin().listProjects()).map(({ key }) => key)).toEqual(["github.com/acme/shop", "github.com/x/y"]);
  });

  it("makes one project of two spellings that come at once", async () => {
    const ann = await login({ member: "ann" }, "github.com/Acme/Hut");
    await Promise.all(
      ["Acme/Hut", "acme/hut", "ACME/HUT", "Acme/hut"].map((path, nth) =>
        remember({ ...ann, project: `github.com/${path}` }, `a bilby ${nth}`),
      ),
    );
    expect(await admin().listProjects()).toEqual([{ key: "github.com/acme/hut", access: "open" }]);
  });

  it("keeps a closed project closed under every spelling", async () => {
    const ann = await login({ member: "ann" }, "gitlab.com/Acme/Safe");
    const { id } = await remember(ann, "a dunnart in the safe");
    await admin().setProject({ key: "https://GitLab.com/ACME/safe.git", access: "members", add: ["ann"] });

    for (const key of ["gitlab.com/Acme/Safe", "gitlab.com/acme/safe", "altssh.gitlab.com/acme/SAFE"]) {
      const ben = await login({ member: "ben" }, key);
      expect(await find(ben, "dunnart", "everywhere")).toEqual([]);
      await expect(remember(ben, "a nut")).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await find({ ...ann, project: key }, "dunnart")).toEqual([id]);
      await expect(admin(ben).createToken({ projects: [key] })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("goes on with both of two projects whose keys differ in case alone, each by its own key", async () => {
    const ann = await login({ member: "ann" }, "was");
    const old = await remember(ann, "a potoroo of old");
    const young = await remember({ ...ann, project: "github.com/acme/inn" }, "a potoroo of today");
    // As an earlier release kept it.
    await engine().access.change(localCaller(undefined), (tx) =>
      tx.renameProject(old.projectId ?? 0, "github.com/Acme/Inn"),
    );

    expect(await find({ ...ann, project: "github.com/Acme/Inn" }, "potoroo")).toEqual([old.id]);
    expect(await find({ ...ann, project: "github.com/acme/inn" }, "potoroo")).toEqual([young.id]);
    expect(await find({ ...ann, project: "github.com/ACME/INN" }, "potoroo")).toEqual([young.id]);
  });

  it("joins two projects after a preview, and a split puts back all that lay in each", async () => {
    const ann = await login({ member: "ann" }, "host/org/old");
    const inNew = { ...ann, project: "host/org/new" };
    const named = { metadata: { name: "pouch" } };
    const olds = [await remember(ann, "a wombat of old", named), await remember(ann, "my own wombat", OWN)];
    const news = [await remember(inNew, "a wombat of today", named)];
    const of = (rows: readonly Memory[]) => rows.map(({ id }) => id);
    const before = await shown([...olds, ...news]);
    const session = (caller: Caller, id: string): Caller => ({ ...caller, client: { ...caller.client, session: id } });
    for (const [caller, id] of [
      [ann, "s-old"],
      [inNew, "s-new"],
    ] as const)
      await as(session(caller, id)).write(async (tx) => {
        const { project: projectKey } = caller;
        await tx.work.add({ title: `${id}'s task`, detail: undefined, priority: 1, files: [], projectKey });
      });
    const work = async (caller: Caller) => (await as(caller).work.open(caller.project)).map(({ title }) => title);

    const asked = { key: "host/org/old", into: "host/org/new" };
    const moves = { memories: 2, sessions: 1, tasks: 1, gaps: 0 };
    const preview = { ...asked, confirmed: false, moves, access: "open" };
    expect(await admin().joinProjects(asked)).toEqual(preview);
    expect(await shown([...olds, ...news])).toEqual(before);
    expect(await admin().joinProjects({ ...asked, confirm: true })).toEqual({ ...preview, confirmed: true });
    const late = await remember(ann, "a wombat since then");
    for (const caller of [ann, inNew]) {
      expect(await find(caller, "wombat")).toEqual(of([...olds, ...news, late]));
      expect((await work(caller)).toSorted()).toEqual(["s-new's task", "s-old's task"]);
    }
    expect(await admin().listProjects()).toEqual([{ key: "host/org/new", access: "open", aliases: ["host/org/old"] }]);

    const undo = { key: "host/org/old", into: "host/org/new", moves, access: "open" };
    expect(await admin().splitProject({ key: "host/org/old" })).toEqual({ ...undo, confirmed: false });
    expect(await admin().splitProject({ key: "host/org/old", confirm: true })).toEqual({ ...undo, confirmed: true });
    expect(await shown([...olds, ...news])).toEqual(before);
    expect([await find(ann, "wombat"), await find(inNew, "wombat")]).toEqual([of(olds), of([...news, late])]);
    expect([await work(ann), await work(inNew)]).toEqual([["s-old's task"], ["s-new's task"]]);
    expect((await admin().listProjects()).map(({ key, aliases }) => [key, aliases]).toSorted()).toEqual([
      ["host/org/new", undefined],
      ["host/org/old", undefined],
    ]);
    await expect(admin().splitProject({ key: "host/org/old" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "key" },
    });
    const [ops, splits] = await Promise.all(
      ["project.join", "project.split"].map(async (op) => (await engine().audit.list({ op, limit: 9 })).length),
    );
    expect([ops, splits]).toEqual([1, 1]);
  });

  it("says which project a write has made, and which older ones look like it, as far as the caller may open them", async () => {
    const [old, shut, now] = ["git.example/acme/shop", "git.example/ben/shop", "git.example/ann/shop"];
    const ann = await login({ member: "ann" }, now);
    for (const project of [old, shut]) await remember({ ...ann, project }, "a wombat");
    await admin().setProject({ key: shut, access: "members", add: [] });
    const made = () =>
      as(ann).write(async (tx) => {
        await tx.entities.findOrAdd({
          name: "a",
          kind: "project",
          key: undefined,
          visibility: "project",
          projectKey: now,
        });
        return tx.madeProject() ?? null;
      });
    expect([await made(), await made()]).toEqual([now, null]);
    expect(await as(ann).listings.projectsLike(now)).toEqual([old]);
  });

  it("keeps what a split needs when keys and names are redacted", async () => {
    const [old, now] = ["host/org/of-Ragnhild", "host/org/new"];
    const ann = await login({ member: "ann" }, old);
    const named = { metadata: { name: "Ragnhild's nest" } };
    const first = await remember(ann, "a wombat of old", named);
    await remember({ ...ann, project: now }, "a wombat of today", named);
    await admin().joinProjects({ key: old, into: now, confirm: true });
    await engine().purger.rewrite(localCaller(undefined), [], (text) => text.replaceAll("Ragnhild", "somebody"));
    const left: string[] = [];
    await engine().purger.visit(({ field, text }) => text.includes("Ragnhild") && field !== "name" && left.push(text));
    expect(left).toEqual([]);

    await admin().splitProject({ key: "host/org/of-somebody", confirm: true });
    expect((await shown([first])).map(([, key, , name]) => [key, name])).toEqual([
      ["host/org/of-somebody", "somebody's nest"],
    ]);
  });

  it("keeps the key of a joined project until a split, whatever else becomes of its keys", async () => {
    const ann = await login({ member: "ann" }, "host/org/old");
    const row = await remember(ann, "a wombat of old");
    await remember({ ...ann, project: "host/org/new" }, "a wombat of today");
    const before = await shown([row]);
    await admin().setProject({ key: "host/org/old", rename: "host/org/new", merge: true });
    await admin().setProject({ key: "host/org/new", add_aliases: ["host/org/other"] });
    for (const change of [{ remove_aliases: ["host/org/old"] }, { rename: "host/org/old" }])
      await expect(admin().setProject({ key: "host/org/new", ...change })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining("was joined"),
        hint: expect.stringContaining("project split host/org/old"),
      });
    await admin().setProject({ key: "host/org/new", rename: "host/org/newest" });
    expect(await find(ann, "wombat")).toHaveLength(2);
    await admin().splitProject({ key: "host/org/old", confirm: true });
    expect(await shown([row])).toEqual(before);
  });

  it("splits what was joined over two steps, in either order", async () => {
    for (const [nth, order] of [
      ["a", "b"],
      ["b", "a"],
    ].entries()) {
      const key = (letter: string) => `host/org/${letter}${nth}`;
      const ann = await login({ member: "ann" }, key("a"));
      const rows = [];
      for (const letter of ["a", "b", "c"])
        rows.push(await remember({ ...ann, project: key(letter) }, `a glider ${letter}`));
      const before = await shown(rows);
      await admin().setProject({ key: key("a"), add_aliases: [key("x")] });
      await admin().joinProjects({ key: key("a"), into: key("b"), confirm: true });
      await admin().joinProjects({ key: key("b"), into: key("c"), confirm: true });
      expect(await find({ ...ann, project: key("x") }, "glider")).toHaveLength(3);
      for (const letter of order) await admin().splitProject({ key: key(letter), confirm: true });

      expect(await shown(rows)).toEqual(before);
      const own = (await admin().listProjects()).filter((each) => each.key.endsWith(`${nth}`));
      expect(new Map(own.map((each) => [each.key, each.aliases]))).toEqual(
        new Map([
          [key("a"), [key("x")]],
          [key("b"), undefined],
          [key("c"), undefined],
        ]),
      );
    }
  });

  it("opens nothing by a join, nor by the split after it", async () => {
    const ann = await login({ member: "ann" }, "host/org/open");
    const ben = await login({ member: "ben" }, "host/org/shut");
    const open = await remember(ann, "a cuscus in the open");
    const shut = await remember(ben, "a cuscus behind a door");
    await admin().setProject({ key: "host/org/shut", access: "members", add: ["ben"] });
    const limited = await login({ member: "ben", projects: ["host/org/open"] }, "host/org/open");
    const limit = async () => (await admin().listTokens({})).find(({ id }) => id === limited.token?.id)?.projects;
    const cat = await login({ member: "cat" });
    const seen = () => Promise.all([ann, ben, cat].map((each) => find(each, "cuscus", "everywhere")));
    expect(await seen()).toEqual([[open.id], [open.id, shut.id], [open.id]]);

    const asked = { key: "host/org/shut", into: "host/org/open" };
    expect(await admin().joinProjects(asked)).toMatchObject({ access: "members", members: ["ben"] });
    await admin().joinProjects({ ...asked, confirm: true });
    expect(await seen()).toEqual([[], [open.id, shut.id], []]);
    await admin().splitProject({ key: "host/org/shut", confirm: true });
    expect(await seen()).toEqual([[], [open.id, shut.id], []]);
    expect(await limit()).toEqual(["host/org/open"]);
    await admin().setProject({ key: "host/org/open", access: "open" });
    expect(await seen()).toEqual([[open.id], [open.id, shut.id], [open.id]]);

    await admin().joinProjects({ key: "host/org/open", into: "host/org/shut", confirm: true });
    expect(await limit()).toEqual(["host/org/shut"]);
    await admin().splitProject({ key: "host/org/open", confirm: true });
    expect(await limit()).toEqual(["host/org/open"]);
    for (const task of [admin(ann).joinProjects(asked), admin(ann).splitProject({ key: "host/org/open" })])
      await expect(task).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  /** Reads where memories lie, under which name and entity, by the key of their project. */
  async function shown(rows: readonly Memory[]) {
    const { token: _, ...owner } = await login({ member: "ann" });
    const found = await as(owner).memories.byIds(rows.map(({ id }) => id));
    const { projects } = await as(owner).listings.names(found);
    const keys = (space: string) => space.replace(/p(\d+)/, (__, id) => ` ${projects.get(Number(id))}`);
    return found
      .map(({ id, space, name, entity, projectId = 0 }) => [
        id,
        projects.get(projectId),
        keys(space),
        name,
        entity.name,
      ])
      .toSorted(([a], [b]) => Number(a) - Number(b));
  }
}

const OWN = { visibility: "private" } as const;

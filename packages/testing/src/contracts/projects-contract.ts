import { type Caller, canonical, type Engine, localCaller, openDesk, readQuery, type Store } from "@chest/core";
import { expect, it } from "vitest";
import { aCall, type FixedClock } from "../fakes.ts";

/** Requirements on the keys of an engine's projects. */
export function projectsContract(engine: () => Engine, clock: () => FixedClock): void {
  const desk = (caller: Caller = localCaller(undefined)) => openDesk(engine().access, caller, clock());
  const as = (caller: Caller): Store => engine().as(aCall({ caller }));

  async function login(given: object, project?: string): Promise<Caller> {
    const bearer = await engine().access.bearer((await desk().createToken(given)).token);
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
      expect((await as(caller).write((tx) => tx.memories.named("numbat", place)))?.id).toBe(id);
    }
    await remember(spelt("SSH.github.com/x/y".toLowerCase()), "another repository");
    const all = await Promise.all(spellings.map((caller, nth) => remember(caller, `the same numbat ${nth}`)));
    expect(new Set(all.map(({ projectId }) => projectId)).size).toBe(1);
    expect((await desk().listProjects()).map(({ key }) => key)).toEqual(["github.com/acme/shop", "github.com/x/y"]);
  });

  it("makes one project of two spellings that come at once", async () => {
    const ann = await login({ member: "ann" }, "github.com/Acme/Hut");
    await Promise.all(
      ["Acme/Hut", "acme/hut", "ACME/HUT", "Acme/hut"].map((path, nth) =>
        remember({ ...ann, project: `github.com/${path}` }, `a bilby ${nth}`),
      ),
    );
    expect(await desk().listProjects()).toEqual([{ key: "github.com/acme/hut", access: "open" }]);
  });

  it("keeps a closed project closed under every spelling", async () => {
    const ann = await login({ member: "ann" }, "gitlab.com/Acme/Safe");
    const { id } = await remember(ann, "a dunnart in the safe");
    await desk().setProject({ key: "https://GitLab.com/ACME/safe.git", access: "members", add: ["ann"] });

    for (const key of ["gitlab.com/Acme/Safe", "gitlab.com/acme/safe", "altssh.gitlab.com/acme/SAFE"]) {
      const ben = await login({ member: "ben" }, key);
      expect(await find(ben, "dunnart", "everywhere")).toEqual([]);
      await expect(remember(ben, "a nut")).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await find({ ...ann, project: key }, "dunnart")).toEqual([id]);
      await expect(desk(ben).createToken({ projects: [key] })).rejects.toMatchObject({ code: "NOT_FOUND" });
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
}

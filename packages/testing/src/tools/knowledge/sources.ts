import { onPrompt, onSessionStart } from "@chest/core/hooks";
import { readResource } from "@chest/core/resources";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { engineFixture } from "../engine-fixture.ts";

const OLD = "a".repeat(64);
const NEW = "b".repeat(64);
const DAY_MS = 86_400_000;

interface Verified {
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly { readonly memory_id: number; readonly path: string; readonly status: string }[];
  readonly to_check?: readonly { readonly memory_id: number; readonly path: string; readonly hash: string | null }[];
  readonly total?: number;
  readonly accepted?: number;
}

/** Requirements on the sources of memories in files, as clients that read the files tell of them. */
export function sourcesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const verify = (agent: Agent, input: object) => agent.call("chest_verify", input) as Promise<Verified>;
  const from = (path: string, hash = OLD) => ({
    source: [`${path}:10-20`],
    source_state: [{ path, line: 10, end_line: 20, hash, git_commit: "1234567" }],
  });
  const found = (memory_id: number, path: string, hash: string | null) => ({ memory_id, path, hash });
  const row = async (agent: Agent, id: number) => {
    const { memories } = (await agent.call("chest_recall", { ids: [id], format: "raw" })) as {
      memories: { confidence: number }[];
    };
    return memories[0];
  };
  const sourcesOf = async ({ caller }: Agent, id: number) =>
    (await fixture.as({ caller }).listings.parts(id))?.sources ?? [];

  it("keeps path, lines, hash and commit of what a client has read", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("the limit is 20", from("src/a.ts"));
    expect(await sourcesOf(agent, id)).toMatchObject([
      {
        path: "src/a.ts",
        line: 10,
        endLine: 20,
        hash: OLD,
        gitCommit: "1234567",
        status: "unknown",
        checkedAt: undefined,
      },
    ]);
  });

  it("notes a source that no client has read, and says that its change will not be noticed", async () => {
    const agent = anAgent(fixture);
    const { memory_id: id, warnings } = await agent.remember({ source: "src/a.ts:3, docs/b.md" });
    expect(warnings).toMatchObject([{ reason: "source_not_hashed" }]);
    const sources = await sourcesOf(agent, id);
    expect(sources.map(({ hash }) => hash)).toEqual([undefined, undefined]);
    expect(sources).toMatchObject([{ path: "docs/b.md" }, { path: "src/a.ts", line: 3 }]);
  });

  it.each([
    ["an absolute path", "/etc/passwd"],
    ["a path that leads out", "../other/a.ts"],
    ["an address", "https://example.org/a.ts"],
    ["lines that end before they begin", "a.ts:20-10"],
    ["a file twice", ["a.ts:1", "a.ts:5"]],
  ])("refuses %s by name and stores nothing", async (_, source) => {
    const agent = anAgent(fixture);
    const refusal = await agent.refused("chest_remember", { content: "a fact", layer: "learning", source });
    expect(refusal.message).toMatch(/^source/);
    expect((await agent.inspect({ view: "recent" })).total).toBe(0);
  });

  it("is told with the history of its file, once, until the file is no longer its source", async () => {
    const agent = anAgent(fixture);
    const onFile = async (path_substring: string) => {
      const { linked_memories = [] } = (await agent.call("chest_recall_file", { path_substring })) as {
        linked_memories?: readonly { id: number }[];
      };
      return linked_memories.map((memory) => memory.id);
    };
    const id = await agent.store("the limit is 20", { ...from("src/limits.ts"), files: ["src/limits.ts"] });
    const other = await agent.store("the burst is 40", from("src/limits.ts"));
    expect(await onFile("src/limits.ts")).toEqual([other, id]);
    expect(await onFile("limits.ts")).toEqual([other, id]);
    expect(await onFile("mits.ts")).toEqual([]);
    await agent.update({ memory_id: other, source: [] });
    expect(await onFile("limits.ts")).toEqual([id]);
  });

  it("an update puts other sources in place of the old ones, or takes them away", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("moved", from("src/a.ts"));
    await agent.update({ memory_id: id, ...from("src/b.ts", NEW) });
    expect(await sourcesOf(agent, id)).toMatchObject([{ path: "src/b.ts", hash: NEW }]);
    await agent.update({ memory_id: id, source: [] });
    expect(await sourcesOf(agent, id)).toEqual([]);
  });

  it("the same words again bring their sources along", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("said twice", from("src/a.ts"));
    expect(await agent.remember({ content: "said twice", ...from("src/b.ts") })).toMatchObject({ memory_id: id });
    expect((await sourcesOf(agent, id)).map(({ path }) => path)).toEqual(["src/a.ts", "src/b.ts"]);
  });

  it("lists what is to be checked: of memories, of a file, of a folder, of all the project", async () => {
    const agent = anAgent(fixture);
    const a = await agent.store("one", from("src/a.ts"));
    const b = await agent.store("two", from("src/deep/b.ts"));
    await agent.store("three", from("srcs/c.ts"));
    const paths = async (input: object) => (await verify(agent, input)).to_check?.map(({ path }) => path);
    expect(await paths({ ids: [b, a] })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await paths({ path: "src/a.ts" })).toEqual(["src/a.ts"]);
    expect(await paths({ path: "src" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await verify(agent, { all: true })).toMatchObject({ checked: 0, total: 3, counts: { unknown: 3 } });
    expect(await agent.refused("chest_verify", {})).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await agent.refused("chest_verify", { ids: [a], all: true })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("what a check found changed or gone says so where it is shown unasked, until it is accepted", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("tokens of the gateway live fifteen minutes", from("src/token.ts"));
    const store = fixture.as({ caller: agent.caller });
    const ports = { ...fixture.ports, store, signal: new AbortController().signal };
    const asked = { files: [], shown: [], language: "en" as const };
    const shown = async () => {
      const prompt = "how long do tokens of the gateway live";
      const hooks = await Promise.all([
        onPrompt({ ...asked, prompt, is_first: false }, ports, agent.caller),
        onSessionStart({ ...asked, session_id: "s-9", source: "startup", plans: [] }, ports, agent.caller),
      ]);
      const { sections } = (await agent.call("chest_context", { task: prompt })) as { sections: { items: object[] }[] };
      const resource = await readResource(`memory://memory/${id}`, store);
      return {
        hooks: hooks.map(
          (answer) => /stale(?:=|: )[\w./]+/.exec("context" in answer ? (answer.context ?? "") : "")?.[0],
        ),
        context: sections.flatMap(({ items }) => items).map((item) => ("stale" in item ? item.stale : undefined)),
        resource: (resource as { stale?: unknown }).stale,
      };
    };
    const unknown = { hooks: [undefined, undefined], context: [undefined], resource: undefined };
    expect(await shown()).toEqual(unknown);
    for (const hash of [NEW, null]) {
      await verify(agent, { found: [found(id, "src/token.ts", hash)] });
      expect(await shown()).toEqual({
        hooks: ["stale=src/token.ts", "stale: src/token.ts"],
        context: [["src/token.ts"]],
        resource: ["src/token.ts"],
      });
    }
    await verify(agent, { found: [found(id, "src/token.ts", OLD)] });
    expect(await shown()).toEqual(unknown);
  });

  it("what a check found changed is accepted where no file is read, and a file that is gone is not", async () => {
    const agent = anAgent(fixture);
    const [changed, gone] = [
      await agent.store("changed", from("changed.ts")),
      await agent.store("gone", from("gone.ts")),
    ];
    await verify(agent, { found: [found(changed, "changed.ts", NEW), found(gone, "gone.ts", null)] });
    expect((await agent.inspect({ view: "stale" })).items).toMatchObject([
      { id: gone, sources: [{ status: "missing" }] },
      { id: changed, sources: [{ status: "stale", hash: OLD, found_hash: NEW }] },
    ]);
    expect(await verify(agent, { accept_found: [changed, gone] })).toEqual({ ok: true, accepted: 1 });
    expect((await agent.inspect({ view: "stale" })).items).toMatchObject([{ id: gone }]);
    const again = await verify(agent, { found: [found(changed, "changed.ts", NEW)] });
    expect(again).toMatchObject({ counts: { ok: 1, stale: 0 } });
    // Another change after that is stale again.
    expect(await verify(agent, { found: [found(changed, "changed.ts", OLD)] })).toMatchObject({ counts: { stale: 1 } });
    const hidden = await agent.store("mine", { ...from("mine.ts"), visibility: "private" });
    expect(await anAgent(fixture).refused("chest_verify", { accept_found: [hidden] })).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("offers no file of another project's memory to be compared with this one's", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("elsewhere", from("src/a.ts"));
    const other = anAgent(fixture, { member: agent.caller.member });
    expect(await verify(other, { ids: [id] })).toMatchObject({ to_check: [], counts: { unknown: 1 } });
    expect(await verify(other, { all: true })).toMatchObject({ total: 0 });
  });

  it("a changed file is stale, one that is gone missing, and both are in the view until they are accepted", async () => {
    const agent = anAgent(fixture);
    const [fresh, changed, gone] = [
      await agent.store("fresh", from("fresh.ts")),
      await agent.store("changed", from("changed.ts")),
      await agent.store("gone", from("gone.ts")),
    ];
    const files = [found(fresh, "fresh.ts", OLD), found(changed, "changed.ts", NEW), found(gone, "gone.ts", null)];
    const { counts, results } = await verify(agent, { found: files });
    expect(counts).toEqual({ ok: 1, stale: 1, missing: 1, unknown: 0 });
    expect(results).toMatchObject([
      { status: "ok" },
      { status: "stale", line: 10, end_line: 20 },
      { status: "missing" },
    ]);
    const stale = await agent.inspect({ view: "stale" });
    expect(stale).toMatchObject({
      total: 2,
      items: [
        { id: gone, sources: [{ path: "gone.ts", status: "missing", checked_by: agent.caller.member.name }] },
        { id: changed, sources: [{ path: "changed.ts", status: "stale", hash: OLD }] },
      ],
    });
    expect((await verify(agent, { found: files.slice(1), accept: true })).accepted).toBe(1);
    expect(await sourcesOf(agent, changed)).toMatchObject([{ hash: NEW, status: "ok" }]);
    expect((await agent.inspect({ view: "stale" })).items).toMatchObject([{ id: gone }]);
  });

  it("with a threshold, the view lists what nobody has compared for so long", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("looked at", from("a.ts"));
    await agent.store("never", from("b.ts"));
    await verify(agent, { found: [found(id, "a.ts", OLD)] });
    expect(await agent.inspect({ view: "stale", threshold_hours: 1 })).toMatchObject({ total: 1 });
    fixture.clock.advance(2 * 3_600_000);
    expect(await agent.inspect({ view: "stale", threshold_hours: 1 })).toMatchObject({ total: 2 });
  });

  it("a check that finds all as it was makes a memory surer, one step a day, and no version", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("held", from("a.ts"));
    const check = (hash: string) => verify(agent, { found: [found(id, "a.ts", hash)] });
    for (let times = 0; times < 30; times++) await check(OLD);
    expect(await row(agent, id)).toMatchObject({ confidence: 0.82, version: 1 });
    fixture.clock.advance(DAY_MS);
    await check(NEW);
    expect(await row(agent, id)).toMatchObject({ confidence: 0.82 });
    await check(OLD);
    expect(await row(agent, id)).toMatchObject({ confidence: 0.84 });
    const sure = await agent.store("sure of itself", { confidence: 0.99, ...from("b.ts") });
    await verify(agent, { found: [found(sure, "b.ts", OLD)] });
    expect(await row(agent, sure)).toMatchObject({ confidence: 0.99 });
  });

  it("a source without a hash is unknown until it is accepted", async () => {
    const agent = anAgent(fixture);
    const { memory_id: id } = await agent.remember({ source: "a.ts" });
    const check = (more: object) => verify(agent, { found: [found(id, "a.ts", OLD)], ...more });
    expect((await check({})).results).toMatchObject([{ status: "unknown" }]);
    expect((await check({ accept: true })).results).toMatchObject([{ status: "ok" }]);
    expect((await check({})).results).toMatchObject([{ status: "ok" }]);
  });

  it("another member's private memory cannot be checked", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("mine", { visibility: "private", ...from("a.ts") });
    const other = anAgent(fixture, { project: agent.caller.project });
    expect(await other.refused("chest_verify", { ids: [id] })).toMatchObject({ code: "NOT_FOUND" });
    const refusal = await other.refused("chest_verify", { found: [found(id, "a.ts", NEW)] });
    expect(refusal).toMatchObject({ code: "NOT_FOUND" });
    expect(await verify(other, { all: true })).toMatchObject({ total: 0 });
    expect(await sourcesOf(agent, id)).toMatchObject([{ status: "unknown" }]);
  });

  it("a recall gives a client the hashes to compare, and lists filter by staleness", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("squirrels hoard", from("a.ts"));
    const recalled = await agent.recall({ query: "squirrels", with_sources: true });
    expect(recalled).toMatchObject({ source_hashes: [{ memory_id: id, path: "a.ts", hash: OLD }] });
    expect(await agent.recall({ query: "squirrels" })).not.toHaveProperty("source_hashes");
    await verify(agent, { found: [found(id, "a.ts", NEW)] });
    expect(await agent.find("squirrels", { stale: true })).toEqual([id]);
    expect(await agent.find("squirrels", { stale: false })).toEqual([]);
    expect(await agent.inspect({ view: "stats" })).toMatchObject({ items: [{ stale: 1 }] });
  });
}

import { TOOLS } from "@chest/core/tools";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { closeProject, engineFixture } from "../tools/engine-fixture.ts";

interface Item {
  readonly id: string;
  readonly ordinal: number | null;
  readonly title: string;
  readonly status: string;
  readonly [key: string]: unknown;
}

const DAY_MS = 86_400_000;

/** Work that was put off, and is closed when it is done. */
export function workContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const call = (agent: Agent, input: object) =>
    agent.call("chest_work", input) as Promise<{ readonly items: readonly Item[]; readonly total?: number }>;
  const add = async (agent: Agent, title: string, over: object = {}) =>
    (await call(agent, { action: "add", title, ...over })).items[0]?.id ?? "";
  const titles = async (agent: Agent) =>
    (await call(agent, {})).items.map(({ ordinal, title }) => `${ordinal} ${title}`);

  it("tool mem_defer: is put off with a priority, detail and files, without secrets, and listed by priority, then oldest", async () => {
    const agent = anAgent(fixture);
    await add(agent, "tidy the loft", { priority: 3 });
    fixture.clock.advance(1000);
    const token = ["gh", "p_", "aB3".repeat(12)].join("");
    await add(agent, "mend the roof", { detail: `with ${token}`, files: ["src/roof.ts"] });
    fixture.clock.advance(1000);
    await add(agent, "close the valve", { priority: 1 });
    await add(agent, "sweep the yard");
    expect(await titles(agent)).toEqual([
      "1 close the valve",
      "2 mend the roof",
      "3 sweep the yard",
      "4 tidy the loft",
    ]);
    const { items, total } = await call(agent, { action: "list" });
    expect(total).toBe(4);
    expect(items[1]).toMatchObject({
      detail: "with [REDACTED]",
      files: ["src/roof.ts"],
      author: agent.caller.member.name,
      project: agent.caller.project,
      priority: 2,
      status: "open",
      age_days: 0,
    });
  });

  it("tool mem_defer_list: says of what is open for a month that it is", async () => {
    const agent = anAgent(fixture);
    await add(agent, "paint the door");
    expect((await call(agent, {})).items[0]?.hint).toBeUndefined();
    fixture.clock.advance(31 * DAY_MS);
    expect((await call(agent, {})).items[0]).toMatchObject({ age_days: 31, hint: expect.stringContaining("month") });
  });

  it("tool mem_defer_drop: is dropped for a reason alone, and read afterwards with it", async () => {
    const agent = anAgent(fixture);
    const id = await add(agent, "dig the well");
    const refusal = await agent.refused("chest_work", { action: "drop", id });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("reason") });
    await call(agent, { action: "drop", id, reason: "there is a tap" });
    expect(await titles(agent)).toEqual([]);
    const [read] = (await call(agent, { action: "get", id })).items;
    expect(read).toMatchObject({ id, ordinal: null, status: "dropped", reason: "there is a tap" });
  });

  it("is listed once it has ended, the last first, and opened anew", async () => {
    const agent = anAgent(fixture);
    const [done, dropped] = [await add(agent, "wax the floor"), await add(agent, "move the piano")];
    await call(agent, { action: "close", id: done });
    fixture.clock.advance(1000);
    await call(agent, { action: "drop", id: dropped, reason: "it is too heavy" });
    const ended = async () => (await call(agent, { closed: true })).items.map(({ id, status }) => [id, status]);
    expect(await ended()).toEqual([
      [dropped, "dropped"],
      [done, "done"],
    ]);
    const [anew] = (await call(agent, { action: "reopen", id: dropped })).items;
    expect(anew).toMatchObject({ id: dropped, ordinal: 1, status: "open" });
    expect(anew?.reason).toBeUndefined();
    expect(await ended()).toEqual([[done, "done"]]);
    expect(await agent.refused("chest_work", { action: "reopen", id: dropped })).toMatchObject({
      code: "ALREADY_DONE",
    });
  });

  it("is closed by its place in the list or its id, once, with the memory that tells of it", async () => {
    const agent = anAgent(fixture);
    const [first, second] = [await add(agent, "fix the gate"), await add(agent, "oil the hinge")];
    const memory = await agent.store("the gate closes again");
    await call(agent, { action: "close", id: "1", memory_id: memory });
    expect(await titles(agent)).toEqual(["1 oil the hinge"]);
    expect((await call(agent, { action: "get", id: first })).items[0]).toMatchObject({
      status: "done",
      memory_id: memory,
    });
    const twice = await agent.refused("chest_work", { action: "close", id: first });
    expect(twice).toMatchObject({ code: "ALREADY_DONE", message: expect.stringContaining(`[memory:${memory}]`) });
    const unknown = await agent.refused("chest_work", { action: "close", id: second, memory_id: 987_654_321 });
    expect(unknown).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("memory_id") });
    expect(await titles(agent)).toEqual(["1 oil the hinge"]);
  });

  it("names the memory that tells of it to those alone who may open that", async () => {
    const agent = anAgent(fixture);
    const colleague = anAgent(fixture, { project: agent.caller.project });
    const id = await add(agent, "mend the fence");
    const memory = await agent.store("the fence, and who broke it", { visibility: "private" });
    await call(agent, { action: "close", id, memory_id: memory });
    for (const asked of [{ action: "get", id }, { closed: true }]) {
      expect((await call(agent, asked)).items).toMatchObject([{ status: "done", memory_id: memory }]);
      expect((await call(colleague, asked)).items[0]).not.toHaveProperty("memory_id");
    }
    const again = await colleague.refused("chest_work", { action: "close", id });
    expect(again).toMatchObject({ code: "ALREADY_DONE", message: expect.not.stringContaining("memory:") });
  });

  it.each([
    [{ action: "close", id: "7" }, "NOT_FOUND"],
    [{ action: "close", id: "W#987654321" }, "NOT_FOUND"],
    [{ action: "close", id: "the first" }, "INVALID_INPUT"],
    [{ action: "close" }, "VALIDATION_ERROR"],
    [{ action: "add" }, "VALIDATION_ERROR"],
    [{ action: "add", title: "x", priority: 4 }, "VALIDATION_ERROR"],
    [{ action: "paint", id: "1" }, "VALIDATION_ERROR"],
    [{ action: "list", project: "*" }, "VALIDATION_ERROR"],
  ])("refuses %j", async (input, code) => {
    expect(await anAgent(fixture).refused("chest_work", input)).toMatchObject({ code });
  });

  it("tool mem_save (+ closes_deferred): is closed in the transaction of a memory, or nothing happens at all", async () => {
    const agent = anAgent(fixture);
    const [first, second] = [await add(agent, "write the guide"), await add(agent, "print the guide")];
    const words = "the guide is written";
    for (const bad of [["1", "9"], [first, "W#987654321"], ["one"]]) {
      const refusal = await agent.refused("chest_remember", {
        entity_name: agent.entity,
        entity_kind: "project",
        layer: "implementation",
        content: words,
        closes_work: bad,
      });
      expect(refusal.message).toContain("closes_work");
      expect(await agent.find("guide")).toEqual([]);
      expect(await titles(agent)).toHaveLength(2);
    }
    const stored = await agent.remember({ content: words, layer: "implementation", closes_work: [1, first, second] });
    expect(stored).toMatchObject({ closed_work: [first, second] });
    expect(await titles(agent)).toEqual([]);
    expect((await call(agent, { action: "get", id: second })).items[0]).toMatchObject({
      status: "done",
      memory_id: stored.memory_id,
    });
  });

  it("is put off by a title alone, and shown by an id alone", async () => {
    const agent = anAgent(fixture);
    const added = await call(agent, { title: "rake the leaves" });
    expect(added).toMatchObject({ action: "add", items: [{ title: "rake the leaves", status: "open" }] });
    const id = added.items[0]?.id;
    await add(agent, "burn the leaves");
    expect(await call(agent, { id })).toMatchObject({ action: "get", items: [{ id }] });
    expect(await titles(agent)).toEqual(["1 rake the leaves", "2 burn the leaves"]);
  });

  it("is changed by the words that others have for it", async () => {
    const agent = anAgent(fixture);
    const { items } = await call(agent, { action: "create", title: "feed the geese", priority: "urgent" });
    expect(items[0]).toMatchObject({ title: "feed the geese", priority: 1 });
    expect(await call(agent, { action: "Done", id: "1" })).toMatchObject({ action: "close" });
    await add(agent, "pluck the geese");
    expect(await call(agent, { action: "cancel", id: "1", reason: "they bite" })).toMatchObject({ action: "drop" });
    await add(agent, "count the geese");
    const stored = await agent.remember({ content: "There are nine geese.", closes_deferred: ["1"] });
    expect(stored).toMatchObject({ closed_work: [expect.any(String)] });
  });

  it("says what to do next with what has ended, or is open already", async () => {
    const agent = anAgent(fixture);
    const id = await add(agent, "lock the shed");
    const open = await agent.refused("chest_work", { action: "reopen", id });
    expect(open.hint).toBe("nothing is left to do");
    await call(agent, { action: "close", id });
    const ended = await agent.refused("chest_work", { action: "close", id });
    expect(ended.hint).toBe("nothing is left to do; `action: reopen` opens it again");
    const twice = await agent.refused("chest_remember", {
      content: "the shed is locked",
      layer: "context",
      closes_work: [id],
    });
    expect(twice.hint).toBe("leave it out and call again");
  });

  it("is read in few lines: why it ended, the start of a long detail, and what there is none of", async () => {
    const agent = anAgent(fixture);
    const read = async (input: object) => {
      const tool = TOOLS.find(({ name }) => name === "chest_work");
      return tool?.text((await agent.call("chest_work", input)) as Record<string, unknown>) ?? "";
    };
    await add(agent, "polish the bell", { detail: `with a soft cloth${", twice".repeat(100)}, and no acid` });
    expect(await read({ closed: true })).toBe("no ended work");
    expect(await read({})).toMatch(/^ {2}with a soft cloth.{100,220}…$/m);
    expect(await read({ action: "get", id: 1 })).toContain("and no acid");
    expect(await read({ action: "close", id: 1, reason: "in release 4" })).toContain("  reason: in release 4");
    await add(agent, "ring the bell");
    expect(await read({ action: "drop", id: 1, reason: "it is too loud" })).toContain("  reason: it is too loud");
    expect(await read({})).toBe("no open work");
  });

  it("is shared in its project; an ordinal of another project names nothing, an id what may be opened", async () => {
    const agent = anAgent(fixture);
    const id = await add(agent, "share the key");
    const project = agent.caller.project ?? "";
    const colleague = anAgent(fixture, { project });
    const elsewhere = anAgent(fixture);
    expect((await call(colleague, {})).items[0]).toMatchObject({ id, author: agent.caller.member.name });
    expect(await titles(elsewhere)).toEqual([]);
    expect(await elsewhere.refused("chest_work", { action: "get", id: "1" })).toMatchObject({ code: "NOT_FOUND" });
    expect((await call(elsewhere, { action: "get", id })).items[0]).toMatchObject({ id, ordinal: null });
    expect((await call(elsewhere, { action: "list", project })).items[0]).toMatchObject({ id });

    await closeProject(fixture, project);
    for (const input of [
      { action: "get", id },
      { action: "close", id },
      { action: "close", id, project },
    ]) {
      expect(await elsewhere.refused("chest_work", input)).toMatchObject({ code: "NOT_FOUND" });
    }
    expect((await call(elsewhere, { action: "list", project })).items).toEqual([]);
  });

  it("is changed by its id and not shown, for a caller that may only write", async () => {
    const agent = anAgent(fixture);
    const secret = { detail: "they lie in the blue safe", files: ["src/vault.ts"] };
    const id = await add(agent, "rotate the vault keys", secret);
    const other = await add(agent, "paint the vault", secret);
    const memory = await agent.store("The vault keys moved to Bern.");
    const writer = anAgent(fixture, { project: agent.caller.project, scopes: new Set(["write"]) });
    const tool = TOOLS.find(({ name }) => name === "chest_work");
    const change = async (input: object) => {
      const answer = await call(writer, { id, ...input });
      expect(answer.items).toMatchObject([{ id }]);
      return `${JSON.stringify(answer)} ${tool?.text({ ...answer })}`;
    };
    const refused = async (name: string, input: object) => {
      const { message, hint, details } = await writer.refused(name, input);
      return JSON.stringify({ message, hint, details });
    };
    const fact = {
      content: "A wall was painted.",
      layer: "context",
      entity_name: writer.entity,
      entity_kind: "project",
    };
    const told = [
      await change({ action: "close", memory_id: memory }),
      await refused("chest_work", { action: "close", id }),
      await refused("chest_remember", { ...fact, closes_work: [id] }),
      await change({ action: "reopen" }),
      await refused("chest_work", { action: "reopen", id }),
      await change({ action: "drop", reason: "the blue safe is gone" }),
      await refused("chest_work", { action: "drop", id, reason: "gone" }),
      await refused("chest_work", { action: "close", id: "2" }),
      JSON.stringify(await writer.remember({ ...fact, closes_work: [other] })),
    ];
    expect(told.join("\n")).not.toMatch(/vault|blue|Bern/);
    expect(told.join("\n")).not.toContain(agent.caller.member.name);
    expect((await call(agent, { action: "get", id: other })).items[0]).toMatchObject({ status: "done", ...secret });
  });

  it("is closed once by two at once, and nothing is stored of the second", async () => {
    const agent = anAgent(fixture);
    const id = await add(agent, "shut the sluice");
    const fact = { layer: "implementation", closes_work: [id] };
    const asked = ["The sluice is shut by hand.", "The sluice was shut at noon.", "The sluice shuts now."];
    const ended = await Promise.allSettled(asked.map((content) => agent.remember({ ...fact, content })));
    const refusals = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refusals).toMatchObject([{ code: "ALREADY_DONE" }, { code: "ALREADY_DONE" }]);
    const stored = await agent.find("sluice");
    expect(stored).toHaveLength(1);
    expect((await call(agent, { id })).items[0]).toMatchObject({ status: "done", memory_id: stored[0] });
  });

  it("added twice under one key is added once, and its answer is the first", async () => {
    const agent = anAgent(fixture);
    const over = { idempotencyKey: `key-of-${agent.entity}` };
    const input = { action: "add", title: "carry the water" };
    const first = await agent.call("chest_work", input, over);
    expect(await agent.call("chest_work", input, over)).toEqual(first);
    expect(await titles(agent)).toEqual(["1 carry the water"]);
  });
}

import { listConversations, listTriggers } from "@chest/core/conversation";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "../tools/engine-fixture.ts";

interface Turn {
  readonly id: number;
  readonly content: string;
  readonly conversation_id: string;
}
interface Captured {
  readonly memory_id: number;
  readonly action: string;
  readonly keywords: readonly string[];
}
interface Recalled {
  readonly warnings?: readonly { readonly reason: string; readonly message: string }[];
  readonly top: readonly Turn[];
  readonly next: readonly Turn[];
  readonly flashback: readonly Turn[];
  readonly triggered: readonly { readonly id: number }[];
  readonly seed: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Conversations: what is kept of them, and what comes back. */
export function conversationContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const said = (user: string, assistant?: string) => [
    { role: "user", content: user },
    ...(assistant === undefined ? [] : [{ role: "assistant", content: assistant }]),
  ];
  const capture = (agent: Agent, messages: object[], over: object = {}) =>
    agent.call("chest_conversation", {
      action: "capture",
      conversation_id: "c-1",
      messages,
      ...over,
    }) as Promise<Captured>;
  const recall = (agent: Agent, text: string, over: object = {}) =>
    agent.call("chest_conversation", {
      action: "recall",
      conversation_id: "c-1",
      messages: said(text),
      flashback: 0,
      ...over,
    }) as Promise<Recalled>;
  const ids = (turns: readonly Turn[]) => turns.map(({ id }) => id);
  /** Captures a turn said so long ago. */
  const ago = (agent: Agent, ms: number, text: string, over: object = {}) => {
    const timestamp = new Date(fixture.clock.now().getTime() - ms).toISOString();
    return capture(agent, [{ role: "user", content: text, timestamp }], over);
  };

  it("tool add_short_term_memory: keeps messages with their keywords, the user's words before the assistant's", async () => {
    const agent = anAgent(fixture);
    const { memory_id, action, keywords } = await capture(agent, said("kestrel", "robin"));
    expect(action).toBe("created");
    expect(keywords).toEqual(["kestrel", "robin"]);
    const weighed = await capture(agent, said("kestrel nest", "robin nest"), {
      role_weights: { user: 1, assistant: 3 },
      participants: { user: "Ann" },
    });
    expect(weighed.keywords.indexOf("robin")).toBeLessThan(weighed.keywords.indexOf("kestrel"));
    const { memories } = await agent.recall({ ids: [memory_id, weighed.memory_id], format: "raw" });
    expect(memories).toMatchObject([
      { content: "user: kestrel\nassistant: robin", layer: "context", visibility: "private" },
      { content: "Ann: kestrel nest\nassistant: robin nest" },
    ]);
  });

  it("keeps a conversation that moves in with its times: by the last message that has one, the same words again", async () => {
    const agent = anAgent(fixture);
    const over = { conversation_id: "moved" };
    const dayAgo = (days: number) => new Date(fixture.clock.now().getTime() - days * 86_400_000).toISOString();
    const moved = (days: number) =>
      capture(
        agent,
        [
          { role: "user", content: "any wheatear today?", timestamp: dayAgo(days) },
          { role: "assistant", content: "none so far" },
        ],
        over,
      );
    const turns = [await moved(40), await moved(20), await moved(3)];
    expect(turns.map(({ action }) => action)).toEqual(["created", "created", "created"]);
    expect((await moved(20)).action).toBe("duplicate");
    const found = await recall(agent, "quite another thing", { ...over, flashback: 3 });
    expect(ids(found.flashback ?? []).toSorted()).toEqual(turns.map(({ memory_id }) => memory_id).toSorted());
    expect(
      (found.flashback ?? []).map((turn) => (turn as Turn & { readonly created_at: number }).created_at).toSorted(),
    ).toEqual([40, 20, 3].map((days) => Math.floor(Date.parse(dayAgo(days)) / 1000)));
  });

  it("keeps the same messages of a conversation once, and no secret of them", async () => {
    const agent = anAgent(fixture);
    const token = ["gh", "p_", "aB3".repeat(12)].join("");
    const first = await capture(agent, said(`the token is ${token}`));
    const again = await capture(agent, said(`the token is ${token}`));
    expect(again).toMatchObject({ action: "duplicate", memory_id: first.memory_id });
    expect(await capture(agent, said(`the token is ${token}`), { conversation_id: "c-2" })).toMatchObject({
      action: "created",
    });
    const [memory] = (await agent.recall({ ids: [first.memory_id] })).memories;
    expect(memory?.content).toBe("user: the token is [REDACTED]");
    expect(first.keywords.join(" ")).not.toContain("ghp");
  });

  it.each([
    ["Chinese", "数据崩溃了", "崩溃"],
    ["Japanese", "卵アレルギーがあります", "アレルギー"],
    ["Korean", "무릎이 아파요", "무릎"],
  ])("has keywords of %s", async (_, text, word) => {
    expect((await capture(anAgent(fixture), said(text))).keywords).toContain(word);
  });

  it.each([
    [
      "English",
      "The oven has been broken since Monday, and the recipes are lost.",
      ["oven", "broken", "monday", "recipes", "lost"],
    ],
    ["Chinese", "我儿子對雞蛋過敏", ["儿子", "雞蛋", "過敏"]],
    ["Japanese", "息子の誕生日を覚える", ["息子", "誕生"]],
    ["Korean", "계란 알레르기가 있어요", ["계란", "알레르기"]],
  ])("tells what a conversation is about in words as they were said: %s", async (_, text, words) => {
    const { keywords } = await capture(anAgent(fixture), said(text));
    for (const word of keywords) expect(text.toLowerCase()).toContain(word);
    expect(keywords).toEqual(expect.arrayContaining(words));
    expect(keywords.filter((one) => keywords.some((other) => other !== one && other.includes(one)))).toEqual([]);
  });

  it("tool search_short_term_memories: brings two moments back, a third as the next, and others by chance and seed", async () => {
    const agent = anAgent(fixture);
    for (const [at, text] of ["a kestrel nested", "the kestrel left", "a kestrel again", "kestrel food"].entries())
      await ago(agent, (at + 1) * DAY_MS, text);
    for (let at = 10; at < 16; at++) await ago(agent, at * DAY_MS, `we talked of subject ${at}`);
    const found = await recall(agent, "kestrel", { flashback: 2, seed: 7 });
    expect([found.top.length, found.next.length, found.flashback.length]).toEqual([2, 1, 2]);
    for (const { content } of [...found.top, ...found.next]) expect(content).toContain("kestrel");
    expect(new Set(ids([...found.top, ...found.next, ...found.flashback])).size).toBe(5);
    expect(found.seed).toBe(7);
    const drawn = async (seed: number) => ids((await recall(agent, "kestrel", { flashback: 2, seed })).flashback);
    expect(await drawn(11)).toEqual(await drawn(11));
    expect(new Set((await Promise.all([1, 2, 3, 4, 5, 6].map(drawn))).map(String)).size).toBeGreaterThan(1);
    expect((await recall(agent, "kestrel")).flashback).toEqual([]);
  });

  it("leaves out what was said in the last 20 minutes of the same conversation, and what lies within ten of another", async () => {
    const agent = anAgent(fixture);
    const old = await ago(agent, 3 * 60 * MINUTE_MS, "the kestrel has an egg");
    await ago(agent, 3 * 60 * MINUTE_MS - 9 * MINUTE_MS, "kestrel and eggs and");
    await ago(agent, 19 * MINUTE_MS, "the kestrel has an egg now");
    const elsewhere = await ago(agent, 5 * MINUTE_MS, "a kestrel with an egg", { conversation_id: "c-2" });
    const found = await recall(agent, "kestrel egg");
    expect([...found.top, ...found.next]).toHaveLength(1);
    expect(found.warnings).toBeUndefined();
    const { top, warnings } = await recall(agent, "kestrel egg", { conversation_id: "c-2" });
    expect(top).toEqual([]);
    expect(warnings).toMatchObject([
      { reason: "recent_turns_left_out", message: expect.stringContaining("20 minutes") },
    ]);
    expect(ids((await recall(agent, "kestrel egg", { conversation_id: "c-3" })).top)).toEqual([]);
    fixture.clock.advance(21 * MINUTE_MS);
    const all = await recall(agent, "kestrel egg", { conversation_id: "*" });
    expect(ids([...all.top, ...all.next])).toContain(elsewhere.memory_id);
    expect(ids([...all.top, ...all.next])).toHaveLength(3);
    expect(old.action).toBe("created");
  });

  it("says that it left out what fits, where that is all there is", async () => {
    const agent = anAgent(fixture);
    const leftOut = [{ reason: "recent_turns_left_out", message: expect.stringContaining("the last 20 minutes") }];
    await ago(agent, MINUTE_MS, "the kestrel has an egg");
    for (const conversation_id of ["c-1", "*"])
      expect(await recall(agent, "kestrel egg", { conversation_id })).toMatchObject({ top: [], warnings: leftOut });
    expect(await recall(agent, "tax forms")).not.toHaveProperty("warnings");
    expect(await recall(agent, "kestrel egg", { conversation_id: "c-2" })).not.toHaveProperty("warnings");
    await ago(agent, DAY_MS, "a kestrel egg");
    expect(await recall(agent, "kestrel egg")).not.toHaveProperty("warnings");
  });

  it("gives what it brings back five points, the next two, and a hundred at the most", async () => {
    const agent = anAgent(fixture);
    const captured = [];
    for (const [at, text] of ["a kestrel", "two kestrels", "a kestrel egg"].entries())
      captured.push((await ago(agent, (at + 1) * DAY_MS, text)).memory_id);
    const scores = async () => {
      // A sweep writes out what was noted.
      await fixture.engine.lifecycle.sweeps.conversations({ maxAgeDays: 3650, keep: 512 });
      const query = { conversationId: "c-1", projectKey: agent.caller.project, limit: 10 };
      const turns = await fixture.as({ caller: agent.caller }).conversations.turns(query);
      return new Map(turns.map(({ id, score }) => [id, score]));
    };
    const { top, next } = await recall(agent, "kestrel");
    const after = await scores();
    for (const { id } of top) expect(after.get(id)).toBe(5);
    for (const { id } of next) expect(after.get(id)).toBe(2);
    for (let times = 0; times < 25; times++) await recall(agent, "kestrel");
    expect(Math.max(...(await scores()).values())).toBe(100);
  });

  it("Conversation isolation: shows nothing of another conversation, and with `*` only of the same project", async () => {
    const agent = anAgent(fixture);
    const own = await ago(agent, DAY_MS, "the kestrel");
    const other = await ago(agent, 2 * DAY_MS, "the kestrel", { conversation_id: "c-2" });
    const elsewhere = anAgent(fixture, { member: agent.caller.member, project: `${agent.caller.project}-b` });
    await ago(elsewhere, 3 * DAY_MS, "the kestrel", { visibility: "team" });
    const nowhere = anAgent(fixture, { member: agent.caller.member, project: undefined });
    await ago(nowhere, 3 * DAY_MS, "the kestrel");
    expect(ids((await recall(agent, "kestrel")).top)).toEqual([own.memory_id]);
    const all = await recall(agent, "kestrel", { conversation_id: "*", flashback: 10 });
    expect(ids([...all.top, ...all.next, ...all.flashback]).toSorted()).toEqual(
      [own.memory_id, other.memory_id].toSorted(),
    );
    expect((await recall(nowhere, "kestrel", { conversation_id: "*" })).top).toHaveLength(1);
  });

  it("keeps a conversation to the member who had it, unless it was captured for others", async () => {
    const agent = anAgent(fixture);
    const colleague = anAgent(fixture, { project: agent.caller.project });
    await ago(agent, DAY_MS, "my kestrel");
    const shared = await ago(agent, 2 * DAY_MS, "our kestrel", { visibility: "project" });
    expect(ids((await recall(colleague, "kestrel", { flashback: 5 })).top)).toEqual([shared.memory_id]);
    const known = (await capture(colleague, said("kestrel"))).keywords;
    expect(known).toEqual(["kestrel"]);
  });

  it("tool cleanup_memories: puts old and unwanted turns out of sight, and keeps the best of each place", async () => {
    const agent = anAgent(fixture);
    const old = [];
    for (let at = 0; at < 6; at++) old.push((await ago(agent, (400 + at) * DAY_MS, `old ${at}`)).memory_id);
    const recent = await ago(agent, DAY_MS, "recent");
    const fallen = await ago(agent, 30 * DAY_MS, "a month ago");
    const plan = await fixture.engine.lifecycle.sweeps.conversations({ maxAgeDays: 365, keep: 4 });
    await plan.apply({ signal: new AbortController().signal });
    const query = { conversationId: "c-1", projectKey: agent.caller.project, limit: 20 };
    const left = await fixture.as({ caller: agent.caller }).conversations.turns(query);
    expect(left.map(({ id }) => id).toSorted()).toEqual(
      [recent.memory_id, fallen.memory_id, ...old.slice(4)].toSorted(),
    );
  });

  it("is left alone by the passes that are for other memories", async () => {
    const agent = anAgent(fixture);
    const { memory_id } = await ago(agent, 300 * DAY_MS, "a turn of last year");
    const { sweeps } = fixture.engine.lifecycle;
    const plans = [
      await sweeps.expiry({ cap: 10_000 }),
      await sweeps.forgetting({ cap: 10_000 }),
      await sweeps.consolidation({
        minAgeDays: 0,
        maxChars: 8000,
        cap: 10_000,
        onlyCaptured: false,
        areVectorsComing: false,
      }),
    ];
    for (const { archives } of plans) expect(archives).not.toContain(memory_id);
  });

  it("is found by chest_recall as any memory, and comes unasked nowhere", async () => {
    const agent = anAgent(fixture);
    const { memory_id } = await capture(agent, said("the merlin of the tower"));
    expect(await agent.find("merlin tower")).toEqual([memory_id]);
    const filter = { reach: "here", withoutRules: ["turn"], withArchived: false, withSuperseded: false } as const;
    expect(await fixture.as({ caller: agent.caller }).memories.newest(filter, 10)).toEqual([]);
  });

  it("tool delete_short_term_memories: archives the turns of one conversation that hold a text, after a preview", async () => {
    const agent = anAgent(fixture);
    const marked = [];
    for (const at of [1, 2, 3, 4]) marked.push((await ago(agent, at * DAY_MS, `foo.* and ${at}`)).memory_id);
    await ago(agent, 5 * DAY_MS, "food, and nothing else");
    await ago(agent, 6 * DAY_MS, "foo.* elsewhere", { conversation_id: "c-2" });
    const asked = { conversation_id: "c-1", text: "foo.*" };
    const forget = (over: object) =>
      agent.call("chest_forget", { ...asked, ...over }) as Promise<{
        ids: number[];
        dry_run: boolean;
        preview?: string;
      }>;
    for (const over of [{}, { dry_run: true }, { dry_run: true, confirm: true }]) {
      const preview = await forget(over);
      expect([preview.dry_run, preview.ids.toSorted()]).toEqual([true, marked]);
      expect(preview.preview).toContain("foo.* and 1");
    }
    expect((await forget({ confirm: true })).ids.toSorted()).toEqual(marked);
    expect(await forget({})).toMatchObject({ ids: [], matched: 0 });
    expect((await agent.recall({ ids: marked, include_archived: true })).count).toBe(4);
    const colleague = anAgent(fixture, { project: agent.caller.project });
    expect(await colleague.call("chest_forget", { ...asked, text: "food" })).toMatchObject({ matched: 0 });
    for (const [input, path] of [
      [{ text: "x" }, "conversation_id"],
      [{ ...asked, text: " " }, "text"],
      [{ ...asked, memory_id: 1 }, "memory_id"],
    ] as const)
      expect((await agent.refused("chest_forget", input)).message).toContain(path);
  });

  it("puts a whole conversation away where no text is named, after a preview", async () => {
    const agent = anAgent(fixture);
    const own = [];
    for (const at of [1, 2, 3]) own.push((await ago(agent, at * DAY_MS, `turn ${at}`)).memory_id);
    const other = (await ago(agent, DAY_MS, "another", { conversation_id: "c-2" })).memory_id;
    expect(await agent.call("chest_forget", { conversation_id: "c-1" })).toMatchObject({ dry_run: true, matched: 3 });
    expect(ids((await recall(agent, "turn")).top)).toHaveLength(2);
    const done = (await agent.call("chest_forget", { conversation_id: "c-1", confirm: true })) as { ids: number[] };
    expect(done.ids.toSorted()).toEqual(own.toSorted());
    expect((await recall(agent, "turn")).top).toEqual([]);
    expect(ids((await recall(agent, "another", { conversation_id: "c-2" })).top)).toEqual([other]);
  });

  it("tool get_frequent_conversation: lists conversations by their turns, and conditions by importance", async () => {
    const agent = anAgent(fixture);
    for (const at of [1, 2, 3]) await ago(agent, at * DAY_MS, `turn ${at}`, { conversation_id: "busy" });
    await ago(agent, DAY_MS, "a turn", { conversation_id: "quiet" });
    const store = fixture.as({ caller: agent.caller });
    const all = { projectKey: agent.caller.project, limit: 1 };
    expect(await listConversations(store, { ...all, offset: 0 })).toMatchObject({
      total: 2,
      items: [{ conversation_id: "busy", turns: 3 }],
    });
    expect((await listConversations(store, { ...all, offset: 1 })).items).toMatchObject([{ conversation_id: "quiet" }]);
    const id = await agent.store("a rule", { trigger: { any: ["rule"] }, visibility: "private", name: "the-rule" });
    expect(await listTriggers(store, { reach: "here", limit: 10, offset: 0 })).toEqual({
      total: 1,
      items: [{ id, name: "the-rule", content: "a rule", importance: 0.5, trigger: { any: ["rule"] } }],
    });
  });

  it.each([
    ["an id with a blank", { conversation_id: "a b" }, "conversation_id"],
    ["an id of 65 characters", { conversation_id: "x".repeat(65) }, "conversation_id"],
    ["all conversations to capture", { conversation_id: "*" }, "conversation_id"],
    ["no message", { messages: [] }, "messages"],
    ["a blank message", { messages: said(" \n") }, "messages.0.content"],
    ["an unknown role", { messages: [{ role: "robot", content: "x" }] }, "messages.0.role"],
    ["too long a text", { messages: said("x ".repeat(4001)) }, "messages"],
    ["a time that is none", { messages: [{ role: "user", content: "x", timestamp: "soon" }] }, "messages.0.timestamp"],
    [
      "a time in milliseconds",
      { messages: [{ role: "user", content: "x", timestamp: 1_800_000_000_000 }] },
      "messages",
    ],
    ["a weight that is negative", { role_weights: { user: -1 } }, "role_weights.user"],
    ["a weight of nobody", { role_weights: { robot: 1 } }, "role_weights.robot"],
    ["more flashbacks than there may be", { action: "recall", flashback: 11 }, "flashback"],
  ])("refuses %s by its field, and keeps nothing", async (_, over, path) => {
    const agent = anAgent(fixture);
    const input = { action: "capture", conversation_id: "c-1", messages: said("x"), ...over };
    const refused = await agent.refused("chest_conversation", input);
    expect(refused.message).toContain(path);
    expect((await agent.recall({ query: "x" })).count).toBe(0);
  });

  it("gives a repeat under the same key its first answer", async () => {
    const agent = anAgent(fixture);
    const input = { action: "capture", conversation_id: "c-1", messages: said("once") };
    const once = { idempotencyKey: "0192-conversation" };
    const first = await agent.call("chest_conversation", input, once);
    expect(await agent.call("chest_conversation", input, once)).toMatchObject({
      action: "created",
      memory_id: (first as Captured).memory_id,
    });
  });
}

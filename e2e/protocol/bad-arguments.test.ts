import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { census } from "../support/census.ts";
import { ask, type Door } from "../support/clients/doors.ts";
import { type Deployment, startDeployment } from "../support/deployment/deployment.ts";
import { hasNginx } from "../support/deployment/nginx.ts";
import { report } from "../support/report.ts";
import { Stopwatch } from "../support/stopwatch.ts";

const A_FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content: "builds take four minutes",
};
const remember = (change: object) => ["chest_remember", { ...A_FACT, ...change }] as const;
const recall = (input: object) => ["chest_recall", input] as const;
const update = (input: object) => ["chest_update_memory", { memory_id: 1, ...input }] as const;
const without = (key: keyof typeof A_FACT) => ["chest_remember", { ...A_FACT, [key]: undefined }] as const;

/** Bad arguments, with a word that the error's message or details must contain. */
const REFUSED: Record<string, readonly [call: readonly [tool: string, input: object], code: string, names: string]> = {
  "no entity": [without("entity_name"), "VALIDATION_ERROR", "entity_name"],
  "no kind": [without("entity_kind"), "VALIDATION_ERROR", "entity_kind"],
  "no content": [without("content"), "VALIDATION_ERROR", "content"],
  "a mistyped argument": [remember({ projct: "tide" }), "VALIDATION_ERROR", "projct"],
  "an argument `constructor`": [remember({ constructor: { name: "x" } }), "VALIDATION_ERROR", "constructor"],
  "an unknown kind": [remember({ entity_kind: "planet" }), "VALIDATION_ERROR", "entity_kind"],
  "an unknown layer": [remember({ layer: "gossip" }), "INVALID_INPUT", "gossip"],
  "an unknown layer to look in": [recall({ query: "x", layer: "gossip" }), "INVALID_INPUT", "gossip"],
  "an unknown layer to move to": [update({ layer: "gossip" }), "INVALID_INPUT", "gossip"],
  "a number for content": [remember({ content: 12 }), "VALIDATION_ERROR", "content"],
  "an object for content": [remember({ content: { text: "x" } }), "VALIDATION_ERROR", "content"],
  "null for a name": [remember({ entity_name: null }), "VALIDATION_ERROR", "entity_name"],
  "text for a flag": [remember({ force: "perhaps" }), "VALIDATION_ERROR", "force"],
  "text for a number": [remember({ importance: "rather much" }), "VALIDATION_ERROR", "importance"],
  "importance above 1": [remember({ importance: 1.001 }), "VALIDATION_ERROR", "importance"],
  "importance below 0": [remember({ importance: -0.001 }), "VALIDATION_ERROR", "importance"],
  "an expiry of 0": [remember({ expires_at: 0 }), "VALIDATION_ERROR", "expires_at"],
  "an expiry beyond all integers": [remember({ expires_at: 2 ** 53 }), "VALIDATION_ERROR", "expires_at"],
  "half a second": [remember({ expires_at: 1_900_000_000.5 }), "VALIDATION_ERROR", "expires_at"],
  "a blank name": [remember({ entity_name: "  " }), "VALIDATION_ERROR", "entity_name"],
  "a name of 501 letters": [remember({ entity_name: "n".repeat(501) }), "VALIDATION_ERROR", "entity_name"],
  "no text in content": [remember({ content: "" }), "VALIDATION_ERROR", "content"],
  "blank content": [remember({ content: " \n\t " }), "VALIDATION_ERROR", "content"],
  "a letter too many": [remember({ content: "c".repeat(8001) }), "VALIDATION_ERROR", "8001"],
  "a word of 100,000 letters": [remember({ content: "w".repeat(100_000) }), "VALIDATION_ERROR", "100000"],
  "1,001 ids to replace": [remember({ supersedes: Array(1001).fill(1) }), "VALIDATION_ERROR", "supersedes"],
  "names to replace": [remember({ supersedes: ["the first"] }), "VALIDATION_ERROR", "supersedes"],
  "pasted output": [
    remember({ content: "● Bash(pnpm test)\n⎿ 14 passed, 2 failed in 3.2 s\n" }),
    "REJECTED",
    "content",
  ],
  "nothing to recall by": [recall({}), "INVALID_INPUT", "query"],
  "an empty query": [recall({ query: "" }), "INVALID_INPUT", "query"],
  "an unknown band": [recall({ query: "x", band: "boiling" }), "VALIDATION_ERROR", "band"],
  "a limit of 0": [recall({ query: "x", limit: 0 }), "VALIDATION_ERROR", "limit"],
  "a limit of 201": [recall({ query: "x", limit: 201 }), "VALIDATION_ERROR", "limit"],
  "a limit in words": [recall({ query: "x", limit: "five" }), "VALIDATION_ERROR", "limit"],
  "an offset below 0": [recall({ query: "x", offset: -1 }), "VALIDATION_ERROR", "offset"],
  "no tokens at all": [recall({ query: "x", max_tokens: 0 }), "VALIDATION_ERROR", "max_tokens"],
  "a window too narrow": [recall({ query: "x", snippet_window: 39 }), "VALIDATION_ERROR", "snippet_window"],
  "no ids": [recall({ ids: [] }), "INVALID_INPUT", "ids"],
  "names for ids": [recall({ ids: "1, the second" }), "VALIDATION_ERROR", "ids"],
  "an id of 0": [recall({ ids: [0] }), "VALIDATION_ERROR", "ids"],
  "half an id": [recall({ ids: [1.5] }), "VALIDATION_ERROR", "ids"],
  "an id beyond all integers": [recall({ ids: [2 ** 53] }), "VALIDATION_ERROR", "ids"],
  "201 ids": [recall({ ids: Array.from({ length: 201 }, (_, at) => at + 1) }), "VALIDATION_ERROR", "ids"],
  "a name to change": [update({ memory_id: "the first", importance: 0.1 }), "VALIDATION_ERROR", "memory_id"],
  "nothing to change": [update({}), "INVALID_INPUT", "content"],
  "a change of nobody": [update({ memory_id: 999_999, importance: 0.1 }), "NOT_FOUND", "999999"],
  "a change to nothing": [update({ content: "  " }), "VALIDATION_ERROR", "content"],
  "a change too long": [update({ content: "c".repeat(8001) }), "VALIDATION_ERROR", "8001"],
  "a name to forget": [["chest_forget", { memory_id: "the first" }], "VALIDATION_ERROR", "memory_id"],
  "an empty choice to forget": [["chest_forget", { query: "" }], "VALIDATION_ERROR", "query"],
  "nobody to forget": [["chest_forget", { memory_id: 999_999 }], "NOT_FOUND", "999999"],
  "an unknown kind to list": [["chest_list_entities", { kind: "planet" }], "VALIDATION_ERROR", "kind"],
  "a page of 201": [["chest_list_entities", { limit: 201 }], "VALIDATION_ERROR", "limit"],
};

describe.skipIf(!hasNginx)("invalid arguments of a tool", () => {
  let deployment: Deployment;
  let doors: Record<string, Door>;
  const watch = new Stopwatch();

  beforeAll(async () => {
    deployment = await startDeployment({ CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0" });
    doors = await deployment.openDoors();
    await ask(doors.REST as Door, "chest_remember", A_FACT);
  });
  afterAll(() => deployment.stop());

  describe.each(["REST", "/mcp", "stdio"])("over %s", (way) => {
    it.each(Object.keys(REFUSED))("are refused by name, with a way out, and change nothing: %s", async (what) => {
      const [[tool, input], code, name] = REFUSED[what] ?? [["", {}], "", ""];
      const door = doors[way] as Door;
      const before = await census(door);
      const told = await watch.time(`${what} over ${way}`, () => door.call(tool, input));
      expect(told.error).toMatchObject({
        code,
        message: expect.stringMatching(/\w/),
        hint: expect.stringMatching(/\w/),
      });
      expect(JSON.stringify(told.error)).toContain(name);
      if (told.status !== undefined) expect(told.status).toBeLessThan(500);
      expect(await census(door)).toEqual(before);
    });

    it("name the six layers where one is unknown", async () => {
      const { error } = await (doors[way] as Door).call("chest_remember", { ...A_FACT, layer: "gossip" });
      expect(JSON.stringify(error)).toMatch(/goal.*context.*emotion.*implementation.*realize.*learning/);
    });
  });

  it("list the existing tools by REST, and by MCP in its own way", async () => {
    const told = await Promise.all(["REST", "/mcp", "stdio"].map((way) => doors[way]?.call("chest_fly", {})));
    expect(told[0]).toMatchObject({ status: 404, error: { code: "UNKNOWN_TOOL" } });
    expect(JSON.stringify(told[0]?.error?.details)).toContain("chest_remember");
    expect(told.slice(1)).toMatchObject([{ error: { code: -32602 } }, { error: { code: -32602 } }]);
  });

  it("are answered quickly", () => {
    report("bad arguments", watch.summary);
    expect(watch.slowestMs).toBeLessThan(1000);
  });
});

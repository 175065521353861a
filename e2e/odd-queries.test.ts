import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Deployment, startDeployment } from "./support/deployment.ts";
import { ask, type Door } from "./support/doors.ts";
import { hasNginx } from "./support/nginx.ts";
import { report } from "./support/report.ts";
import { Stopwatch } from "./support/stopwatch.ts";

const FACT = "the harbour crane is inspected every spring, and 50% of the bolts are replaced";
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

/** Everything that means something to an engine of full-text search or to SQL, and what only looks odd. */
const ODD = [
  ...[
    '"',
    '""',
    '"""',
    '"harbour',
    'harbour"',
    "'",
    "''",
    "`",
    "(",
    ")",
    "()",
    "((((((((((",
    "*",
    "**",
    "^",
    "-",
    "--",
  ],
  ...[
    "+",
    ":",
    "::",
    ",",
    ";",
    ".",
    "?",
    "!",
    "/",
    "\\",
    "|",
    "&",
    "~",
    "@",
    "#",
    "$",
    "=",
    "<",
    ">",
    "{",
    "}",
    "[",
    "]",
  ],
  ...["AND", "OR", "NOT", "NEAR", "AND AND", "OR OR", "NOT NOT", "AND OR NOT NEAR", "harbour AND", "OR crane"],
  ...[
    "NOT harbour",
    "NEAR(",
    "NEAR()",
    "NEAR(harbour crane, 2)",
    "NEAR(harbour",
    "harb*",
    "^harbour",
    "harbour + crane",
  ],
  ...["words : harbour", "words:harbour", "{words grams} : harbour", "- words : harbour", "scope:team", "scope : team"],
  ...["title:x OR tags:y", "rank MATCH 'bm25'", "'; DROP TABLE memories; --", '" OR 1=1 --', "/* x */", "\\u0000"],
  ...[
    "%",
    "_",
    "%%",
    "50%",
    "h_rbour",
    "%harbour%",
    "\0",
    "har\0bour",
    "\ud800",
    "\udc00\ud800",
    "\ufffd",
    "\u200b",
    "\u202e",
  ],
  ...[
    "\n",
    "\r\n\t",
    " ",
    "é",
    "e\u0301",
    "👩‍👩‍👧",
    "漢",
    "ー",
    "ﷺ",
    "İ",
    "ß",
    "ǆ",
    "𝕙𝕒𝕣𝕓𝕠𝕦𝕣",
    "null",
    "undefined",
    "NaN",
    "true",
    "0",
    "-1",
    "1e999",
  ],
];
const LONG: Record<string, string> = {
  "10,000 words": words(10_000),
  "10,000 times one word": "harbour ".repeat(10_000),
  "10,000 operators": "AND OR NOT NEAR( ".repeat(2500),
  "a word of 100,000 letters": "w".repeat(100_000),
  "a Chinese text of 50,000 letters": "港口起重机每年春天检查".repeat(5000),
  "100,000 quotes": '"'.repeat(100_000),
  "100,000 brackets": "(".repeat(100_000),
  "100,000 combining accents": `e${"\u0301".repeat(100_000)}`,
};

describe.skipIf(!hasNginx)("a query is text, never syntax", () => {
  let deployment: Deployment;
  let doors: Record<string, Door>;
  let id: unknown;
  const watch = new Stopwatch();

  beforeAll(async () => {
    deployment = await startDeployment({ CHEST_RATE_LIMIT: "0" });
    doors = await deployment.openDoors();
    const fact = {
      entity_name: "harbour",
      entity_kind: "project",
      layer: "realize",
      content: FACT,
      visibility: "team",
    };
    id = (await ask(doors.REST as Door, "chest_remember", fact)).memory_id;
    await ask(doors.REST as Door, "chest_remember", {
      ...fact,
      entity_name: "orchard",
      content: "apples ripen in autumn",
    });
  });
  afterAll(() => deployment.stop());

  const foundBy = async (way: string, input: Record<string, unknown>) => {
    const answer = await watch.time(`${JSON.stringify(input).slice(0, 60)} over ${way}`, () =>
      ask(doors[way] as Door, "chest_recall", input),
    );
    return { answer, ids: (answer.memories as { id: number }[]).map((memory) => memory.id) };
  };

  describe.each(["REST", "/mcp", "stdio"])("over %s", (way) => {
    it.each(ODD.map((query) => [JSON.stringify(query), query]))("takes %s", async (_, query) => {
      await foundBy(way, { query });
      await foundBy(way, { query: `${query} crane inspected`, entity_name: query.trim() === "" ? "harbour" : query });
      const { ids } = await foundBy(way, { query: `${query} crane inspected` });
      expect(ids[0]).toBe(id);
    });

    it.each(Object.keys(LONG))("takes %s, and says that it was cut", async (name) => {
      const { answer } = await foundBy(way, { query: LONG[name] });
      expect(answer.warnings).toMatchObject([{ reason: "query_cut", message: expect.stringMatching(/\w/) }]);
    });
  });

  it("takes wildcards literally", async () => {
    expect((await foundBy("REST", { query: "%" })).ids).toEqual([]);
    expect((await foundBy("REST", { query: "50%" })).ids).toEqual([id]);
    expect((await foundBy("REST", { query: "scope:team" })).ids).toEqual([]);
    expect((await foundBy("REST", { entity_name: "%" })).ids).toEqual([]);
    expect((await foundBy("REST", { entity_name: "harb_ur" })).ids).toEqual([]);
    expect((await foundBy("REST", { query: "apples", entity_name: "harbour" })).ids).toEqual([]);
  });

  it("is answered soon", () => {
    report("odd queries", watch.summary);
    expect(watch.slowestMs).toBeLessThan(5000);
    expect(deployment.backend.log()).not.toContain("request failed");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Door } from "../support/clients/doors.ts";
import { LONG_QUERIES, ODD_QUERIES } from "../support/clients/odd-queries.ts";
import { type Deployment, startDeployment } from "../support/deployment/deployment.ts";
import { hasNginx } from "../support/deployment/nginx.ts";
import { report } from "../support/report.ts";
import { Stopwatch } from "../support/stopwatch.ts";

const FACT = "the harbour crane is inspected every spring, and 50% of the bolts are replaced";
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
    it.each(ODD_QUERIES.map((query) => [JSON.stringify(query), query]))("takes %s", async (_, query) => {
      await foundBy(way, { query });
      await foundBy(way, { query: `${query} crane inspected`, entity_name: query.trim() === "" ? "harbour" : query });
      const { ids } = await foundBy(way, { query: `${query} crane inspected` });
      expect(ids[0]).toBe(id);
    });

    it.each(Object.keys(LONG_QUERIES))("accepts %s, and says that it was cut", async (name) => {
      const { answer } = await foundBy(way, { query: LONG_QUERIES[name] });
      expect(answer.warnings).toMatchObject([{ reason: "query_cut", message: expect.stringMatching(/\w/) }]);
    });
  });

  it("takes wildcards literally", async () => {
    expect((await foundBy("REST", { query: "%" })).ids).toEqual([]);
    // A memory of the same session follows as its neighbour.
    expect((await foundBy("REST", { query: "50%" })).ids[0]).toBe(id);
    expect((await foundBy("REST", { query: "scope:team" })).ids).toEqual([]);
    expect((await foundBy("REST", { entity_name: "%" })).ids).toEqual([]);
    expect((await foundBy("REST", { entity_name: "harb_ur" })).ids).toEqual([]);
    expect((await foundBy("REST", { query: "zebra", entity_name: "harbour" })).ids).toEqual([]);
  });

  it("is answered quickly", () => {
    report("odd queries", watch.summary);
    expect(watch.slowestMs).toBeLessThan(1000);
  });
});

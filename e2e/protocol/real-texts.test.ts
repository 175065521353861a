import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inShort } from "../../deploy/local/test-extent.ts";
import { ask, type Door, mcpDoor } from "../support/clients/doors.ts";
import { type RealText, readRealTexts, wordsOf } from "../support/clients/real-texts.ts";
import { type Deployment, startDeployment } from "../support/deployment/deployment.ts";
import { hasNginx } from "../support/deployment/nginx.ts";
import { inParallel } from "../support/in-parallel.ts";
import { pick, seeded } from "../support/random.ts";
import { report } from "../support/report.ts";

const TEXTS = inShort(500, 1000);
const ASKED = 100;
const LEAST_FOUND = 90;
const TOP = 5;
const PARALLEL = 8;
const MIN_CODE_WORDS = 3;

interface Stored extends RealText {
  readonly id: number;
}

/** Builds queries that should find a text. */
const QUESTIONS: Record<string, (text: RealText) => string> = {
  "package name and heading": ({ packageName, heading }) => `${packageName} ${heading}`,
  "code words": ({ codeWords }) => codeWords.join(" "),
  "text with half its words dropped": ({ content }) => {
    const words = wordsOf(content);
    const kept = new Set(pick([...words.keys()], Math.ceil(words.length / 2), seeded(words.length)));
    return words.filter((_, at) => kept.has(at)).join(" ");
  },
};

describe.skipIf(!hasNginx)("texts by third parties", () => {
  let deployment: Deployment;
  let doors: Record<string, Door>;
  let asked: Stored[];
  let stored: Stored[];

  beforeAll(async () => {
    deployment = await startDeployment();
    doors = await deployment.openDoors();
    const startedAt = performance.now();
    stored = await inParallel(readRealTexts(TEXTS), PARALLEL, async (text) => {
      const { memory_id } = await ask(doors.stdio as Door, "chest_remember", {
        entity_name: text.packageName,
        entity_kind: "project",
        layer: "learning",
        content: text.content,
        force: true,
      });
      return { ...text, id: memory_id as number };
    });
    report("real texts stored over stdio and TLS", {
      texts: stored.length,
      packages: new Set(stored.map(({ packageName }) => packageName)).size,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    });
    asked = pick(
      stored.filter(({ codeWords }) => codeWords.length >= MIN_CODE_WORDS),
      ASKED,
      seeded(2),
    );
    doors["a client started later"] = mcpDoor((await deployment.connectStdio()).client);
  }, 120_000);
  afterAll(() => deployment.stop());

  it("are at least 500, each with its own heading and id", () => {
    expect(stored.length).toBeGreaterThanOrEqual(500);
    expect(asked).toHaveLength(ASKED);
    expect(new Set(stored.map(({ heading }) => heading.toLowerCase())).size).toBe(stored.length);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
    expect(stored.every(({ content }) => wordsOf(content).length >= 40)).toBe(true);
  });

  const ways = ["stdio", "/mcp", "REST", "a client started later"];
  it.each(ways.flatMap((way) => Object.keys(QUESTIONS).map((kind) => ({ way, kind }))))(
    "are found by their $kind over $way",
    async ({ way, kind }) => {
      const places = await inParallel(asked, PARALLEL, (text) =>
        placeOf(text.id, QUESTIONS[kind]?.(text) ?? "", doors[way] as Door),
      );
      const found = places.filter((place) => place >= 0);
      report(`found by ${kind} over ${way}`, {
        "in the first five": `${found.length} of ${ASKED}`,
        first: found.filter((place) => place === 0).length,
      });
      const missing = asked
        .filter((_, at) => places[at] === -1)
        .map(({ packageName, heading }) => [packageName, heading]);
      expect(found.length, `missing: ${JSON.stringify(missing)}`).toBeGreaterThanOrEqual(LEAST_FOUND);
    },
  );
});

/** Finds the index of a memory in the answer, from 0; −1 when it is not among the first. */
async function placeOf(id: number, query: string, door: Door): Promise<number> {
  const { memories } = await ask(door, "chest_recall", { query, limit: TOP, snippet_mode: true });
  return (memories as { id: number }[]).findIndex((memory) => memory.id === id);
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchRival, openRival } from "../load/against/rival.ts";
import type { StdioClient } from "../support/clients/stdio-client.ts";
import { CROSS, type EvalSet, partOf, type Question } from "./eval-set.ts";
import { DEPTH, measure } from "./measures.ts";
import { tellingWordsOf } from "./plain-fts5.ts";

/** Ways of asking a server that finds what holds a text letter by letter, and ranks nothing. */
const WAYS = {
  "as it stands": (question: string) => [question],
  // An agent that knows the tool: a call for each word, and first what most of them find.
  "word by word": tellingWordsOf,
} as const;

/** Prints how MCP's reference memory server fares on sets, each in a store of its own: the half that was never used for tuning. */
export async function evaluateRival(sets: readonly EvalSet[]): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), "chest-rival-"));
  try {
    const rival = await fetchRival(workDir);
    if (!rival) {
      process.exitCode = 1;
      return;
    }
    console.log(
      `${rival.name}\n\n| set | language | asked | questions | MRR | R@10 |\n| --- | --- | --- | --- | --- | --- |`,
    );
    for (const set of sets) {
      const { client, end } = await openRival(rival, workDir);
      try {
        await storeAll(client, set);
        for (const [way, textsOf] of Object.entries(WAYS)) await printRows(client, set, way, textsOf);
      } finally {
        await end();
      }
    }
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Each memory is an entity, so that the answer to a question is one of them and not a list. */
const storeAll = (client: StdioClient, { documents }: EvalSet) =>
  call(client, "create_entities", {
    entities: documents.map(({ key, about, content }) => ({ name: key, entityType: about, observations: [content] })),
  });

async function printRows(
  client: StdioClient,
  { name, questions }: EvalSet,
  way: string,
  textsOf: (question: string) => readonly string[],
): Promise<void> {
  const answerable = questions.filter((question) => question.answers.length > 0 && partOf(question) === "report");
  const asked = [];
  for (const question of answerable)
    asked.push({ question, place: placeIn(await ask(client, textsOf(question.text)), question) });
  for (const isCross of [false, true]) {
    const own = asked.filter(({ question }) => (question.lang === CROSS) === isCross);
    const { mrr, recall10 } = measure(own);
    const row = [name, isCross ? CROSS : "all", way, own.length, mrr.toFixed(3), recall10.toFixed(3)];
    if (own.length > 0) console.log(`| ${row.join(" | ")} |`);
  }
}

/** Names of entities: first those that most of the texts find, then in the order in which they were stored. */
async function ask(client: StdioClient, texts: readonly string[]): Promise<string[]> {
  const hits = new Map<string, number>();
  for (const query of texts) {
    const { entities = [] } = await call(client, "search_nodes", { query });
    for (const { name } of entities) hits.set(name, (hits.get(name) ?? 0) + 1);
  }
  return [...hits].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

function placeIn(names: readonly string[], { answers }: Question): number {
  const place = 1 + names.findIndex((name) => answers.includes(name));
  return place > DEPTH ? 0 : place;
}

interface Graph {
  readonly entities?: readonly { readonly name: string }[];
}

async function call({ client }: StdioClient, name: string, input: Record<string, unknown>): Promise<Graph> {
  const { isError, content } = await client.callTool({ name, arguments: input });
  const [first] = content as readonly { readonly text?: string }[];
  if (isError) throw new Error(`${name}: ${first?.text?.slice(0, 300)}`);
  const graph: unknown = JSON.parse(first?.text ?? "{}");
  return Array.isArray(graph) ? {} : (graph as Graph);
}

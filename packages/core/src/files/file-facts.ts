import type { Memory } from "../memory/memory.ts";
import { summaryText } from "../memory/summary-text.ts";
import { noEmbedder } from "../ports/embedder.ts";
import { candidatesByQuery } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import { cut } from "../text/cut.ts";
import type { ToolPorts } from "../tool.ts";
import { isNamedIn } from "./named-in.ts";
import { partKeyOf } from "./path-key.ts";

/** Excerpt of a memory, as shown beside a file. */
export type FileFact = { readonly id: number; readonly layer: string; readonly preview: string };

const MOST = 5;
const PREVIEW = 160;
/** Memories that have the words of its name, of which those are taken that name the file. */
const LOOKED_AT = 30;

/**
 * Finds what is remembered about one file where the caller works: memories of its edits, memories of an entity of that name,
 * and memories that name it. Lessons come first, then the important, then the newest. No model is waited for.
 */
export async function factsOn(path: string, ports: ToolPorts): Promise<FileFact[]> {
  const key = partKeyOf(path);
  if (key === "") return [];
  const [kept, naming] = await Promise.all([memoriesOf(key, ports), memoriesNaming(key, ports)]);
  const found = [...new Map([...kept, ...naming].map((memory) => [memory.id, memory])).values()];
  return found
    .sort(byUse)
    .slice(0, MOST)
    .map(({ id, layer, content }) => ({ id, layer, preview: cut(summaryText(content), PREVIEW) }));
}

async function memoriesOf(part: string, { store }: ToolPorts): Promise<readonly Memory[]> {
  const most = { paths: 0, days: 0, intents: 0, memories: MOST };
  const { memories } = await store.files.history({ reach: "here", part, isPath: true, most });
  return memories.filter(({ flags }) => flags.length === 0);
}

async function memoriesNaming(key: string, ports: ToolPorts): Promise<Memory[]> {
  const name = key.slice(key.lastIndexOf("/") + 1);
  // A name that occurs in every folder, such as `index.ts`, is searched together with its folder.
  const asked = isNamedIn(name, key, name) ? name : key.split("/").slice(-2).join("/");
  const question = {
    query: readQuery(asked, ports.ranking.synonyms),
    filter: { reach: "here", isFlagged: false, withArchived: false, withSuperseded: false },
    band: undefined,
    sort: "relevance",
    active: (await ports.store.identities()).active,
    maxTokens: 3000,
    limit: LOOKED_AT,
    offset: 0,
    ignoreDecay: false,
    ranking: ports.ranking,
    now: ports.clock.now(),
  } as const;
  const { candidates } = await candidatesByQuery(question, { ...ports, embedders: () => noEmbedder });
  const naming: Memory[] = [];
  let looked = 0;
  for await (const { memory } of candidates) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (isNamedIn(memory.content.toLowerCase(), key, name)) naming.push(memory);
  }
  return naming;
}

const isLesson = ({ layer }: Memory): number => Number(layer === "realize" || layer === "learning");

const byUse = (a: Memory, b: Memory): number =>
  isLesson(b) - isLesson(a) ||
  b.importance - a.importance ||
  b.createdAt.getTime() - a.createdAt.getTime() ||
  b.id - a.id;
